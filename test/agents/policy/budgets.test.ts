import { describe, expect, test } from "vitest";
import type { Execution } from "../../../src/agents/agent-tool.js";
import {
  allow,
  type Budget,
  type BudgetStore,
  budget,
  type Charge,
  memoryBudgets,
  policy,
  type Rule,
} from "../../../src/agents/policy-entry.js";
import { ConfigError } from "../../../src/index.js";
import { redisBudgets } from "../../../src/stores/redis.js";
import { rejection } from "../../support/client.js";
import { hasRedis, NEEDS_REDIS, redisWithClients } from "../../webhooks/redis-server.js";

const charge = (key: string, amount: number, limit: number, windowMs?: number): Charge => ({
  key,
  amount,
  limit,
  windowMs,
});

/** The contract of every store of budgets. */
function describeStore(storesOf: () => readonly [BudgetStore, BudgetStore]): void {
  test("counts until the limit, and then nothing", async () => {
    const [store, other] = storesOf();
    expect(await store.consume([charge("a", 2, 5)])).toBeUndefined();
    expect(await other.consume([charge("a", 3, 5, undefined)])).toBeUndefined();
    expect(await store.consume([charge("a", 1, 5)])).toBe(0);
    expect(await store.consume([charge("a", 0, 5)])).toBeUndefined();
    expect(await store.consume([charge("b", 1, 5)])).toBeUndefined();
  });

  test("counts all charges or none", async () => {
    const [store] = storesOf();
    await store.consume([charge("full", 1, 1, 60_000)]);
    expect(await store.consume([charge("a", 1, 1, 60_000), charge("full", 1, 1, 60_000), charge("b", 9, 1)])).toBe(1);
    expect(await store.consume([charge("a", 1, 1, 60_000)])).toBeUndefined();
  });

  test("never exceeds a limit, whatever is counted at the same time", async () => {
    const [store, other] = storesOf();
    const takes = Array.from({ length: 60 }, async (_, index) =>
      [store, other][index % 2]?.consume([charge("a", 1, 25, 60_000), charge("b", 2, 40)]),
    );
    const taken = await Promise.all(takes);
    expect(taken.filter((exceeded) => exceeded === undefined)).toHaveLength(20);
    expect(taken.filter((exceeded) => exceeded === 1)).toHaveLength(40);
  });

  test("denies an amount above the limit", async () => {
    const [store] = storesOf();
    expect(await store.consume([charge("a", 6, 5, 1_000)])).toBe(0);
    expect(await store.consume([charge("a", 5, 5, 1_000)])).toBeUndefined();
  });
}

describe("memoryBudgets", () => {
  describeStore(() => {
    const store = memoryBudgets();
    return [store, store];
  });

  test("keeps what was counted for the whole period, and hardly longer", async () => {
    let now = 999;
    const store = memoryBudgets({ now: () => now });
    const take = (amount: number) => store.consume([charge("a", amount, 10, 60_000)]);
    expect(await take(6)).toBeUndefined();
    now = 30_000;
    expect(await take(5)).toBe(0);
    expect(await take(4)).toBeUndefined();
    now = 60_998;
    expect(await take(1)).toBe(0);
    now = 61_000;
    expect(await take(6)).toBeUndefined();
    expect(await take(1)).toBe(0);
    now = 90_999;
    expect(await take(1)).toBe(0);
    now = 91_000;
    expect(await take(4)).toBeUndefined();
    expect(await take(1)).toBe(0);
  });

  test("counts a call until its period has ended", async () => {
    let now = 0;
    const store = memoryBudgets({ now: () => now });
    const take = () => store.consume([charge("a", 1, 2, 60_000)]);
    await take();
    now = 59_999;
    expect(await store.consume([charge("a", 2, 2, 60_000)])).toBe(0);
    now = 60_000;
    expect(await take()).toBeUndefined();
    now = 60_999;
    // The first was counted in the step that ends at 1,000, so it counts until 61,000.
    expect(await take()).toBe(0);
    now = 61_000;
    expect(await take()).toBeUndefined();
  });

  test("never lets more than the limit through in any period, whenever calls are made", async () => {
    let now = 0;
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (const windowMs of [1_000, 1_001, 9_999, 59_999]) {
      const store = memoryBudgets({ now: () => now });
      const taken: number[] = [];
      for (let index = 0; index < 400; index += 1) {
        now += random(Math.max(2, windowMs / 4));
        if ((await store.consume([charge("a", 1, 5, windowMs)])) === undefined) taken.push(now);
      }
      // The sixth after a call is at least a whole period later.
      expect(taken.slice(5).every((time, index) => time - (taken[index] ?? 0) >= windowMs)).toBe(true);
      expect(taken.length).toBeGreaterThan(20);
    }
  });

  test("forgets nothing of a budget without a period", async () => {
    let now = 0;
    const store = memoryBudgets({ now: () => now });
    await store.consume([charge("a", 1, 1)]);
    now = 1e15;
    await store.consume([charge("b", 1, 1, 1_000)]);
    expect(await store.consume([charge("a", 1, 1)])).toBe(0);
  });

  test("doesn't lose what was counted to the end of another key's period", async () => {
    let now = 0;
    const store = memoryBudgets({ now: () => now });
    await store.consume([charge("long", 1, 1, 600_000)]);
    await store.consume([charge("short", 1, 1, 60)]);
    now = 500_000;
    expect(await store.consume([charge("short", 1, 1, 60)])).toBeUndefined();
    expect(await store.consume([charge("long", 1, 1, 600_000)])).toBe(0);
  });
});

