import { Redis } from "ioredis";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type IoRedisClient, type NodeRedisClient, redisDeliveries } from "../../src/stores/redis.js";
import { type ClaimResult, ConfigError, createReceiver, type DedupeStore } from "../../src/webhooks/index.js";
import { hasRedis, NEEDS_REDIS, type RedisServer, startRedis } from "./redis-server.js";
import { TRIGGER_V3 } from "./samples.js";
import { deliver, now, SECRET } from "./vectors.js";

const tokenOf = (claim: ClaimResult) => (claim.status === "claimed" ? claim.token : "");
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.skipIf(!hasRedis)(`redisDeliveries${NEEDS_REDIS}`, () => {
  let server: RedisServer;
  let ioredis: Redis;
  let clients: Record<"redis" | "ioredis", NodeRedisClient | IoRedisClient>;

  beforeAll(async () => {
    server = await startRedis();
    ioredis = new Redis({ path: server.path });
    clients = { redis: server.client, ioredis };
  });
  afterAll(async () => {
    ioredis.disconnect();
    await server.stop();
  });

  /** Two stores that share keys: one with each package's client. */
  const stores = (name: "redis" | "ioredis", options: { retentionMs?: number } = {}): [DedupeStore, DedupeStore] => {
    const prefix = `test:${crypto.randomUUID()}:`;
    const other = name === "redis" ? "ioredis" : "redis";
    return [
      redisDeliveries({ client: clients[name], prefix, ...options }),
      redisDeliveries({ client: clients[other], prefix, ...options }),
    ];
  };

  describe.each(["redis", "ioredis"] as const)("with a client of %s", (name) => {
    test("grants one of many simultaneous claims over two connections", async () => {
      const pair = stores(name);
      for (let round = 0; round < 20; round++) {
        const claims = await Promise.all(
          Array.from({ length: 40 }, (_, index) => pair[index % 2 ? 1 : 0].claim(`${round}`, 5000)),
        );
        expect(claims.filter(({ status }) => status === "claimed")).toHaveLength(1);
        expect(claims.filter(({ status }) => status === "running")).toHaveLength(39);
      }
    });

    test("grants a released claim again, but never a committed one", async () => {
      const [store, other] = stores(name);
      await store.release("a", tokenOf(await store.claim("a", 5000)));
      const token = tokenOf(await other.claim("a", 5000));
      expect(token).not.toBe("");
      expect(await other.commit("a", token)).toBe(true);
      await other.release("a", token);
      expect((await store.claim("a", 5000)).status).toBe("committed");
      expect((await other.claim("a", 5000)).status).toBe("committed");
    });

    test("ends a claim with its lease, and its old token can neither commit nor release the new claim", async () => {
      const [store, other] = stores(name);
      const old = tokenOf(await store.claim("a", 250));
      expect((await other.claim("a", 5000)).status).toBe("running");
      await pause(300);
      const fresh = tokenOf(await other.claim("a", 5000));
      expect(fresh).not.toBe("");
      await store.release("a", old);
      expect(await store.commit("a", old)).toBe(false);
      expect(await other.commit("a", fresh)).toBe(true);
    });

    test("commits a claim whose lease has ended if no one else claimed it", async () => {
      const [store] = stores(name);
      const token = tokenOf(await store.claim("a", 5));
      await pause(15);
      expect(await store.commit("a", token)).toBe(true);
      expect((await store.claim("a", 5000)).status).toBe("committed");
    });

    test("renews a claim, also one whose lease has ended, unless another caller has it", async () => {
      const [store, other] = stores(name);
      const token = tokenOf(await store.claim("a", 250));
      expect(await store.renew("a", token, 5000)).toBe(true);
      await pause(300);
      expect((await other.claim("a", 15)).status).toBe("running");
      expect(await store.renew("a", token, 5)).toBe(true);
      await pause(15);
      expect(await store.renew("a", token, 5)).toBe(true);
      await pause(15);
      const fresh = tokenOf(await other.claim("a", 5000));
      expect(await store.renew("a", token, 5000)).toBe(false);
      expect(await other.commit("a", fresh)).toBe(true);
      expect(await other.renew("a", fresh, 5000)).toBe(false);
    });

    test("commits twice for the same claim, but not for another", async () => {
      const [store, other] = stores(name);
      const token = tokenOf(await store.claim("a", 5000));
      expect([await store.commit("a", token), await store.commit("a", token)]).toEqual([true, true]);
      expect(await other.commit("a", "another")).toBe(false);
    });

    test("forgets a committed delivery after retentionMs", async () => {
      const [store] = stores(name, { retentionMs: 250 });
      await store.commit("a", tokenOf(await store.claim("a", 5000)));
      expect((await store.claim("a", 5000)).status).toBe("committed");
      await pause(300);
      expect((await store.claim("a", 5000)).status).toBe("claimed");
    });

    test("runs a delivery once for two receivers that share it", async () => {
      let runs = 0;
      const [first, second] = stores(name).map((store) =>
        createReceiver({
          secret: SECRET,
          now,
          store,
          on: { "svc.trigger.message": () => (runs += 1) },
          onUnhandled: () => {},
        }),
      );
      const responses = await Promise.all(
        [first, second, first, second].map(async (receiver) => await receiver?.(deliver(TRIGGER_V3))),
      );
      expect(responses.every((response) => response?.status === 200 || response?.status === 503)).toBe(true);
      expect((await second?.(deliver(TRIGGER_V3)))?.status).toBe(200);
      expect(runs).toBe(1);
    });
  });

  test("renews and commits a running handler's claim if Redis runs out of memory", async () => {
    const [store] = stores("redis");
    let runs = 0;
    const receiver = createReceiver({
      secret: SECRET,
      now,
      store,
      on: {
        "svc.trigger.message": async ({ id }) => {
          runs += 1;
          await server.client.configSet("maxmemory", "1");
          await expect(store.claim(`${id}-other`, 5000)).rejects.toThrow("OOM");
        },
      },
      onUnhandled: () => {},
    });
    try {
      expect(await (await receiver(deliver(TRIGGER_V3))).json()).toEqual({ result: "handled" });
    } finally {
      await server.client.configSet("maxmemory", "0");
    }
    expect(await (await receiver(deliver(TRIGGER_V3))).json()).toEqual({ result: "duplicate" });
    expect(runs).toBe(1);
  });

  test("responds 503 if Redis is unreachable, without a run or a crash", async () => {
    const client = createClient({ socket: { path: server.path, reconnectStrategy: 20 } });
    await client.connect();
    const store = redisDeliveries({ client });
    client.destroy();
    const receiver = createReceiver({ secret: SECRET, now, store, on: {}, onUnhandled: () => {}, onError: () => {} });
    expect((await receiver(deliver(TRIGGER_V3))).status).toBe(503);
  });
});

test("throws a ConfigError for an invalid client, or a retentionMs that isn't an integer above 0", () => {
  const client: NodeRedisClient = { eval: async () => 0 };
  expect(() => redisDeliveries({ client: {} as NodeRedisClient })).toThrow(ConfigError);
  for (const retentionMs of [0, 1.5, Number.NaN])
    expect(() => redisDeliveries({ client, retentionMs })).toThrow(ConfigError);
});
