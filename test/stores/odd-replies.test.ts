import { describe, expect, test } from "vitest";
import { allow, type BudgetStore, budget, policy } from "../../src/agents/policy-entry.js";
import { Svc } from "../../src/index.js";
import { type RateLimitStore, sharedRateLimit } from "../../src/stores/index.js";
import {
  postgresApprovals,
  postgresBudgets,
  postgresDeliveries,
  postgresExecutions,
  postgresRateLimitStore,
} from "../../src/stores/postgres.js";
import {
  type NodeRedisClient,
  redisApprovals,
  redisBudgets,
  redisDeliveries,
  redisExecutions,
  redisRateLimit,
} from "../../src/stores/redis.js";
import { createReceiver, type DedupeStore, memoryDeliveries } from "../../src/webhooks/index.js";
import { bench, CREATE_ISSUE, ISSUE } from "../agents/support.js";
import { hasRedis, NEEDS_REDIS, redisWithClients } from "../webhooks/redis-server.js";
import { TRIGGER_V3 } from "../webhooks/samples.js";
import { deliver, now, SECRET } from "../webhooks/vectors.js";

const OWNERS = { userId: null, conversationId: null };
const RECORD = { id: "a", state: "pending", ...OWNERS, position: "1 a", ttlMs: 1_000, value: "w" };
const QUERY = { state: "pending", ...OWNERS, before: null, limit: 5 };

/** A client whose server gives every script the same reply. */
const replying = (reply: unknown): NodeRedisClient => ({ eval: async () => reply });
const ODD = [undefined, false, true, "", "OK", {}, [], ["a"], [1, null], [null, null], -2, 3, 0.5, "1e0", Number.NaN];