describe.skipIf(!hasRedis)(`redisBudgets${NEEDS_REDIS}`, () => {
  const redis = redisWithClients();

  describeStore(() => {
    const prefix = `{${crypto.randomUUID()}}:`;
    return [redisBudgets({ client: redis.server.client, prefix }), redisBudgets({ client: redis.ioredis, prefix })];
  });

  test("keeps a key until its period is over, and one without a period", async () => {
    const prefix = `{${crypto.randomUUID()}}:`;
    const store = redisBudgets({ client: redis.ioredis, prefix });
    await store.consume([charge("timed", 1, 2, 60_000), charge("forever", 1, 2)]);
    expect(await redis.ioredis.pttl(`${prefix}timed`)).toBeGreaterThan(60_000);
    expect(await redis.ioredis.pttl(`${prefix}timed`)).toBeLessThanOrEqual(61_000);
    expect(await redis.ioredis.pttl(`${prefix}forever`)).toBe(-1);
  });

  test("counts what is older than the period no more, and removes it", async () => {
    const prefix = `{${crypto.randomUUID()}}:`;
    const store = redisBudgets({ client: redis.ioredis, prefix });
    const step = Math.floor(Date.now() / 1_000);
    await redis.ioredis.hset(`${prefix}a`, { [step - 62]: 5, [step - 58]: 3 });
    expect(await store.consume([charge("a", 3, 5, 60_000)])).toBe(0);
    expect(await store.consume([charge("a", 2, 5, 60_000)])).toBeUndefined();
    const left = Object.values(await redis.ioredis.hgetall(`${prefix}a`));
    expect(left.sort()).toEqual(["2", "3"]);
  });

  test("rejects a client of another package, and a reply that isn't Redis'", async () => {
    expect(() => redisBudgets({ client: {} as never })).toThrow(ConfigError);
    const store = redisBudgets({ client: { eval: async () => "OK" } });
    expect(await rejection(store.consume([charge("a", 1, 1)]))).toBeInstanceOf(TypeError);
  });
});

