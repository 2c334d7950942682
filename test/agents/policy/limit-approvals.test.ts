import { describe, expect, test } from "vitest";
import { memoryExecutions, type PendingApproval, tool } from "../../../src/agents/index.js";
import {
  type Approvals,
  allow,
  approvals,
  ask,
  type Budget,
  budget,
  customPolicy,
  describeApproval,
  memoryApprovals,
  memoryBudgets,
  policy,
  type Rule,
} from "../../../src/agents/policy-entry.js";
import { KEY } from "../approvals/support.js";
import { bench, USER } from "../support.js";

const CENTS = { id: "cents", maxCost: 10, costs: { pay: 6, "*": 1 }, atLimit: "ask", windowMs: 60_000 } as const;

/** Tools behind a budget of 10 cents, 6 of which a payment costs. */
async function desk({
  rules = [allow({})],
  limits = CENTS,
  more = [],
  gate = approvals({ keys: [KEY] }),
}: {
  rules?: readonly Rule[];
  limits?: Budget;
  more?: readonly Rule[];
  gate?: ReturnType<typeof approvals> | undefined;
} = {}) {
  let now = 0;
  const effects: string[] = [];
  const decided: unknown[] = [];
  const budgets = memoryBudgets({ now: () => now });
  const executions = memoryExecutions();
  const named = (name: string) =>
    tool({ name, description: name, parameters: { type: "object" }, execute: (_, { callId }) => effects.push(callId) });
  const guardrails = policy([...rules, budget(limits), ...more], { budgets });
  const toolsWith = (chosen: Approvals) =>
    bench({
      tools: [named("pay"), named("look")],
      policy: guardrails,
      approvals: chosen,
      executions,
      onEvent: (event) => {
        if (event.type === "decided") decided.push([event.outcome, event.reason]);
      },
    });
  const { tools } = await toolsWith(gate);
  const run = async (callId: string, tokens: readonly string[] = [], name = "pay", dryRun = false) => {
    const [result] = await tools.run([{ callId, name, arguments: {} }], { approvals: tokens, dryRun });
    if (!result) throw new Error("No result.");
    return result;
  };
  const approve = (pending: PendingApproval | undefined) => gate.approve(pending as never, { approver: "ada" });
  const deny = (pending: PendingApproval | undefined) => gate.deny(pending as never, { approver: "ada" });
  const left = async () => (await guardrails.budgets.read({ id: "cents", userId: USER }))[0]?.left;
  const used = async () => (await guardrails.budgets.read({ id: "cents", userId: USER }))[0]?.used;
  const pass = (ms: number) => {
    now += ms;
  };
  return { tools, run, approve, deny, left, used, effects, decided, pass, guardrails, toolsWith };
}

