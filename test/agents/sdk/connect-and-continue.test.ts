import { describe, expect, test } from "vitest";
import {
  type ClientToolsetOptions,
  memoryExecutions,
  TicketRejectedError,
  toolset,
} from "../../../src/agents/index.js";
import { allow, approvals, ask, budget, policy } from "../../../src/agents/policy-entry.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { Svc } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { asksForIssues, KEY } from "../approvals/support.js";
import { TURN_ADAPTERS } from "../every-adapter.js";
import { COUNT_WORDS, CREATE_ISSUE, ISSUE } from "../support.js";
import { startModel } from "./model-server.js";

const model = await startModel();
const PROVIDERS = Object.entries(TURN_ADAPTERS).map(([adapter, { program }]) => ({ adapter, ...program(model.url) }));
const OPENAI = TURN_ADAPTERS.openai.program(model.url);
/** A user without accounts. */
const NEWCOMER = "user-new";
const DAY_MS = 86_400_000;

/** A turn that opens an issue for a user without an account, and counts words, which needs none. */
async function waiting(options: Partial<ClientToolsetOptions> = {}, provider = OPENAI) {
  const emulator = createEmulator();
  const svc = new Svc({ ...emulator.connection, env: {} });
  const executions = memoryExecutions();
  /** The toolset of a new process, which shares the store. */
  const start = (changed: Partial<ClientToolsetOptions> = {}) =>
    toolset(new Svc({ ...emulator.connection, env: {} }), {
      userId: NEWCOMER,
      conversationId: "conversation-1",
      tools: [CREATE_ISSUE, COUNT_WORDS],
      executions,
      ...options,
      ...changed,
    });
  model.script({
    calls: [
      { id: "call_issue", name: CREATE_ISSUE, arguments: ISSUE },
      { id: "call_words", name: COUNT_WORDS, arguments: { text: "one two" } },
    ],
  });
  const { results, ticket } = await provider.suspend(await start());
  const stored = JSON.stringify(ticket);
  const issues = () =>
    emulator.requests.filter(({ path, status }) => path.endsWith(CREATE_ISSUE) && status === 200).length;
  /** The turn that a new process resumes from the ticket. */
  const resume = async (changed: Partial<ClientToolsetOptions> = {}, decisions?: readonly string[]) =>
    (await provider.resume(await start(changed), stored, decisions && { decisions })).turn;
  /** Sends a user to the page of the link, without an end. */
  const visit = async (user_id = NEWCOMER) => {
    const { items } = await svc.authConfigs.list({ toolkit_slug: "github" });
    const link = await svc.connectedAccounts.link({ auth_config_id: items[0]?.id ?? "", user_id });
    return link.connected_account_id;
  };
  const connect = async (user?: string) => emulator.accounts.activate(await visit(user));
  return { emulator, svc, results, ticket, stored, start, issues, resume, visit, connect };
}

const statuses = (turn: { readonly results: readonly { readonly status: string }[] }) =>
  turn.results.map(({ status }) => status);

describe.each(PROVIDERS)("a turn of $adapter that waits for an account", (provider) => {
  test("goes on once the user has connected it, and each call runs once", async () => {
    const { results, ticket, issues, resume, connect } = await waiting({}, provider);
    expect(statuses({ results })).toEqual(["not_run", "succeeded"]);
    expect(ticket.authRequired).toEqual([{ callId: "call_issue", toolkit: "github", reason: "not_connected" }]);
    const early = await resume();
    expect(statuses(early)).toEqual(["not_run", "succeeded"]);
    expect(early.authRequired).toMatchObject([{ toolkit: "github", userId: NEWCOMER, reason: "not_connected" }]);
    expect(await early.authRequired[0]?.linkUrl()).toMatch(/^http/);
    expect(issues()).toBe(0);
    await connect();
    // The event arrives twice, in two processes.
    const turns = await Promise.all([resume(), resume()]);
    expect(issues()).toBe(1);
    const ended = turns.filter((turn) => statuses(turn)[0] === "succeeded");
    expect(ended.length).toBeGreaterThan(0);
    const again = await resume();
    expect(again.results.map(({ status, isReplay }) => [status, isReplay])).toEqual([
      ["succeeded", true],
      ["succeeded", true],
    ]);
    expect(again.authRequired).toEqual([]);
    expect(issues()).toBe(1);
  });
});