describe("a budget", () => {
  const execution = (name: string, facts: Partial<Execution["tool"]> = {}, args = {}): Execution => ({
    callId: "1",
    tool: {
      ...{ name, description: "", parameters: {}, tags: [], kind: "service", toolkit: "t", version: "20250101_00" },
      ...facts,
    },
    arguments: args,
    requested: args,
    userId: "ada",
    accountId: undefined,
    inner: [],
  });
  const counter = (limits: Budget, others: readonly Rule[] = []) => {
    const made = policy([allow({}), budget(limits), ...others]);
    return (executions: readonly Execution[], principal = "ada", conversationId?: string) =>
      made.count(executions, { principal, conversationId });
  };
  const [one, two] = [execution("ONE"), execution("TWO")];

  test("limits calls, and says which budget is used up", async () => {
    const count = counter({ maxCalls: 2, windowMs: 60_000 });
    expect(await count([one])).toEqual({ outcome: "allow" });
    expect(await count([two])).toEqual({ outcome: "allow" });
    expect(await count([one])).toEqual({
      outcome: "deny",
      rule: "rules[1]",
      reason: "The budget of 2 calls within 60 seconds is used up.",
    });
  });

  test("limits calls of each tool", async () => {
    const count = counter({ maxCallsPerTool: 1, name: "each" });
    expect(await count([one, two])).toEqual({ outcome: "allow" });
    const reason = "The budget of 1 call of TWO is used up.";
    expect(await count([two])).toEqual({ outcome: "deny", rule: "each", reason });
    expect(await counter({ maxCallsPerTool: 1 })([one, one])).toMatchObject({ outcome: "deny" });
    expect(await counter({ maxCallsPerTool: 2 })([one, one])).toMatchObject({ outcome: "allow" });
  });

  test("limits bytes of arguments, in UTF-8", async () => {
    // {"x":"é"} has 10 bytes.
    const text = execution("ONE", {}, { x: "é" });
    expect(await counter({ maxArgumentBytes: 9 })([text])).toMatchObject({
      outcome: "deny",
      reason: "The budget of 9 bytes is used up.",
    });
    const count = counter({ maxArgumentBytes: 20 });
    expect(await count([text, text])).toMatchObject({ outcome: "allow" });
    expect(await count([one])).toMatchObject({ outcome: "deny" });
  });

  test("counts several calls in one step: all or none", async () => {
    const count = counter({ maxCalls: 3 });
    expect(await count([one, one])).toMatchObject({ outcome: "allow" });
    expect(await count([one, two])).toMatchObject({ outcome: "deny" });
    expect(await count([two])).toMatchObject({ outcome: "allow" });
  });

  test("counts together with the other budgets, and names the exhausted one", async () => {
    const count = counter({ maxCalls: 9, maxCallsPerTool: 2 }, [budget({ maxCalls: 3, name: "short" })]);
    expect(await count([one, one])).toMatchObject({ outcome: "allow" });
    expect(await count([one])).toMatchObject({ outcome: "deny", rule: "rules[1]" });
    expect(await count([two])).toMatchObject({ outcome: "allow" });
    expect(await count([two])).toMatchObject({ outcome: "deny", rule: "short" });
  });

  test("applies to the tools that it names", async () => {
    const count = counter({ maxCalls: 1, tools: ["O*"] });
    expect(await count([one])).toMatchObject({ outcome: "allow" });
    expect(await count([two])).toMatchObject({ outcome: "allow" });
    expect(await count([two, one])).toMatchObject({ outcome: "deny" });
    const tagged = counter({ maxCalls: 1, tags: ["a"], toolkits: ["t"] });
    await tagged([execution("X", { tags: ["a"], toolkit: "other" }), execution("X", { tags: ["b"] })]);
    expect(await tagged([execution("X", { tags: ["a"] })])).toMatchObject({ outcome: "allow" });
    expect(await tagged([execution("Y", { tags: ["a"] })])).toMatchObject({ outcome: "deny" });
  });

  test.each<[Budget["per"], string, string | undefined, string]>([
    [undefined, "bob", "x", "allow"],
    [undefined, "ada", "y", "deny"],
    ["user", "bob", "x", "allow"],
    ["user", "ada", "y", "deny"],
    ["conversation", "ada", "y", "allow"],
    ["conversation", "ada", undefined, "allow"],
    ["conversation", "bob", "x", "allow"],
    ["conversation", "ada", "x", "deny"],
    ["all", "bob", "y", "deny"],
  ])("per %s: after a call of ada in x, one of %s in %s has the outcome %s", async (per, principal, scope, outcome) => {
    const count = counter({ maxCalls: 1, per });
    await count([one], "ada", "x");
    expect(await count([one], principal, scope)).toMatchObject({ outcome });
  });

  test("goes on with its count after a change, and is shared by its id or name", async () => {
    const budgets = memoryBudgets();
    const count = (limits: Budget, ...others: Rule[]) =>
      policy([...others, budget(limits)], { budgets }).count([one], { principal: "ada", conversationId: undefined });
    await count({ id: "a", maxCalls: 2 });
    await count({ id: "a", maxCalls: 2, name: "renamed" });
    expect(await count({ id: "a", maxCalls: 2, tools: ["ONE"] })).toMatchObject({ outcome: "deny" });
    expect(await count({ id: "a", maxCalls: 3 }, allow({}))).toMatchObject({ outcome: "allow" });
    expect(await count({ id: "a", maxCalls: 3 })).toMatchObject({ outcome: "deny" });
    expect(await count({ name: "a", maxCalls: 3 })).toMatchObject({ outcome: "deny" });
    // The amount of another period, or of others, isn't known.
    expect(await count({ id: "a", maxCalls: 3, windowMs: 5_000 })).toMatchObject({ outcome: "allow" });
    expect(await count({ id: "a", maxCalls: 3, per: "conversation" })).toMatchObject({ outcome: "allow" });
    expect(await count({ id: "b", maxCalls: 3 })).toMatchObject({ outcome: "allow" });
  });

  test("without an id and a name is shared by equal policies only, whatever its limits", async () => {
    const budgets = memoryBudgets();
    const count = (rules: readonly Rule[], store?: BudgetStore) =>
      policy(rules, { budgets: store }).count([one], { principal: "ada", conversationId: undefined });
    const rules = [allow({ tools: ["ONE"] }), budget({ maxCalls: 1 })];
    await count(rules, budgets);
    expect(await count([...rules], budgets)).toMatchObject({ outcome: "deny" });
    expect(await count([allow({ tools: ["TWO"] }), budget({ maxCalls: 1 })], budgets)).toMatchObject({
      outcome: "allow",
    });
    expect(await count(rules)).toMatchObject({ outcome: "allow" });
  });

  test.each<[Budget, readonly (readonly [string, number, number])[]]>([
    [{ maxCalls: 9 }, [['null,"user","calls","ada"', 2, 9]]],
    [{ maxArgumentBytes: 9, windowMs: 2_000 }, [['2000,"user","bytes","ada"', 4, 9]]],
    [{ maxCalls: 8, per: "all" }, [['null,"all","calls"', 2, 8]]],
    [{ maxCalls: 8, per: "conversation" }, [['null,"conversation","calls","ada",""', 2, 8]]],
    [
      { maxCallsPerTool: 5 },
      [
        ['null,"user","tool","ONE","ada"', 1, 5],
        ['null,"user","tool","TWO","ada"', 1, 5],
      ],
    ],
  ])("is counted under its keys: %j", async (limits, expected) => {
    const taken: Charge[] = [];
    const store: BudgetStore = {
      read: async () => 0,
      consume: async (charges) => {
        taken.push(...charges);
        return undefined;
      },
    };
    await policy([budget(limits)], { budgets: store }).count([one, two], {
      principal: "ada",
      conversationId: undefined,
    });
    const { windowMs } = limits;
    expect(taken).toEqual(
      expected.map(([key, amount, limit]) => {
        return {
          key: expect.stringMatching(new RegExp(`^\\[\\["[0-9a-f]{64}","rules\\[0\\]"\\],${key}\\]$`)),
          amount,
          limit,
          windowMs,
        };
      }),
    );
  });

  test("asks no store if it has nothing to count", async () => {
    const store: BudgetStore = { consume: () => Promise.reject(new Error("asked")), read: async () => 0 };
    const none = policy([allow({}), budget({ maxCalls: 1, tools: ["OTHER"] })], { budgets: store });
    expect(await none.count([one], { principal: "ada", conversationId: undefined })).toEqual({ outcome: "allow" });
  });

  test("rejects if its store fails", async () => {
    const store: BudgetStore = { consume: () => Promise.reject(new Error("down")), read: async () => 0 };
    const made = policy([budget({ maxCalls: 1 })], { budgets: store });
    expect(await rejection(made.count([one], { principal: "ada", conversationId: undefined }))).toMatchObject({
      message: "down",
    });
  });

  test("is rejected if another one of the policy has its id, under which both would count", () => {
    expect(() => policy([budget({ id: "a", maxCalls: 1 }), budget({ name: "a", maxCalls: 2 })])).toThrow(
      'policy: the budget a has the id "a" of another one. Give each its own id or name.',
    );
    expect(() => policy([budget({ id: "a", maxCalls: 1 }), budget({ id: "b", maxCalls: 1 })])).not.toThrow();
    expect(() => policy([budget({ maxCalls: 1 }), budget({ maxCalls: 1 })])).not.toThrow();
  });

  test("allows nothing by itself", () => {
    const { outcome, trace } = policy([budget({ maxCalls: 1 })]).explain(one);
    expect({ outcome, trace }).toEqual({ outcome: "deny", trace: [] });
  });
});
