import { Redis } from "ioredis";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type IoRedisClient, type NodeRedisClient, redisStore } from "../../src/stores/redis.js";
import { type Claim, ConfigError, createReceiver, type DedupeStore } from "../../src/webhooks/index.js";
import { hasRedis, NEEDS_REDIS, type RedisServer, startRedis } from "./redis-server.js";
import { TRIGGER_V3 } from "./samples.js";
import { deliver, now, SECRET } from "./vectors.js";

const tokenOf = (claim: Claim) => (claim.status === "claimed" ? claim.token : "");
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.skipIf(!hasRedis)(`redisStore${NEEDS_REDIS}`, () => {
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

  /** A store, and a second one over the other package's client, with keys of their own. */
  const stores = (name: "redis" | "ioredis", options: { retentionMs?: number } = {}): [DedupeStore, DedupeStore] => {
    const prefix = `test:${crypto.randomUUID()}:`;
    const other = name === "redis" ? "ioredis" : "redis";
    return [
      redisStore({ client: clients[name], prefix, ...options }),
      redisStore({ client: clients[other], prefix, ...options }),
    ];
  };

  describe.each(["redis", "ioredis"] as const)("with a client of %s", (name) => {
    test("of many simultaneous claims over two connections one is granted", async () => {
      const pair = stores(name);
      for (let round = 0; round < 20; round++) {
        const claims = await Promise.all(
          Array.from({ length: 40 }, (_, index) => pair[index % 2 ? 1 : 0].claim(`${round}`, 5000)),
        );
        expect(claims.filter(({ status }) => status === "claimed")).toHaveLength(1);
        expect(claims.filter(({ status }) => status === "running")).toHaveLength(39);
      }
    });

    test("a released claim can be had again, a committed one never, by nobody", async () => {
      const [store, other] = stores(name);
      await store.release("a", tokenOf(await store.claim("a", 5000)));
      const token = tokenOf(await other.claim("a", 5000));
      expect(token).not.toBe("");
      expect(await other.commit("a", token)).toBe(true);
      await other.release("a", token);
      expect((await store.claim("a", 5000)).status).toBe("committed");
      expect((await other.claim("a", 5000)).status).toBe("committed");
    });

    test("a claim ends with its lease, and its old token can neither commit nor release the new holder's", async () => {
      const [store, other] = stores(name);
      const old = tokenOf(await store.claim("a", 15));
      expect((await other.claim("a", 5000)).status).toBe("running");
      await pause(25);
      const fresh = tokenOf(await other.claim("a", 5000));
      expect(fresh).not.toBe("");
      await store.release("a", old);
      expect(await store.commit("a", old)).toBe(false);
      expect(await other.commit("a", fresh)).toBe(true);
    });

    test("a run that outlived its lease still commits when nobody took over", async () => {
      const [store] = stores(name);
      const token = tokenOf(await store.claim("a", 5));
      await pause(15);
      expect(await store.commit("a", token)).toBe(true);
      expect((await store.claim("a", 5000)).status).toBe("committed");
    });

    test("renews a claim, also one whose lease has ended, unless another caller has it", async () => {
      const [store, other] = stores(name);
      const token = tokenOf(await store.claim("a", 15));
      expect(await store.renew("a", token, 5000)).toBe(true);
      await pause(25);
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

    test("commits again what the same claim has committed, and nothing of another", async () => {
      const [store, other] = stores(name);
      const token = tokenOf(await store.claim("a", 5000));
      expect([await store.commit("a", token), await store.commit("a", token)]).toEqual([true, true]);
      expect(await other.commit("a", "another")).toBe(false);
    });

    test("a committed delivery is forgotten after retentionMs", async () => {
      const [store] = stores(name, { retentionMs: 20 });
      await store.commit("a", tokenOf(await store.claim("a", 5000)));
      expect((await store.claim("a", 5000)).status).toBe("committed");
      await pause(35);
      expect((await store.claim("a", 5000)).status).toBe("claimed");
    });

    test("two receivers that share it run a delivery once", async () => {
      let runs = 0;
      const [first, second] = stores(name).map((store) =>
        createReceiver({
          secret: SECRET,
          now,
          store,
          on: { "svc.trigger.message": () => (runs += 1) },
          onUnknown: () => {},
        }),
      );
      const answers = await Promise.all(
        [first, second, first, second].map(async (receiver) => await receiver?.(deliver(TRIGGER_V3))),
      );
      expect(answers.every((response) => response?.status === 200 || response?.status === 503)).toBe(true);
      expect((await second?.(deliver(TRIGGER_V3)))?.status).toBe(200);
      expect(runs).toBe(1);
    });
  });

  test("a Redis that runs out of memory while a handler runs still renews and commits its claim", async () => {
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
      onUnknown: () => {},
    });
    try {
      expect(await (await receiver(deliver(TRIGGER_V3))).json()).toEqual({ result: "handled" });
    } finally {
      await server.client.configSet("maxmemory", "0");
    }
    expect(await (await receiver(deliver(TRIGGER_V3))).json()).toEqual({ result: "duplicate" });
    expect(runs).toBe(1);
  });

  test("a Redis that is gone is 503, not a second run and not a crash", async () => {
    const client = createClient({ socket: { path: server.path, reconnectStrategy: 20 } });
    await client.connect();
    const store = redisStore({ client });
    client.destroy();
    const receiver = createReceiver({ secret: SECRET, now, store, on: {}, onUnknown: () => {}, onError: () => {} });
    expect((await receiver(deliver(TRIGGER_V3))).status).toBe(503);
  });
});

test("a client that is none, or a retention that is no whole number above 0, is a ConfigError", () => {
  const client: NodeRedisClient = { eval: async () => 0 };
  expect(() => redisStore({ client: {} as NodeRedisClient })).toThrow(ConfigError);
  for (const retentionMs of [0, 1.5, Number.NaN])
    expect(() => redisStore({ client, retentionMs })).toThrow(ConfigError);
});