test("the account may come days later, after an expired link, a denied consent and another user's account", async () => {
  const { emulator, issues, resume, visit, connect } = await waiting();
  await visit();
  emulator.clock.advance(3 * DAY_MS);
  expect(statuses(await resume())).toEqual(["not_run", "succeeded"]);
  emulator.accounts.decline(await visit());
  expect(statuses(await resume())).toEqual(["not_run", "succeeded"]);
  await connect("another-user");
  emulator.clock.advance(3 * DAY_MS);
  expect(statuses(await resume())).toEqual(["not_run", "succeeded"]);
  expect(issues()).toBe(0);
  await connect();
  expect(statuses(await resume())).toEqual(["succeeded", "succeeded"]);
  expect(issues()).toBe(1);
});

test.each<[string, Partial<ClientToolsetOptions>]>([
  ["the service", {}],
  ["the service, which chooses it,", { accounts: "newest" }],
  ["the list of accounts", { policy: policy([allow({}), budget({ maxCalls: 9 })]) }],
])("a turn tells how connecting its account ended, as %s has it", async (_, options) => {
  const { emulator, resume, visit, connect } = await waiting(options);
  const reason = async () => (await resume()).authRequired[0]?.reason;
  const reasons = [await reason()];
  await visit();
  reasons.push(await reason());
  emulator.clock.advance(3 * DAY_MS);
  reasons.push(await reason());
  emulator.accounts.decline(await visit());
  reasons.push(await reason());
  await connect("another-user");
  reasons.push(await reason());
  const id = await visit();
  emulator.accounts.activate(id);
  emulator.accounts.revoke(id);
  reasons.push(await reason());
  expect(reasons).toEqual(["not_connected", "unfinished", "expired", "failed", "failed", "revoked"]);
});

test.each([
  ["expired", "expired"],
  ["revoked", "revoked"],
] as const)("an account that has %s is waited for as well", async (kind, reason) => {
  const { emulator, issues, resume, visit, connect } = await waiting();
  const id = await visit();
  emulator.accounts.activate(id);
  if (kind === "expired") emulator.accounts.expire(id);
  else emulator.accounts.revoke(id);
  expect((await resume()).authRequired).toMatchObject([{ reason }]);
  expect(issues()).toBe(0);
  if (kind === "expired") emulator.accounts.activate(id);
  else await connect();
  expect(statuses(await resume())).toEqual(["succeeded", "succeeded"]);
  expect(issues()).toBe(1);
});

test("a policy that has changed in between stops the turn, and nothing runs", async () => {
  const { issues, resume, connect } = await waiting({ policy: policy([allow({ tools: ["*"] })]) });
  await connect();
  const changed = { policy: policy([allow({ tools: [COUNT_WORDS] })]) };
  expect(await rejectionOf(TicketRejectedError, resume(changed))).toMatchObject({ reason: "other_policy" });
  expect(issues()).toBe(0);
});

test("a person is asked once the account is known, and the call runs through that account", async () => {
  const gate = approvals({ keys: [KEY] });
  const { emulator, svc, issues, resume, connect } = await waiting({ policy: asksForIssues, approvals: gate });
  await connect();
  const asked = await resume();
  expect(asked.authRequired).toEqual([]);
  const [pending] = asked.pendingApprovals;
  if (!pending) throw new Error("Nothing waits for a person.");
  const { items } = await svc.connectedAccounts.list({ user_ids: [NEWCOMER] });
  expect(pending.accountId).toBe(items[0]?.id);
  const token = await gate.approve(pending, { approver: "ada" });
  expect(statuses(await resume({}, [token]))).toEqual(["succeeded", "succeeded"]);
  expect(issues()).toBe(1);
  emulator.accounts.revoke(pending.accountId ?? "");
  expect((await resume({}, [token])).results[0]).toMatchObject({ status: "succeeded", isReplay: true });
});

test("an approved call whose account was revoked is asked about again, for the new account", async () => {
  const gate = approvals({ keys: [KEY] });
  const { emulator, issues, resume, connect } = await waiting({
    policy: policy([allow({ tools: [COUNT_WORDS] }), ask({ tools: [CREATE_ISSUE] })]),
    approvals: gate,
  });
  await connect();
  const [pending] = (await resume()).pendingApprovals;
  if (!pending) throw new Error("Nothing waits for a person.");
  const token = await gate.approve(pending, { approver: "ada" });
  emulator.accounts.revoke(pending.accountId ?? "");
  expect((await resume({}, [token])).authRequired).toHaveLength(1);
  await connect();
  const other = await resume({}, [token]);
  expect(statuses(other)).toEqual(["pending", "succeeded"]);
  expect(other.pendingApprovals[0]?.accountId).not.toBe(pending.accountId);
  expect(issues()).toBe(0);
});
