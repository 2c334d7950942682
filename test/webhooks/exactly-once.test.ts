import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasRedis, NEEDS_REDIS, type RedisServer, startRedis } from "./redis-server.js";
import { TRIGGER_V3 } from "./samples.js";
import { deliver } from "./vectors.js";

const FOLDER = `node_modules/.cache/svc-receiver-${process.pid}`;
const PROGRAM = `${FOLDER}/receiver-process.mjs`;
const EVENT = { ...TRIGGER_V3, metadata: { ...TRIGGER_V3.metadata, trigger_slug: "FLEET_EVENT" } };

/** Receiver processes that share a Redis. One that dies is replaced. */
async function startFleet(redis: RedisServer, fault: "throw" | "kill") {
  const ports: number[] = [];
  const alive = new Set<ChildProcess>();
  let isStopping = false;
  let deaths = 0;
  const start = async (index: number): Promise<void> => {
    const member = fork(PROGRAM, { env: { ...process.env, REDIS_PATH: redis.path, FAULT: fault } });
    alive.add(member);
    member.once("exit", () => {
      alive.delete(member);
      deaths += 1;
      if (!isStopping) void start(index);
    });
    const [port] = await once(member, "message");
    ports[index] = port;
  };
  await Promise.all([0, 1, 2, 3].map(start));
  return {
    url: () => `http://127.0.0.1:${ports[Math.floor(Math.random() * 4)]}/hook`,
    deaths: () => deaths,
    stop() {
      isStopping = true;
      for (const member of alive) member.kill("SIGKILL");
    },
  };
}

type Fleet = Awaited<ReturnType<typeof startFleet>>;

/** Sends one copy, to any receiver, again and again until one acknowledges it: what the service does. */
async function sendUntilAcknowledged(fleet: Fleet, id: string): Promise<void> {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const timestamp = Math.floor(Date.now() / 1000);
    const response = await fetch(deliver(EVENT, { url: fleet.url(), id, timestamp, secret: "fleet" })).catch(
      () => undefined,
    );
    await response?.arrayBuffer().catch(() => undefined);
    if (response?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 40));
  }
  throw new Error(`${id} was never acknowledged`);
}

async function sendAll(fleet: Fleet, ids: readonly string[]): Promise<void> {
  const waiting = [...ids];
  const sender = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const copies = 1 + Math.floor(Math.random() * 5);
      const current = id;
      await Promise.all(Array.from({ length: copies }, () => sendUntilAcknowledged(fleet, current)));
    }
  };
  await Promise.all(Array.from({ length: 60 }, sender));
}

const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `msg_${index}`);

describe.skipIf(!hasRedis)(`a fleet of four processes that share a Redis${NEEDS_REDIS}`, () => {
  let redis: RedisServer;

  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    const entryPoints = ["test/webhooks/receiver-process.ts"];
    await build({ entryPoints, outfile: PROGRAM, bundle: true, platform: "node", format: "esm", packages: "external" });
    redis = await startRedis();
  });
  afterAll(async () => {
    await redis?.stop();
    rmSync(FOLDER, { recursive: true, force: true });
  });

  test("1,000 deliveries, each 1 to 5 times at once, handlers failing at random: each has its effect once", {
    timeout: 60_000,
  }, async () => {
    await redis.client.flushAll();
    const fleet = await startFleet(redis, "throw");
    try {
      await sendAll(fleet, idsOf(1_000));
    } finally {
      fleet.stop();
    }
    const [effects, commits] = await Promise.all([redis.client.hGetAll("effects"), redis.client.hGetAll("commits")]);
    const once = Object.fromEntries(idsOf(1_000).map((id) => [id, "1"]));
    expect({ ...effects }).toEqual(once);
    expect({ ...commits }).toEqual(once);
  });

  test("with processes killed between claim and commit, each delivery is committed once and none is lost", {
    timeout: 60_000,
  }, async () => {
    await redis.client.flushAll();
    const fleet = await startFleet(redis, "kill");
    try {
      await sendAll(fleet, idsOf(300));
    } finally {
      fleet.stop();
    }
    expect(fleet.deaths()).toBeGreaterThan(3);
    const effects = await redis.client.hGetAll("effects");
    expect(Object.keys(effects).sort()).toEqual(idsOf(300).sort());
    const states = await redis.client.mGet(idsOf(300).map((id) => `svc:webhook:${id}`));
    expect(states.every((state) => state?.startsWith("done:"))).toBe(true);
    // A process killed right after its commit has not counted it, so some may be missing; none may be there twice.
    const commits = Object.values(await redis.client.hGetAll("commits"));
    expect(commits.every((count) => count === "1")).toBe(true);
  });
});
