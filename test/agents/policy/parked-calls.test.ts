import { describe, expect, test } from "vitest";
import { memoryExecutions, toolset } from "../../../src/agents/index.js";
import { allow, approvals, budget, customPolicy, type Policy, policy } from "../../../src/agents/policy-entry.js";
import { KEY } from "../approvals/support.js";
import { type Bench, bench, CREATE_ISSUE, ISSUE } from "../support.js";

const call = (callId: string) => ({ callId, name: CREATE_ISSUE, arguments: ISSUE });
let counted = 0;
const POLICIES: [string, () => Policy][] = [
  ["a budget", () => policy([allow({}), budget({ maxCalls: 1 })])],
  [
    "a policy that counts",
    () =>
      customPolicy({
        digest: "1",
        decide: () => ({ outcome: "allow" }),
        count: async () => {
          counted += 1;
          return counted > 1 ? { outcome: "deny", reason: "The budget is used up." } : { outcome: "allow" };
        },
      }),
  ],
];

test.each(POLICIES)("a call that waits for an account isn't counted by %s, and goes on", async (_, made) => {
  counted = 0;
  const { tools, svc, emulator, executions } = await bench({ userId: "user-new", policy: made() });
  for (const callId of ["1", "1", "2"]) {
    const [waiting] = await tools.run([call(callId)]);
    expect(waiting).toMatchObject({ status: "not_run", authRequired: { reason: "not_connected", toolkit: "github" } });
  }
  expect(executions()).toBe(0);
  const { items } = await svc.authConfigs.list({ toolkit_slug: "github" });
  const account = { auth_config_id: items[0]?.id ?? "", user_id: "user-new" };
  const { connected_account_id: id } = await svc.connectedAccounts.link(account);
  emulator.accounts.activate(id);
  expect(await tools.run([call("1")])).toMatchObject([{ status: "succeeded" }]);
  expect(await tools.run([call("2")])).toMatchObject([{ status: "not_run", authRequired: undefined }]);
});

test("a call whose account has expired isn't counted by a budget, and tells why", async () => {
  const { tools, emulator } = await bench({ policy: policy([allow({}), budget({ maxCalls: 1 })]) });
  emulator.accounts.expire("ca_github_demo");
  const [waiting] = await tools.run([call("1")]);
  expect(waiting).toMatchObject({ status: "not_run", authRequired: { reason: "expired" } });
  emulator.accounts.activate("ca_github_demo");
  expect(await tools.run([call("1")])).toMatchObject([{ status: "succeeded" }]);
});

const connectIn = async ({ svc, emulator }: Pick<Bench, "svc" | "emulator">, userId: string) => {
  const { items } = await svc.authConfigs.list({ toolkit_slug: "github" });
  const { connected_account_id: id } = await svc.connectedAccounts.link({
    ...{ auth_config_id: items[0]?.id ?? "", user_id: userId },
  });
  emulator.accounts.activate(id);
  return id;
};

