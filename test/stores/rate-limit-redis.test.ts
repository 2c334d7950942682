import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { build } from "esbuild";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEmulator } from "../../src/emulator/node.js";
import { ConfigError, Svc } from "../../src/index.js";
import {
  type IoRedisClient,
  type NodeRedisClient,
  redisRateLimit,
  redisRateLimitStore,
} from "../../src/stores/redis.js";
import { longTest, stopwatch } from "../support/size.js";
import { hasRedis, NEEDS_REDIS, type RedisServer, startRedis } from "../webhooks/redis-server.js";

const FOLDER = `node_modules/.cache/svc-caller-${process.pid}`;
const PROGRAM = `${FOLDER}/caller-process.mjs`;

/** Calls of each of four processes. */
const CALLS = 50;
const ALL_CALLS = 4 * CALLS;
/** What the service allows in a window. */
const LIMIT = 50;
const WINDOW_SECONDS = 2;

interface Report {
  readonly failed: number;
  readonly refused: number;
  readonly warnings: readonly string[];
}

/** Callers with a connection to Redis, each in a process of its own; `flood` starts all of them together. */
async function startFleet(redis: RedisServer, connection: { baseUrl: string; apiKey?: string | undefined }) {
  const members = await Promise.all(
    ["redis", "ioredis", "redis", "ioredis"].map(async (CLIENT) => {
      const { baseUrl: SVC_BASE_URL, apiKey: SVC_API_KEY } = connection;
      const own = { REDIS_PATH: redis.path, CLIENT, SVC_BASE_URL, SVC_API_KEY, CALLS: String(CALLS) };
      const member = fork(PROGRAM, { env: { ...process.env, ...own } });
      await once(member, "message");
      return member;
    }),
  );
  return {
    flood: async () => {
      const ended = members.map((member) => once(member, "exit"));
      const reports = members.map(async (member): Promise<Report> => {
        member.send("go");
        const [report] = await once(member, "message");
        return report;
      });
      const told = await Promise.all(reports);
      for (const member of members) member.disconnect();
      await Promise.all(ended);
      const sum = (what: "failed" | "refused") => told.reduce((total, report) => total + report[what], 0);
      return {
        failed: sum("failed"),
        refused: sum("refused"),
        warnings: told.flatMap(({ warnings }) => warnings),
      };
    },
    stop: () => members.map((member) => member.kill("SIGKILL")),
  };
}

describe.skipIf(!hasRedis)(`redisRateLimit${NEEDS_REDIS}`, () => {
  let server: RedisServer;
  let ioredis: Redis;
  let clients: Record<"redis" | "ioredis", NodeRedisClient | IoRedisClient>;

  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    const entryPoints = ["test/stores/caller-process.ts"];
    await build({ entryPoints, outfile: PROGRAM, bundle: true, platform: "node", format: "esm", packages: "external" });
    server = await startRedis();
    ioredis = new Redis({ path: server.path });
    clients = { redis: server.client, ioredis };
  });
  afterAll(async () => {
    ioredis?.disconnect();
    await server?.stop();
    rmSync(FOLDER, { recursive: true, force: true });
  });

  describe.each(["redis", "ioredis"] as const)("with a client of %s", (name) => {
    test("one of many simultaneous compareAndSwap calls writes, and the next reader sees it", async () => {
      const store = redisRateLimitStore({ client: clients[name], key: crypto.randomUUID() });
      expect((await store.read()).value).toBeUndefined();
      const written = await Promise.all(
        Array.from({ length: 20 }, (_, index) => store.compareAndSwap(undefined, `${index}`, 5_000)),
      );
      expect(written.filter(Boolean)).toHaveLength(1);
      const { value } = await store.read();
      expect(value).toBe(String(written.indexOf(true)));
      expect(await store.compareAndSwap("another", "x", 5_000)).toBe(false);
      expect(await store.compareAndSwap(value, "y", 5_000)).toBe(true);
      expect((await store.read()).value).toBe("y");
    });

    test("returns Redis's time, in milliseconds", async () => {
      const store = redisRateLimitStore({ client: clients[name], key: crypto.randomUUID() });
      const before = Date.now();
      const { now } = await store.read();
      expect(now).toBeGreaterThanOrEqual(before - 1);
      expect(now).toBeLessThan(Date.now() + 1);
    });

    test("expires after ttlMs without a change", async () => {
      const key = crypto.randomUUID();
      await redisRateLimitStore({ client: clients[name], key }).compareAndSwap(undefined, "x", 60_000);
      const left = await server.client.pTTL(key);
      expect(left).toBeGreaterThan(50_000);
      expect(left).toBeLessThanOrEqual(60_000);
    });
  });

  const title = `four processes with ${ALL_CALLS} calls on a window of ${LIMIT} all succeed, with at most a tenth of 429s and no extra window`;
  longTest(title, async () => {
    const emulator = await startEmulator({ rateLimit: { limit: LIMIT, windowSeconds: WINDOW_SECONDS } });
    const fleet = await startFleet(server, emulator.connection);
    try {
      const watch = stopwatch();
      const { failed, refused, warnings } = await fleet.flood();
      expect(warnings).toEqual([]);
      expect(failed).toBe(0);
      expect(refused).toBeLessThanOrEqual(ALL_CALLS / 10);
      const turns = ALL_CALLS / LIMIT - 1;
      watch.expectBelow(2 * turns * WINDOW_SECONDS * 1_000);
    } finally {
      fleet.stop();
      await emulator.close();
    }
  });

  test("if Redis becomes unavailable, the client logs it once, and every call succeeds", async () => {
    const emulator = await startEmulator({ rateLimit: { limit: 50, windowSeconds: 1 } });
    const own = await startRedis();
    const warnings: string[] = [];
    const svc = new Svc({
      ...emulator.connection,
      env: {},
      sharedRateLimit: redisRateLimit({ client: own.client, onOutage: (problem) => void warnings.push(problem) }),
    });
    await svc.tools.listSlugs();
    expect(svc.rateLimit.isShared).toBe(true);
    await own.stop();
    await Promise.all(Array.from({ length: 40 }, () => svc.tools.listSlugs()));
    expect(warnings).toHaveLength(1);
    expect(svc.rateLimit).toMatchObject({ isShared: false, inFlight: 0, queued: 0 });
    await emulator.close();
  });

  test("a Redis client that lost its connection and queues commands doesn't delay calls", async () => {
    const emulator = await startEmulator();
    // Nothing listens there; this client holds commands back until something does.
    const client = createClient({ socket: { path: `${FOLDER}/nobody`, reconnectStrategy: 20 } });
    client.on("error", () => undefined);
    void client.connect().catch(() => undefined);
    const warnings: string[] = [];
    const svc = new Svc({
      ...emulator.connection,
      env: {},
      sharedRateLimit: redisRateLimit({ client, onOutage: (problem) => void warnings.push(problem) }),
    });
    const watch = stopwatch();
    await Promise.all(Array.from({ length: 20 }, () => svc.tools.listSlugs()));
    watch.expectBelow(5_000);
    expect(warnings).toEqual([expect.stringContaining("no response within 250 ms")]);
    client.destroy();
    await emulator.close();
  });
});

test("rejects an object that isn't a Redis client, or an empty key, with a ConfigError", () => {
  const client: NodeRedisClient = { eval: async () => 0 };
  // @ts-expect-error it has no eval
  expect(() => redisRateLimit({ client: {} })).toThrow(ConfigError);
  expect(() => redisRateLimit({ client, key: "" })).toThrow(ConfigError);
});
