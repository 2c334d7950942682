import { on } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../support/eventually.js";
import { buildReceiver, EVENT, type ReceiverProcess, type ReceiverProgram } from "./receiver-program.js";
import { hasRedis, NEEDS_REDIS, type RedisServer, startRedis } from "./redis-server.js";
import { deliver } from "./vectors.js";

const TIMEOUT = { timeout: 30_000 };

describe.skipIf(!hasRedis)(`a process suspended for longer than its claim lasts${NEEDS_REDIS}`, () => {
  let redis: RedisServer;
  let program: ReceiverProgram;
  let other: ReceiverProcess;
  /** One for each test, so that their claims end at the same time. */
  const waiting: ReceiverProcess[] = [];

  beforeAll(async () => {
    [program, redis] = await Promise.all([buildReceiver(), startRedis()]);
    other = await program.start(redis, "none");
  });
  afterAll(async () => {
    for (const receiver of [...waiting, other]) receiver?.process.kill("SIGKILL");
    await redis?.stop();
    program?.remove();
  });

  /** The status and result or reason of the response to a delivery with this id. */
  const send = async (receiver: ReceiverProcess, id: string): Promise<[status: number, outcome: string]> => {
    const timestamp = Math.floor(Date.now() / 1000);
    const response = await fetch(deliver(EVENT, { url: receiver.url, id, timestamp }));
    const { result, error } = Object(await response.json());
    return [response.status, result ?? error.reason];
  };

  /** Waits for a message of a suspended process. */
  const received = async (suspended: ReceiverProcess, expected: string): Promise<void> => {
    for await (const [message] of on(suspended.process, "message")) if (message === expected) return;
  };

  const recordOf = (id: string) => redis.client.get(`svc:webhook:${id}`);

  /** Starts a process and in it the handler of a delivery, and suspends the process until the claim has ended. */
  const suspendWhileHandling = async (id: string) => {
    const suspended = await program.start(redis, "wait");
    waiting.push(suspended);
    const handling = received(suspended, "handling");
    const response = send(suspended, id);
    await handling;
    const claim = await recordOf(id);
    suspended.process.kill("SIGSTOP");
    await eventually(async () => expect(await recordOf(id)).toBeNull());
    return { suspended, response, claim };
  };

  test.concurrent("takes its claim back, commits, and no other process runs the handler", TIMEOUT, async () => {
    const { suspended, response, claim } = await suspendWhileHandling("msg_1");
    suspended.process.kill("SIGCONT");
    await eventually(async () => expect(await recordOf("msg_1")).toBe(claim));
    expect(await send(other, "msg_1")).toEqual([503, "running"]);
    suspended.process.send("ignore the signal");
    expect(await response).toEqual([503, "running"]);
    await eventually(async () => expect(await recordOf("msg_1")).toBe(`done:${claim}`));
    expect(await send(other, "msg_1")).toEqual([200, "duplicate"]);
    expect(await redis.client.hGet("effects", "msg_1")).toBe("1");
  });

  test.concurrent("commits nothing and has no effect if another process has handled the event", TIMEOUT, async () => {
    const { suspended, response } = await suspendWhileHandling("msg_2");
    expect(await send(other, "msg_2")).toEqual([200, "handled"]);
    const committed = await recordOf("msg_2");
    const ended = received(suspended, "ended");
    suspended.process.kill("SIGCONT");
    suspended.process.send("obey the signal");
    expect(await response).toEqual([503, "running"]);
    await ended;
    expect(await send(suspended, "msg_2")).toEqual([200, "duplicate"]);
    expect(await recordOf("msg_2")).toBe(committed);
    expect(await redis.client.hGetAll("effects")).toMatchObject({ msg_2: "1" });
    expect(await redis.client.hGetAll("commits")).toMatchObject({ msg_2: "1" });
  });

  test.concurrent("reports that two processes have run the handler if it ignores its signal", TIMEOUT, async () => {
    const { suspended, response } = await suspendWhileHandling("msg_3");
    expect(await send(other, "msg_3")).toEqual([200, "handled"]);
    suspended.process.kill("SIGCONT");
    suspended.process.send("ignore the signal");
    expect(await response).toEqual([503, "running"]);
    const lost = "SvcError: createReceiver: The claim of delivery msg_3 was lost before its handler ended.";
    await eventually(async () =>
      expect((await redis.client.lRange("errors", 0, -1)).some((text) => text.startsWith(lost))).toBe(true),
    );
    expect(await redis.client.hGetAll("commits")).toMatchObject({ msg_3: "1" });
    expect(await redis.client.hGetAll("effects")).toMatchObject({ msg_3: "2" });
  });
});