describe("a call that the service rejects because an account is missing is counted once", () => {
  const rules = () => policy([allow({}), budget({ id: "all", maxCalls: 1 })]);

  test("if the service chooses the account", async () => {
    const made = await bench({ userId: "user-new", policy: rules(), accounts: "newest" });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await made.tools.run([call("1")])).toMatchObject([{ authRequired: { reason: "not_connected" } }]);
    }
    await connectIn(made, "user-new");
    expect(await made.tools.run([call("1")])).toMatchObject([{ status: "succeeded" }]);
    expect(await made.tools.run([call("2")])).toMatchObject([{ status: "not_run", authRequired: undefined }]);
    // Once it was parked, the account is looked up before the service is asked again.
    expect(made.executions()).toBe(2);
  });

  test("in a session, by another process too", async () => {
    const made = await bench();
    const session = await made.svc.toolRouter.create({ user_id: "user-new", preload: { tools: [CREATE_ISSUE] } });
    const guards = { policy: rules(), executions: memoryExecutions() };
    const tools = () => toolset(session, guards);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await (await tools()).run([call("1")])).toMatchObject([{ authRequired: { reason: "not_connected" } }]);
    }
    await connectIn(made, "user-new");
    // Other arguments under the id are another call.
    const other = { ...call("1"), arguments: { ...ISSUE, title: "another" } };
    expect(await (await tools()).run([other])).toMatchObject([{ status: "not_run", authRequired: undefined }]);
    expect(await (await tools()).run([call("1")])).toMatchObject([{ status: "succeeded" }]);
    expect(await (await tools()).run([call("2")])).toMatchObject([{ status: "not_run", authRequired: undefined }]);
  });

  test("and again by budgets that have lost their counts, such as those in memory after a restart", async () => {
    const executions = memoryExecutions();
    const made = await bench();
    const restarted = () => {
      const guards = { policy: rules(), executions, accounts: "newest", userId: "user-new" } as const;
      return toolset(made.svc, { ...guards, tools: [CREATE_ISSUE] });
    };
    expect(await (await restarted()).run([call("1")])).toMatchObject([{ authRequired: { reason: "not_connected" } }]);
    await connectIn(made, "user-new");
    const tools = await restarted();
    expect(await tools.run([call("1")])).toMatchObject([{ status: "succeeded" }]);
    expect(await tools.run([call("2")])).toMatchObject([{ status: "not_run", authRequired: undefined }]);
  });

  test("if its account expires between two calls, and the budget counts bytes and costs", async () => {
    const limits = { maxArgumentBytes: 200, maxCost: 10, costs: { "*": 5 } };
    const made = await bench({ policy: policy([allow({}), budget({ id: "all", ...limits })]) });
    expect(await made.tools.run([call("0")])).toMatchObject([{ status: "succeeded" }]);
    made.emulator.accounts.expire("ca_github_demo");
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await made.tools.run([call("1")])).toMatchObject([{ authRequired: { reason: "expired" } }]);
    }
    made.emulator.accounts.activate("ca_github_demo");
    expect(await made.tools.run([call("1")])).toMatchObject([{ status: "succeeded" }]);
    expect(await made.tools.run([call("2")])).toMatchObject([{ status: "not_run", authRequired: undefined }]);
  });

  test("and asked about once at a limit: the approval stays that of this call", async () => {
    const gate = approvals({ keys: [KEY] });
    const spent = budget({ id: "all", maxCalls: 1, atLimit: "ask" });
    const guards = { policy: policy([allow({}), spent]), approvals: gate, executions: memoryExecutions() };
    const made = await bench({ userId: "user-new", ...guards, accounts: "newest" });
    const words = { callId: "0", name: "TEXTKIT_COUNT_WORDS", arguments: { text: "a" } };
    expect(await made.tools.run([words])).toMatchObject([{ status: "succeeded" }]);
    await connectIn(made, "user-new");
    const [asked] = await made.tools.run([call("1")]);
    if (!asked?.pendingApproval) expect.unreachable();
    const token = await gate.approve(asked.pendingApproval, { approver: "ada", expiresInMs: 60_000 });
    const error = { message: "No connected account found", code: 1810, slug: "ActionExecute_ConnectedAccountNotFound" };
    made.emulator.faults.next("tools.execute", { status: 404, body: { error: { ...error, status: 404 } } });
    const approved = () => made.tools.run([call("1")], { approvals: [token] });
    expect(await approved()).toMatchObject([{ authRequired: { reason: "not_connected" } }]);
    expect(await approved()).toMatchObject([{ status: "succeeded" }]);
    const [used] = await guards.policy.budgets.read({ id: "all", userId: "user-new" });
    expect(used?.used).toBe(2);
    expect(await made.tools.run([call("2")])).toMatchObject([{ status: "pending" }]);
  });
});