describe.each(ODD.map((reply) => ({ reply })))("a Redis client that replies $reply", ({ reply }) => {
  const client = replying(reply);
  const charge = { key: "a", amount: 1, limit: 2, windowMs: undefined };

  test.each([
    ["executions.find", () => redisExecutions({ client }).find("a")],
    ["executions.start", () => redisExecutions({ client }).start("a", "s")],
    ["executions.finish", () => redisExecutions({ client }).finish("a", "s", "r")],
    ["budgets.consume", () => redisBudgets({ client }).consume([charge])],
    ["approvals.find", () => redisApprovals({ client }).find("a")],
    ["approvals.swap", () => redisApprovals({ client }).swap(RECORD, "v")],
    ["approvals.list", () => redisApprovals({ client }).list(QUERY)],
    ["store.claim", () => redisDeliveries({ client }).claim("a", 1_000)],
    ["store.renew", () => redisDeliveries({ client }).renew("a", "t", 1_000)],
    ["store.commit", () => redisDeliveries({ client }).commit("a", "t")],
    ["store.release", () => redisDeliveries({ client }).release("a", "t")],
  ])("makes %s fail", async (method, request) => {
    // Approvals verify every value.
    const isValue = method === "approvals.find" && typeof reply === "string";
    const isEmpty = method === "approvals.list" && Array.isArray(reply) && reply.length === 0;
    if (isValue || isEmpty) return;
    await expect(request()).rejects.toThrow(/didn't reply as Redis does/);
  });

  test("makes a shared rate limit fail, and calls go on without it", async () => {
    const reports: string[] = [];
    const limit = redisRateLimit({ client, onOutage: (problem) => reports.push(problem) });
    const svc = new Svc({
      baseUrl: "https://service.test",
      apiKey: "k",
      sharedRateLimit: limit,
      fetch: async () => Response.json({ items: [] }),
    });
    await svc.toolkits.list();
    expect(reports).toEqual([expect.stringContaining("TypeError")]);
  });
});

const ODD_ROWS = [
  [],
  [null],
  [[]],
  [{}],
  [{ done: 1, committed: false, exceeded: "0", value: 1, now: 1, stamp: 1, result: null }],
  [{ done: "true", committed: true, exceeded: 1, value: null, now: "1", stamp: null, result: "r" }],
  [{ done: false, exceeded: 0.5, value: null, now: Number.NaN, stamp: "s", result: 1 }],
  [{ exceeded: -1, committed: true, value: "v", stamp: undefined, result: null }],
  [{ done: true, committed: true, exceeded: 0, value: null, now: 1, stamp: "s", result: null }, {}],
].map((rows) => ({ rows }));
const ODD_REPLIES = [undefined, null, 1, "SELECT 1", {}, { rows: {} }, ...ODD_ROWS, ODD_ROWS[3]?.rows];

describe.each(ODD_REPLIES.map((reply) => ({ reply })))("a PostgreSQL client that replies $reply", ({ reply }) => {
  const client = { query: async () => reply };

  test.each([
    ["executions.find", () => postgresExecutions({ client }).find("a")],
    ["executions.start", () => postgresExecutions({ client }).start("a", "s")],
    ["executions.finish", () => postgresExecutions({ client }).finish("a", "s", "r")],
    ["budgets.consume", () => postgresBudgets({ client }).consume([{ key: "a", amount: 1, limit: 2, windowMs: 5 }])],
    ["approvals.find", () => postgresApprovals({ client }).find("a")],
    ["approvals.swap", () => postgresApprovals({ client }).swap(RECORD, "v")],
    ["approvals.list", () => postgresApprovals({ client }).list(QUERY)],
    ["store.claim", () => postgresDeliveries({ client }).claim("a", 1_000)],
    ["store.renew", () => postgresDeliveries({ client }).renew("a", "t", 1_000)],
    ["store.commit", () => postgresDeliveries({ client }).commit("a", "t")],
    ["store.release", () => postgresDeliveries({ client }).release("a", "t")],
    ["rateLimit.read", () => postgresRateLimitStore({ client }).read()],
    ["rateLimit.compareAndSwap", () => postgresRateLimitStore({ client }).compareAndSwap("a", "b", 1_000)],
  ])("makes %s fail", async (method, request) => {
    const isFine = Object(reply).rows?.length === 1 && typeof Object(reply).rows[0]?.done === "boolean";
    // These need only `done`, or a value, which approvals verify.
    if (isFine && /finish|renew|commit|release|swap/i.test(method)) return;
    const { value } = Object(Object(reply).rows?.length === 1 && Object(reply).rows[0]);
    if (method === "approvals.find" && (typeof value === "string" || value === null)) return;
    await expect(request()).rejects.toThrow(/didn't reply as PostgreSQL does/);
  });
});

describe("a custom store that returns something else", () => {
  test.each([undefined, null, {}, { status: "locked" }, { status: "claimed" }, "claimed"])(
    "to a claim, %j: the handler doesn't run",
    async (odd) => {
      // @ts-expect-error: not what the interface says.
      const store: DedupeStore = { ...memoryDeliveries(), claim: async () => odd };
      let runs = 0;
      const errors: unknown[] = [];
      const receiver = createReceiver({
        secret: SECRET,
        now,
        store,
        on: {},
        onUnhandled: () => (runs += 1),
        onError: (error) => errors.push(error),
      });
      expect((await receiver(deliver(TRIGGER_V3))).status).toBe(503);
      expect([runs, errors.length]).toEqual([0, 1]);
    },
  );

  test("to a claim, nothing, and no promise of it: the handler doesn't run, and the error names the method", async () => {
    // @ts-expect-error: not what the interface says.
    const store: DedupeStore = { ...memoryDeliveries(), claim: () => undefined };
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const receiver = createReceiver({ secret: SECRET, now, store, on: {}, onUnhandled: () => undefined, onError });
    expect((await receiver(deliver(TRIGGER_V3))).status).toBe(503);
    expect(errors).toMatchObject([{ message: expect.stringContaining("The store's claim() returned something") }]);
  });

  test.each([undefined, null, {}, { now: "0" }, { now: Number.NaN }, { value: 7, now: 0 }, { value: "x", now: -1 }])(
    "to a read, %j: the store counts as failed",
    async (odd) => {
      // @ts-expect-error: not what the interface says.
      const store: RateLimitStore = { read: async () => odd, compareAndSwap: async () => true };
      const reports: string[] = [];
      const limit = sharedRateLimit(store, { onOutage: (problem) => reports.push(problem) });
      const fetch = async () => Response.json({ items: [] });
      const svc = new Svc({ baseUrl: "https://service.test", apiKey: "k", sharedRateLimit: limit, fetch });
      await svc.toolkits.list();
      expect(reports).toEqual([expect.stringContaining("the shared store failed")]);
    },
  );

  test.concurrent.each([undefined, null, 1, "OK"])("to a commit, %j: the event isn't acknowledged", async (odd) => {
    // @ts-expect-error: not what the interface says.
    const store: DedupeStore = { ...memoryDeliveries(), commit: async () => odd };
    const errors: unknown[] = [];
    const receiver = createReceiver({
      secret: SECRET,
      now,
      store,
      handlerTimeoutMs: 40,
      on: {},
      onUnhandled: () => undefined,
      onError: (error) => errors.push(error),
    });
    expect((await receiver(deliver(TRIGGER_V3))).status).toBe(503);
    expect(errors).toHaveLength(1);
  });

  test.each([null, "", 7, -1, true])("to charges, %j: nothing runs", async (odd) => {
    // @ts-expect-error: not what the interface says.
    const budgets: BudgetStore = { consume: async () => odd, read: async () => 0 };
    const { tools, executions } = await bench({ policy: policy([allow({}), budget({ maxCalls: 3 })], { budgets }) });
    const [result] = await tools.run([{ callId: "1", name: CREATE_ISSUE, arguments: ISSUE }]);
    expect(result).toMatchObject({ status: "not_run", error: expect.any(TypeError) });
    expect(executions()).toBe(0);
  });

  test.each([undefined, null, 1, "OK"])("to a swap, %j: the store counts as failed", async (odd) => {
    // @ts-expect-error: not what the interface says.
    const store: RateLimitStore = { read: async () => ({ value: undefined, now: 0 }), compareAndSwap: async () => odd };
    const reports: string[] = [];
    const limit = sharedRateLimit(store, { onOutage: (problem) => reports.push(problem) });
    const svc = new Svc({
      baseUrl: "https://service.test",
      apiKey: "k",
      sharedRateLimit: limit,
      fetch: async () => Response.json({ items: [] }),
    });
    await svc.toolkits.list();
    expect(reports).toEqual([expect.stringContaining("TypeError")]);
  });
});

describe.skipIf(!hasRedis)(
  `a Redis client that sends a script again, because its connection was lost${NEEDS_REDIS}`,
  () => {
    const redis = redisWithClients();

    test("starts a call and claims a delivery once, and tells the sender so", async () => {
      const client: NodeRedisClient = {
        eval: async (...args) => {
          await redis.server.client.eval(...args);
          return redis.server.client.eval(...args);
        },
      };
      const { tools, executions } = await bench({
        executions: redisExecutions({ client, prefix: `${Math.random()}` }),
      });
      const call = { callId: "1", name: CREATE_ISSUE, arguments: ISSUE };
      expect(await tools.run([call])).toMatchObject([{ status: "succeeded", isReplay: false }]);
      expect(await tools.run([call])).toMatchObject([{ status: "succeeded", isReplay: true }]);
      expect(executions()).toBe(1);
      const store = redisDeliveries({ client, prefix: `${Math.random()}` });
      expect(await store.claim("a", 5_000)).toMatchObject({ status: "claimed" });
      expect(await store.claim("a", 5_000)).toEqual({ status: "running" });
    });
  },
);
