import { describe, expect, test } from "vitest";
import { type ClientToolsetOptions, memoryExecutions, tool, toolset } from "../../../src/agents/index.js";
import {
  type ApprovalRejectedError,
  type ApprovalStore,
  type ApprovalsOptions,
  approvals,
  ask,
  memoryApprovals,
  type PendingApproval,
  policy,
  type StandingOptions,
} from "../../../src/agents/policy-entry.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { ConfigError, Svc } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { fakeClock } from "../../support/clock.js";
import { CREATE_ISSUE, ISSUE, USER } from "../support.js";
import { all, asksForIssues, gated, issueCall, KEY } from "./support.js";

const HOUR_MS = 3_600_000;
const THREE = { approver: "ada", maxUses: 3 };

async function standing(options: StandingOptions, given: Partial<ApprovalsOptions> = {}) {
  const store = memoryApprovals();
  const shared = { store, executions: memoryExecutions() };
  const made = await gated({ executions: shared.executions }, { store, ...given });
  const pending = await made.ask("call_0");
  const approval = await made.gate.standing.approve(pending.id, options);
  const run = async (callId: string, args: object = ISSUE, tools = made.tools) => {
    const [result] = await tools.run([issueCall(callId, args)]);
    return result?.status;
  };
  return { ...shared, ...made, records: shared.executions, pending, approval, run };
}

