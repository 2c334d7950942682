import { describe, expect, test } from "vitest";
import { allow, type BudgetStore, budget, memoryBudgets, policy } from "../../../src/agents/policy.js";
import type { Execution } from "../../../src/agents/tool.js";
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
