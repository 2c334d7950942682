import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { longTest, sized } from "../support/size.js";
import { buildReceiver, EVENT, type ReceiverProcess, type ReceiverProgram } from "./receiver-program.js";
import { hasRedis, NEEDS_REDIS, type RedisServer, startRedis } from "./redis-server.js";
import { deliver } from "./vectors.js";

/** Deliveries to handlers that throw, and to processes that are killed. */
const { thrown, killed } = { thrown: sized(10, 1_000), killed: 300 };

/** Starts receiver processes that share a Redis. A process that dies is replaced. */
async function startReceivers(program: ReceiverProgram, redis: RedisServer, fault: "throw" | "kill") {
  const members: ReceiverProcess[] = [];
  let isStopping = false;
  let deaths = 0;
  const start = async (index: number): Promise<void> => {
    const member = await program.start(redis, fault);
    member.process.once("exit", () => {
      deaths += 1;
      if (!isStopping) void start(index);
    });
    members[index] = member;
    if (isStopping) member.process.kill("SIGKILL");
  };
  await Promise.all([0, 1, 2, 3].map(start));
  return {
    url: () => String(members[Math.floor(Math.random() * 4)]?.url),
    deaths: () => deaths,
    stop() {
      isStopping = true;
      for (const member of members) member.process.kill("SIGKILL");
    },
  };
}

type Receivers = Awaited<ReturnType<typeof startReceivers>>;

/** Sends one copy to any receiver and retries until one acknowledges it, like the service. */
async function sendUntilAcknowledged(receivers: Receivers, id: string): Promise<void> {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const timestamp = Math.floor(Date.now() / 1000);
    const response = await fetch(deliver(EVENT, { url: receivers.url(), id, timestamp })).catch(() => undefined);
    await response?.arrayBuffer().catch(() => undefined);
    if (response?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 40));
  }
  throw new Error(`${id} was never acknowledged`);
}

async function sendAll(receivers: Receivers, ids: readonly string[]): Promise<void> {
  const waiting = [...ids];
  const sender = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const copies = 1 + Math.floor(Math.random() * 5);
      const current = id;
      await Promise.all(Array.from({ length: copies }, () => sendUntilAcknowledged(receivers, current)));
    }
  };
  await Promise.all(Array.from({ length: 60 }, sender));
}

const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `msg_${index}`);

describe.skipIf(!hasRedis)(`four receiver processes that share a Redis${NEEDS_REDIS}`, () => {
  let redis: RedisServer;
  let program: ReceiverProgram;

  beforeAll(async () => {
    [program, redis] = await Promise.all([buildReceiver(), startRedis()]);
  });
  afterAll(async () => {
    await redis?.stop();
    program?.remove();
  });

  test(`run each of ${thrown} deliveries once, sent up to 5 times at the same time to handlers that fail at random`, {
    timeout: 300_000,
  }, async () => {
    await redis.client.flushAll();
    const receivers = await startReceivers(program, redis, "throw");
    try {
      await sendAll(receivers, idsOf(thrown));
    } finally {
      receivers.stop();
    }
    const [effects, commits] = await Promise.all([redis.client.hGetAll("effects"), redis.client.hGetAll("commits")]);
    const once = Object.fromEntries(idsOf(thrown).map((id) => [id, "1"]));
    expect({ ...effects }).toEqual(once);
    expect({ ...commits }).toEqual(once);
  });

  longTest(
    "commit each delivery once and lose none if processes are killed between claim and commit",
    async () => {
      await redis.client.flushAll();
      const receivers = await startReceivers(program, redis, "kill");
      try {
        await sendAll(receivers, idsOf(killed));
      } finally {
        receivers.stop();
      }
      expect(receivers.deaths()).toBeGreaterThan(0);
      const effects = await redis.client.hGetAll("effects");
      expect(Object.keys(effects).sort()).toEqual(idsOf(killed).sort());
      const states = await redis.client.mGet(idsOf(killed).map((id) => `svc:webhook:${id}`));
      expect(states.every((state) => state?.startsWith("done:"))).toBe(true);
      // A process killed right after its commit didn't count it, so counts may be missing, but none may be above one.
      const commits = Object.values(await redis.client.hGetAll("commits"));
      expect(commits.every((count) => count === "1")).toBe(true);
    },
    300_000,
  );
});