describe("a standing approval", () => {
  test("runs its request and the same call again, as often as it says, each call once", async () => {
    const { run, gate, approval, executions } = await standing(THREE);
    expect(approval).toMatchObject({ approver: "ada", maxUses: 3, uses: 1, revokedBy: null });
    const statuses = [];
    for (const id of ["call_0", "call_1", "call_1", "call_2", "call_3", "call_3"]) statuses.push(await run(id));
    expect(statuses).toEqual([...Array.from({ length: 4 }, () => "succeeded"), "pending", "pending"]);
    expect(executions()).toBe(3);
    expect(await all(gate.standing.list({ userId: USER }))).toMatchObject([{ uses: 3 }]);
    expect((await all(gate.list())).map(({ pending }) => pending.call.callId)).toEqual(["call_3"]);
  });

  test("isn't wider than its request, unless it says so", async () => {
    const { run, executions: count, store, records: executions, pending } = await standing(THREE);
    const others: [Partial<ClientToolsetOptions>, object?][] = [
      [{}, { ...ISSUE, title: "Another" }],
      [{}, { ...ISSUE, body: "One more argument." }],
      [{ userId: "user-demo", accounts: { github: "ca_github_demo" } }],
      [{ accounts: { github: "ca_other" } }],
      [{ conversationId: "chat-2" }],
      [{ policy: policy([ask({ tools: [CREATE_ISSUE] })]) }],
    ];
    for (const [options, args] of others) {
      const { tools } = await gated({ ...{ executions: memoryExecutions() }, ...options }, { store });
      expect(await run("call_1", args, tools)).toBe("pending");
    }
    expect(count()).toBe(0);
    const same = await gated({ executions }, { store });
    expect(await run("call_1", ISSUE, same.tools)).toBe("succeeded");
    expect(pending.accountId).toBe("ca_github_demo");
  });

  test("of conditions lets other arguments run that match, and no others", async () => {
    const when = { owner: { is: "octo-org" }, repo: { is: "hello-world" } };
    const { run } = await standing({ ...THREE, when });
    expect(await run("call_1", { ...ISSUE, title: "Another" })).toBe("succeeded");
    expect(await run("call_2", { ...ISSUE, repo: "secrets" })).toBe("pending");
    expect(await run("call_3", { ...ISSUE, title: "A third" })).toBe("succeeded");
    expect(await run("call_4", { ...ISSUE, title: "A fourth" })).toBe("pending");
  });

  test("of all conversations, and of accounts, lets those run", async () => {
    const { run, store } = await standing({ ...THREE, conversations: "all", accounts: ["ca_*"] });
    const { tools } = await gated({ conversationId: "chat-2", accounts: { github: "ca_github_demo" } }, { store });
    expect(await run("call_1", ISSUE, tools)).toBe("succeeded");
    const stranger = await gated({ userId: "user-demo", accounts: { github: "ca_github_demo" } }, { store });
    expect(await run("call_1", ISSUE, stranger.tools)).toBe("pending");
  });

  test("of tools lets other tools run, but none that can run anything", async () => {
    const local = (name: string) =>
      tool({ name, description: "", parameters: { type: "object" }, execute: () => name });
    const tools = ["pay", "pay_back", "tip"].map(local);
    const store = memoryApprovals();
    const made = await gated({ tools, policy: policy([ask({})]) }, { store });
    const run = (callId: string, name: string) => made.tools.run([{ callId, name, arguments: {} }]);
    const [asked] = await run("1", "pay");
    const pending = asked?.pendingApproval as PendingApproval;
    await made.gate.standing.approve(pending, { ...THREE, tools: ["pay*"] });
    expect(await run("2", "pay_back")).toMatchObject([{ status: "succeeded" }]);
    expect(await run("3", "tip")).toMatchObject([{ status: "pending" }]);
  });

  test("lets SVC_MULTI_EXECUTE_TOOL run only with the same arguments", async () => {
    const emulator = createEmulator();
    const svc = new Svc({ ...emulator.connection, env: {} });
    const session = await svc.toolRouter.create({ user_id: USER });
    const gate = approvals({ keys: [KEY], store: memoryApprovals() });
    const rules = policy([ask({ tools: ["SVC_MULTI_EXECUTE_TOOL"] }), ask({})]);
    const tools = await toolset(session, {
      ...{ policy: rules, approvals: gate, executions: memoryExecutions(), catalog: svc },
    });
    const run = async (callId: string, title: string) => {
      const inner = [{ tool_slug: CREATE_ISSUE, arguments: { ...ISSUE, title } }];
      const args = { tools: inner, sync_response_to_workbench: false, session_id: "s" };
      const [result] = await tools.run([{ callId, name: "SVC_MULTI_EXECUTE_TOOL", arguments: args }]);
      return result;
    };
    const first = (await run("1", "One"))?.pendingApproval as PendingApproval;
    const session_id = { is: "s" };
    await rejectionOf(ConfigError, gate.standing.approve(first, { ...THREE, when: { session_id } }));
    await gate.standing.approve(first, THREE);
    expect(await run("2", "One")).toMatchObject({ status: "succeeded" });
    expect(await run("3", "Two")).toMatchObject({ status: "pending" });
  });

  test("ends with its time, and when it is revoked, in every process and for calls that haven't started", async () => {
    const clock = fakeClock();
    const {
      run,
      gate,
      approval,
      store,
      records: executions,
    } = await standing({ ...THREE, expiresInMs: HOUR_MS }, { now: clock.now });
    const other = await gated({ executions }, { store, now: clock.now });
    expect(await run("call_1", ISSUE, other.tools)).toBe("succeeded");
    await other.gate.standing.revoke(approval.id, { approver: "bob" });
    await gate.standing.revoke(approval.id, { approver: "eve" });
    // Its request was approved by it, and hasn't run.
    expect([await run("call_0"), await run("call_2")]).toEqual(["pending", "pending"]);
    expect(await all(gate.standing.list())).toEqual([]);
    expect(await all(gate.standing.list({ state: "revoked" }))).toMatchObject([{ revokedBy: "bob" }]);
    const next = await gate.standing.approve((await other.ask("call_3")).id, { ...THREE, expiresInMs: HOUR_MS });
    clock.advance(HOUR_MS);
    expect(await run("call_3")).toBe("pending");
    expect(next.expiresAt).toBe(clock.now());
    expect(await all(gate.standing.list())).toEqual([]);
  });

  test("loses against a person who denies the request of a call", async () => {
    const { gate, tools, ...made } = await gated({}, { store: memoryApprovals() });
    const [one, two] = [await made.ask("call_1"), await made.ask("call_2")];
    await gate.standing.approve(one, THREE);
    await gate.deny(two, { approver: "bob" });
    expect(await tools.run([two.call])).toMatchObject([{ status: "not_run" }]);
    const again = gate.standing.approve(two, THREE).catch((error: ApprovalRejectedError) => error.reason);
    expect(await again).toBe("already_decided");
  });

  test("closes the requests of other calls that it lets run", async () => {
    const { gate, tools, ...made } = await gated({}, { store: memoryApprovals() });
    const [one, two] = [await made.ask("call_1"), await made.ask("call_2")];
    const { id } = await gate.standing.approve(one, THREE);
    expect(await tools.run([two.call])).toMatchObject([{ status: "succeeded" }]);
    expect(await all(gate.list())).toEqual([]);
    expect(await gate.get(two.id)).toMatchObject({ state: "approved", approver: "ada" });
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("isn't used by a dry run", async () => {
    const { tools, gate } = await standing(THREE);
    expect(await tools.run([issueCall("call_1")], { dryRun: true })).toMatchObject([{ status: "dry_run" }]);
    expect(await all(gate.standing.list())).toMatchObject([{ uses: 1 }]);
  });

  test.each([
    ["more uses", (value: string) => value.replace('"maxUses":3', '"maxUses":9')],
    ["other conditions", (value: string) => value.replace('"conversations":"same"', '"conversations":"all"')],
    ["no uses", (value: string) => value.replace(/"uses":\[[^\]]*\]/, '"uses":[]')],
  ])("in a store that is edited to have %s runs nothing", async (_, change) => {
    const store = memoryApprovals();
    const edited: ApprovalStore = {
      ...store,
      list: async (query) =>
        (await store.list(query)).map(({ position, value }) => ({ position, value: change(value) })),
    };
    const { gate, tools, executions, ...made } = await gated({}, { store: edited });
    await gate.standing.approve(await made.ask("call_0"), THREE);
    expect(await tools.run([issueCall("call_1")])).toMatchObject([{ status: "pending" }]);
    expect(executions()).toBe(0);
  });

  test.each<[string, object]>([
    ["no approver", { approver: "" }],
    ["no use", { maxUses: 0 }],
    ["more uses than are stored", { maxUses: 1_001 }],
    ["a function", { when: () => true }],
    ["a missing condition", { when: undefined }],
    ["no condition", { when: {} }],
    ["conditions that don't match the request", { when: { owner: { is: "another" } } }],
    ["tools without the request's", { tools: ["GITHUB_DELETE_*"] }],
    ["accounts without the request's", { accounts: ["ca_other"] }],
    ["a misspelled option", { conversation: "all" }],
    ["a time beyond all dates", { expiresInMs: Number.MAX_SAFE_INTEGER }],
  ])("with %s is rejected", async (_, options) => {
    const { gate, ...made } = await gated({ policy: asksForIssues }, { store: memoryApprovals() });
    const pending = await made.ask();
    await rejectionOf(ConfigError, gate.standing.approve(pending, { ...THREE, ...options }));
    expect(await gate.get(pending.id)).toMatchObject({ state: "pending" });
  });
});
