import { describe, expect, test } from "vitest";
import type { Execution } from "../../../src/agents/agent-tool.js";
import { allow, type BudgetStore, budget, memoryBudgets, policy } from "../../../src/agents/policy-entry.js";
import { ConfigError } from "../../../src/index.js";
import { rejection } from "../../support/client.js";

const execution = (name: string): Execution => ({
  callId: "1",
  tool: { name, description: "", parameters: {}, tags: [], kind: "service", toolkit: "t", version: "20250101_00" },
  arguments: {},
  requested: {},
  userId: "ada",
  accountId: undefined,
  inner: [],
});
const [one, two] = [execution("ONE"), execution("TWO")];

describe("a budget of costs", () => {
  const costly = (costs: Readonly<Record<string, number>>) =>
    policy([allow({}), budget({ id: "cents", maxCost: 10, costs, windowMs: 60_000 })]);
  const subject = { principal: "ada", conversationId: undefined };

  test("counts what calls cost, by the highest cost that fits, and stops at the limit", async () => {
    const made = costly({ ONE: 3, "O*": 1, "*": 2 });
    expect(await made.count([one, two], subject)).toEqual({ outcome: "allow" });
    expect(await made.budgets.read({ id: "cents", userId: "ada" })).toEqual([
      { unit: "cost", tool: undefined, limit: 10, used: 5, left: 5, windowMs: 60_000 },
    ]);
    expect(await made.count([one], subject)).toEqual({ outcome: "allow" });
    const reason = expect.stringContaining("The budget of 10 cost within 60 seconds");
    expect(await made.count([one], subject)).toEqual({ outcome: "deny", reason, rule: "rules[1]" });
    expect(await made.count([two], subject)).toEqual({ outcome: "allow" });
  });

  test("denies a call whose cost isn't known, and counts nothing", async () => {
    const made = costly({ ONE: 0 });
    const reason = "TWO has no cost in a budget.";
    expect(await made.count([one, two], subject)).toEqual({ outcome: "deny", reason, rule: "rules[1]" });
    expect(await made.count([one], subject)).toEqual({ outcome: "allow" });
    expect(await made.budgets.read({ id: "cents", userId: "ada" })).toMatchObject([{ used: 0 }]);
  });

  test("isn't asked about the tools of other budgets", async () => {
    const made = policy([
      allow({}),
      budget({ tools: ["ONE"], maxCost: 1, costs: { ONE: 1 } }),
      budget({ maxCalls: 9 }),
    ]);
    expect(await made.count([two], subject)).toEqual({ outcome: "allow" });
  });

  test.each<[object, string]>([
    [{ maxCost: 1 }, "rules[0].budget needs maxCost and costs together"],
    [{ maxCalls: 1, costs: { ONE: 1 } }, "rules[0].budget needs maxCost and costs together"],
    [{ maxCost: 1, costs: {} }, "rules[0].budget.costs must be an object with costs by tool or pattern"],
    [{ maxCost: 1, costs: { ONE: -1 } }, 'rules[0].budget.costs["ONE"] must be an integer of at least 0'],
    [{ maxCost: 1, costs: { ONE: 0.5 } }, 'rules[0].budget.costs["ONE"] must be an integer of at least 0'],
    [{ maxCost: 1, costs: undefined }, "costs"],
    [{ maxCost: 1, costs: new Map([["ONE", 1]]) }, "rules[0].budget.costs must be"],
  ])("rejects %j", (limits, message) => {
    expect(() => policy([budget(limits)])).toThrow(ConfigError);
    expect(() => policy([budget(limits)])).toThrow(message);
  });
});

describe("a budget can be read by its id", () => {
  const guarded = (store?: BudgetStore) =>
    policy(
      [
        allow({}),
        budget({ id: "calls", maxCalls: 5, maxCallsPerTool: 3, windowMs: 60_000 }),
        budget({ name: "bytes", maxArgumentBytes: 9, per: "conversation" }),
        budget({ id: "all", maxCalls: 9, per: "all" }),
        budget({ maxCalls: 99 }),
      ],
      { budgets: store },
    );

  test("with what is used and left, and counts nothing", async () => {
    const made = guarded();
    await made.count([one, one, two], { principal: "ada", conversationId: "x" });
    await made.count([one], { principal: "bob", conversationId: "x" });
    for (let repeated = 0; repeated < 3; repeated++) {
      expect(await made.budgets.read({ id: "calls", userId: "ada", tools: ["ONE", "THREE"] })).toEqual([
        { unit: "calls", tool: undefined, limit: 5, used: 3, left: 2, windowMs: 60_000 },
        { unit: "calls of a tool", tool: "ONE", limit: 3, used: 2, left: 1, windowMs: 60_000 },
        { unit: "calls of a tool", tool: "THREE", limit: 3, used: 0, left: 3, windowMs: 60_000 },
      ]);
    }
    const bytes = { unit: "bytes", tool: undefined, limit: 9, windowMs: undefined };
    const inX = { id: "bytes", userId: "ada", conversationId: "x" };
    expect(await made.budgets.read(inX)).toEqual([{ ...bytes, used: 6, left: 3 }]);
    expect(await made.budgets.read({ id: "bytes", userId: "ada" })).toEqual([{ ...bytes, used: 0, left: 9 }]);
    expect(await made.budgets.read({ id: "all" })).toMatchObject([{ used: 4, left: 5 }]);
  });

  test("after a limit was lowered, with nothing left", async () => {
    const budgets = memoryBudgets();
    const subject = { principal: "ada", conversationId: undefined };
    await policy([budget({ id: "a", maxCalls: 5 })], { budgets }).count([one, one, one], subject);
    const lowered = policy([budget({ id: "a", maxCalls: 2 })], { budgets });
    expect(await lowered.budgets.read({ id: "a", userId: "ada" })).toMatchObject([{ used: 3, left: 0 }]);
  });

  test.each<[object, string]>([
    [{ id: "cals", userId: "ada" }, 'no budget has the id "cals". Did you mean calls?'],
    [{ id: "calls" }, 'the budget "calls" counts each user. Pass userId.'],
    [{ id: "calls", user: "ada" }, "user"],
    [{ userId: "ada" }, "id"],
  ])("unless it can't be told: %j", async (query, message) => {
    // What a JavaScript program may pass.
    const error = await rejection(guarded().budgets.read(query as { id: string }));
    expect(error).toBeInstanceOf(ConfigError);
    expect(Object(error).message).toContain(message);
  });

  test.each([undefined, null, "3", -1, Number.NaN])("unless its store answers %j", async (odd) => {
    // @ts-expect-error: not what the interface says.
    const store: BudgetStore = { consume: async () => undefined, read: async () => odd };
    expect(await rejection(guarded(store).budgets.read({ id: "all" }))).toBeInstanceOf(TypeError);
  });
});
