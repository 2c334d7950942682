import { describe, expect, test } from "vitest";
import { aiSdkApproval } from "../../../src/agents/adapters/ai-sdk.js";
import { memoryExecutions, type PendingApproval, tool } from "../../../src/agents/index.js";
import {
  allow,
  approvals,
  ask,
  type BudgetStore,
  budget,
  customPolicy,
  describeApproval,
  memoryBudgets,
  policy,
} from "../../../src/agents/policy-entry.js";
import { KEY } from "../approvals/support.js";
import { bench } from "../support.js";

/** A tool that a person approves, two calls of which the budget lets run. */
async function desk(budgets: BudgetStore = memoryBudgets()) {
  const asked: PendingApproval[] = [];
  let effects = 0;
  const pay = tool({
    name: "pay",
    description: "Pays an amount.",
    parameters: { type: "object", properties: { amount: { type: "number" } } },
    execute: () => ++effects,
  });
  const gate = approvals({ keys: [KEY], onRequest: (pending) => void asked.push(pending) });
  const rules = [
    ask({ tools: ["pay"] }),
    budget({ id: "a day", maxCalls: 2, windowMs: 86_400_000 }),
    budget({ name: "money", maxCost: 250, costs: { pay: 100 }, per: "all" }),
  ];
  const { tools } = await bench({
    tools: [pay],
    policy: policy(rules, { budgets }),
    approvals: gate,
    executions: memoryExecutions(),
  });
  const call = (callId: string) => ({ callId, name: "pay", arguments: { amount: 1 } });
  const run = async (callId: string, tokens: readonly string[] = []) => {
    const [result] = await tools.run([call(callId)], { approvals: tokens });
    if (!result) throw new Error("No result.");
    return result;
  };
  const approve = (pending: PendingApproval | undefined) => gate.approve(pending as never, { approver: "ada" });
  const deny = (pending: PendingApproval | undefined) => gate.deny(pending as never, { approver: "ada" });
  /** Asks, and runs with the approval. */
  const spend = async (callId: string) => run(callId, [await approve((await run(callId)).pendingApproval)]);
  return { tools, asked, call, run, approve, deny, spend, effects: () => effects };
}

const used = (unit: string) => expect.stringMatching(new RegExp(`The budget of 2 ${unit} .*is used up`));

describe("a call that needs approval and that a budget counts", () => {
  test("says what is left, which counts nothing", async () => {
    const { run, spend } = await desk();
    for (let times = 0; times < 3; times += 1) await run("call_1");
    const { pendingApproval } = await run("call_1");
    expect(pendingApproval?.budgets).toEqual([
      { budget: "a day", unit: "calls", limit: 2, left: 2, windowMs: 86_400_000 },
      { budget: "money", unit: "cost", limit: 250, left: 250, windowMs: null },
    ]);
    expect(describeApproval(pendingApproval as PendingApproval)).toContain(
      'Left of its budgets:\n  "a day": 2 of 2 calls within 86400 seconds\n  money: 250 of 250 cost',
    );
    await spend("call_2");
    expect((await run("call_3")).pendingApproval?.budgets.map(({ left }) => left)).toEqual([1, 150]);
  });

  test("isn't asked about once the budget is used up: the model reads the budget's reason", async () => {
    const { run, spend, asked, effects } = await desk();
    await spend("call_1");
    await spend("call_2");
    const result = await run("call_3");
    expect(result).toMatchObject({ status: "not_run", pendingApproval: undefined, text: used("calls") });
    expect(asked.map(({ call }) => call.callId)).toEqual(["call_1", "call_2"]);
    expect(effects()).toBe(2);
  });

  test("isn't asked about beside a token for another call either", async () => {
    const { tools, run, spend, approve, call, asked } = await desk();
    const first = await run("call_1");
    const token = await approve(first.pendingApproval);
    await run("call_1", [token]);
    await spend("call_2");
    const results = await tools.run([call("call_1"), call("call_3")], { approvals: [token] });
    expect(results.map(({ status }) => status)).toEqual(["succeeded", "not_run"]);
    expect(asked.map(({ call }) => call.callId)).toEqual(["call_1", "call_2"]);
  });

  test("isn't asked about in a library's question beside a token either", async () => {
    const { tools, run, spend, approve, asked } = await desk();
    const token = await approve((await run("call_1")).pendingApproval);
    await spend("call_2");
    await spend("call_3");
    const needsApproval = aiSdkApproval(tools, { approvals: [token] });
    const toolCall = { toolCallId: "call_4", toolName: "pay", input: { amount: 1 } };
    expect(await needsApproval({ toolCall } as never)).toBeUndefined();
    expect(asked.map(({ call }) => call.callId)).toEqual(["call_1", "call_2", "call_3"]);
  });

  test("is still enforced when it runs: what was left may be used by then", async () => {
    const { run, spend, approve, effects } = await desk();
    const token = await approve((await run("call_1")).pendingApproval);
    await spend("call_2");
    await spend("call_3");
    expect(await run("call_1", [token])).toMatchObject({ status: "not_run", text: used("calls") });
    expect(effects()).toBe(2);
  });

  test("stays denied by a person although the budget is used up", async () => {
    const { run, spend, approve, deny, effects } = await desk();
    const { pendingApproval } = await run("call_1");
    await spend("call_2");
    await spend("call_3");
    const denied = await run("call_1", [await deny(pendingApproval)]);
    expect(denied.text).toContain("was not approved");
    expect((await run("call_1", [await approve(pendingApproval)])).text).toContain("was not approved");
    expect(effects()).toBe(2);
  });

  test("isn't asked about if the store of budgets fails, and doesn't run", async () => {
    const failing: BudgetStore = { ...memoryBudgets(), read: () => Promise.reject(new Error("no connection")) };
    const { run, asked, effects } = await desk(failing);
    expect(await run("call_1")).toMatchObject({ status: "not_run", pendingApproval: undefined });
    expect([asked.length, effects()]).toEqual([0, 0]);
    const odd = await desk({ ...memoryBudgets(), read: async () => "2" as never });
    expect(await odd.run("call_1")).toMatchObject({ status: "not_run", pendingApproval: undefined });
  });
});

test.each<[string, () => unknown]>([
  ["nothing", () => undefined],
  ["a decision without its fields", () => ({ outcome: "allow" })],
  ["a reason without an outcome", () => ({ decision: { reason: "no" }, budgets: [] })],
])("a custom policy's peek that returns %s denies the call", async (_, peek) => {
  const rules = policy([ask({ tools: ["TEXTKIT_COUNT_WORDS"] }), allow({ tools: ["GITHUB_*"] })]);
  const custom = customPolicy({ digest: "1", decide: (call) => rules.decide(call), peek: async () => peek() as never });
  const { tools } = await bench({
    policy: custom,
    approvals: approvals({ keys: [KEY] }),
    executions: memoryExecutions(),
  });
  const call = { callId: "call_1", name: "TEXTKIT_COUNT_WORDS", arguments: { text: "a" } };
  expect(await tools.run([call])).toMatchObject([{ status: "not_run", pendingApproval: undefined }]);
});