describe('a call that exceeds a budget with atLimit: "ask"', () => {
  test("runs with an approval, and is counted", async () => {
    const { run, approve, used, effects, decided } = await desk();
    expect(await run("call_1")).toMatchObject({ status: "succeeded" });
    const asked = await run("call_2");
    expect(asked.status).toBe("pending");
    expect(asked.pendingApproval?.budgets).toEqual([
      { budget: "cents", unit: "cost", limit: 10, left: 4, windowMs: 60_000, requested: 6 },
    ]);
    expect(describeApproval(asked.pendingApproval as PendingApproval)).toContain(
      "cents: 4 of 10 cost within 60 seconds. The call uses 6, and may pass this limit",
    );
    expect(await used()).toBe(6);
    const token = await approve(asked.pendingApproval);
    expect(await run("call_2", [token])).toMatchObject({ status: "succeeded" });
    expect([await used(), effects]).toEqual([12, ["call_1", "call_2"]]);
    expect(decided).toContainEqual(["ask", "The budget of 10 cost within 60 seconds is used up."]);
    // The approval was for one call.
    expect(await run("call_3", [token])).toMatchObject({ status: "pending" });
    expect(await run("call_4", [token], "look")).toMatchObject({ status: "pending" });
    expect(effects).toHaveLength(2);
  });

  test("is denied at the limit of another budget, whatever was approved", async () => {
    const { run, approve, effects } = await desk({ more: [budget({ id: "calls", maxCalls: 2 })] });
    await run("call_1");
    const token = await approve((await run("call_2")).pendingApproval);
    await run("call_3", [], "look");
    const result = await run("call_2", [token]);
    expect(result).toMatchObject({ status: "not_run", text: expect.stringContaining("The budget of 2 calls") });
    expect(effects).toEqual(["call_1", "call_3"]);
  });

  test("isn't covered by an approval that a rule asked for before the limit", async () => {
    const { run, approve, effects } = await desk({ rules: [ask({ tools: ["pay"] }), allow({ tools: ["look"] })] });
    const early = await approve((await run("call_1")).pendingApproval);
    for (const id of ["a", "b", "c", "d", "e"]) await run(id, [], "look");
    const asked = await run("call_1", [early]);
    expect(asked).toMatchObject({ status: "pending", error: { reason: "other_budgets" } });
    expect(asked.pendingApproval?.reason).toMatch(
      /^The policy asks for an approval\. The budget of 10 cost .*used up\.$/,
    );
    expect(effects).not.toContain("call_1");
    await run("call_1", [await approve(asked.pendingApproval)]);
    expect(effects).toContain("call_1");
  });

  test("asks again about a second budget that others have used up since", async () => {
    const second = budget({ id: "payments", tools: ["pay"], maxCalls: 2, atLimit: "ask" });
    const { run, approve, effects } = await desk({ more: [second] });
    await run("call_1");
    const pending = (await run("call_2")).pendingApproval;
    await run("call_3", [await approve((await run("call_3")).pendingApproval)]);
    const asked = await run("call_2", [await approve(pending)]);
    expect(asked.status).toBe("pending");
    expect(asked.pendingApproval?.budgets.map(({ requested }) => requested)).toEqual([6, 1]);
    await run("call_2", [await approve(asked.pendingApproval)]);
    expect(effects).toEqual(["call_1", "call_3", "call_2"]);
  });

  test("waits for the decision even if there is room again: a denial holds", async () => {
    const { run, deny, approve, pass, effects } = await desk();
    await run("call_1");
    const denied = (await run("call_2")).pendingApproval;
    const approved = (await run("call_3")).pendingApproval;
    pass(120_000);
    expect(await run("call_2")).toMatchObject({ status: "pending" });
    expect((await run("call_2", [await deny(denied)])).text).toContain("was not approved");
    expect(await run("call_2")).toMatchObject({ status: "not_run" });
    expect(await run("call_3", [await approve(approved)])).toMatchObject({ status: "succeeded" });
    expect(await run("call_4")).toMatchObject({ status: "pending" });
    expect(effects).toEqual(["call_1", "call_3"]);
  });

  test("holds a denial of the inbox, after a period too", async () => {
    const gate = approvals({ keys: [KEY], store: memoryApprovals() });
    const { run, deny, pass, effects } = await desk({ gate });
    await run("call_1");
    await deny((await run("call_2")).pendingApproval);
    pass(120_000);
    expect((await run("call_2")).text).toContain("was not approved");
    expect(effects).toEqual(["call_1"]);
  });

  test("ends as pending in a dry run, which counts and records nothing", async () => {
    const { run, pass, used } = await desk();
    expect((await run("call_1", [], "pay", true)).status).toBe("dry_run");
    await run("call_1");
    expect((await run("call_2", [], "pay", true)).status).toBe("pending");
    expect(await used()).toBe(6);
    pass(120_000);
    expect((await run("call_2")).status).toBe("succeeded");
  });

  test("isn't covered by a standing approval of calls within the limit", async () => {
    const gate = approvals({ keys: [KEY], store: memoryApprovals() });
    const { run, effects } = await desk({ gate, rules: [ask({ tools: ["pay"] })] });
    const request = (await run("call_1")).pendingApproval?.id ?? "";
    await gate.standing.approve(request, {
      approver: "ada",
      maxUses: 5,
      tools: ["pay"],
      when: { x: { present: false } },
    });
    expect((await run("call_1")).status).toBe("succeeded");
    const over = await run("call_2");
    expect(over.status).toBe("pending");
    await gate.standing.approve(over.pendingApproval?.id ?? "", { approver: "ada", maxUses: 2 });
    expect((await run("call_2")).status).toBe("succeeded");
    expect((await run("call_3")).status).toBe("succeeded");
    expect((await run("call_4")).status).toBe("pending");
    expect(effects).toEqual(["call_1", "call_2", "call_3"]);
  });

  test("isn't covered by a token whose limits were changed", async () => {
    const { run, approve, effects } = await desk();
    await run("call_1");
    const pending = (await run("call_2")).pendingApproval as PendingApproval;
    const budgets = pending.budgets.map(({ requested: _, ...one }) => one);
    const token = await approve({ ...pending, budgets });
    expect(await run("call_2", [token])).toMatchObject({ status: "pending", error: { reason: "other_budgets" } });
    expect(effects).toEqual(["call_1"]);
  });

  test("is denied by a custom policy that counts with the rules", async () => {
    const { guardrails } = await desk();
    const { digest, decide, count, peek } = guardrails;
    const look = tool({ name: "look", description: "", parameters: { type: "object" }, execute: () => 1 });
    const { tools } = await bench({
      tools: [look],
      policy: customPolicy({ digest, decide, count, peek }),
      approvals: approvals({ keys: [KEY] }),
      executions: memoryExecutions(),
    });
    const calls = Array.from({ length: 11 }, (_, index) => ({ callId: `${index}`, name: "look", arguments: {} }));
    const results = await tools.run(calls);
    expect(results.filter(({ status }) => status === "succeeded")).toHaveLength(10);
    expect(results.filter(({ status }) => status === "not_run")).toHaveLength(1);
  });
});

test("atLimit is deny or ask", () => {
  expect(() => policy([budget({ ...CENTS, atLimit: "wait" as never })])).toThrow(
    'rules[0].budget.atLimit must be "deny" or "ask"',
  );
});
