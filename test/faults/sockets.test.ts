import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import {
  ApiError,
  ConnectionError,
  endpoint,
  RateLimitError,
  ResponseError,
  Svc,
  type SvcOptions,
  typed,
} from "../../src/index.js";
import { rejectionOf, send } from "../support/client.js";
import { fakeClock, settle } from "../support/clock.js";
import { longTest } from "../support/size.js";
import { TRANSPORT } from "../support/transport.js";
import { answer, breaks, ends, json, type Move, type WireServer, wireServer, writes } from "./wire.js";

const open: WireServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

/** A server that makes these moves one after the other, the last one for all that follow, and a client of it. */
async function played(moves: readonly Move[], options: SvcOptions = {}) {
  const server = await wireServer((turn) => moves[Math.min(turn, moves.length) - 1] ?? ends(""));
  open.push(server);
  const svc = new Svc({
    apiKey: "ak_test",
    baseUrl: server.address,
    env: {},
    clock: fakeClock(),
    ...TRANSPORT,
    ...options,
  });
  return { server, svc };
}

const good = (n: number) => json(200, { ok: n });

/** Does something and has nothing to say about it. */
const discard = endpoint({
  name: "probe.discard",
  method: "DELETE",
  path: "/api/{apiVersion}/probe",
  auth: ["apiKey"],
  retry: "idempotent",
  noContent: { status: "success" },
  response: typed<{ readonly status: string }>(),
});

describe("a kept-alive connection", () => {
  test("serves the next call", async () => {
    const { server, svc } = await played([writes(good(1)), writes(good(2))]);
    expect(await send(svc)).toEqual({ ok: 1 });
    await settle();
    expect(await send(svc)).toEqual({ ok: 2 });
    expect(server.connections).toBe(1);
  });

  test.each([
    ["ended", ends("")],
    ["reset", breaks("")],
  ])("that is %s as the next call is sent: a safe call is retried", async (_, stale) => {
    const { server, svc } = await played([writes(good(1)), stale, writes(good(3))]);
    await send(svc);
    await settle();
    const { data, meta } = await send(svc, "idempotent").withResponse();
    expect(data).toEqual({ ok: 3 });
    expect(meta.attempts).toBe(2);
    expect(server.requests).toHaveLength(3);
    expect(server.connections).toBe(2);
  });

  test.each([
    ["ended", ends("")],
    ["reset", breaks("")],
  ])("that is %s as the next call is sent: an effect rejects and isn't retried", async (_, stale) => {
    const { server, svc } = await played([writes(good(1)), stale, writes(good(3))]);
    await send(svc);
    await settle();
    const error = await rejectionOf(ConnectionError, send(svc, "effect"));
    expect(error).toMatchObject({ attempts: 1, outcome: "unknown" });
    expect(server.requests).toHaveLength(2);
    expect(server.connections).toBe(1);
  });

  test("that was closed while idle is replaced for the next call", async () => {
    const { server, svc } = await played([ends(good(1)), writes(good(2))]);
    await send(svc);
    await server.released();
    expect(await send(svc, "effect", { maxRetries: 0 })).toEqual({ ok: 2 });
    expect(server.connections).toBe(2);
  });

  test.each(["effect", "safe"] as const)(
    "that contains an unrequested response: a call of class %s never gets it",
    async (repeat) => {
      const { svc } = await played([writes(Buffer.concat([good(1), good(666)])), writes(good(2)), writes(good(3))]);
      expect(await send(svc)).toEqual({ ok: 1 });
      const result = await send(svc, repeat).then(
        (data) => data.ok,
        (error: unknown) => error,
      );
      expect(result instanceof ConnectionError || result === 2).toBe(true);
      expect([2, 3]).toContain((await send(svc)).ok);
    },
  );

  test("isn't corrupted by the body of a 204", async () => {
    const withBody = answer(204, '{"ok":666}', "content-type: application/json", "content-length: 10");
    const { svc } = await played([writes(withBody), writes(good(2)), writes(good(3))]);
    expect(await svc.call(discard, {})).toEqual({ status: "success" });
    await settle();
    expect([2, 3]).toContain((await send(svc)).ok);
  });
});

describe("a connection that is reset as soon as it is established", () => {
  test("has the outcome not_sent only if nothing can have been read, and is then retried", async () => {
    const { svc } = await played([{ on: "accept", play: (socket) => socket.resetAndDestroy() }]);
    const errors = await Promise.all(
      Array.from({ length: 30 }, () => rejectionOf(ConnectionError, send(svc, "effect"))),
    );
    // Which one it is depends on how far the client came before it heard of the reset.
    const wrong = errors.filter(
      ({ outcome, attempts }) => outcome !== "not_sent" && !(outcome === "unknown" && attempts <= 3),
    );
    expect(wrong).toEqual([]);
  });
});

describe("a call without data", () => {
  test("succeeds with a 204", async () => {
    const { svc } = await played([writes(answer(204, ""))]);
    expect(await svc.call(discard, {})).toEqual({ status: "success" });
  });

  test.each([
    ["a page", answer(200, "<html>Sign in</html>", "content-type: text/html")],
    ["nothing", answer(200, "")],
    ["null", json(200, "null")],
    ["a text", json(200, '"done"')],
  ])("rejects a 200 with %s", async (_, wire) => {
    const { svc, server } = await played([writes(wire)]);
    await rejectionOf(ResponseError, svc.call(discard, {}));
    // Deleting again changes nothing more.
    expect(server.requests).toHaveLength(3);
  });
});

describe("a response in the runtime's own fetch", () => {
  test("with 60 encodings is a typed error", async () => {
    const chain = `content-encoding: ${new Array(60).fill("gzip").join(", ")}`;
    const { svc } = await played([writes(json(200, gzipSync('{"ok":true}'), chain))], { maxRetries: 0 });
    await rejectionOf(ConnectionError, send(svc, "effect"));
  });

  longTest("with a bomb of 512 MiB costs no more than a few times the largest allowed body", async () => {
    const bomb = Buffer.concat(new Array(32).fill(gzipSync(Buffer.alloc(2 ** 24))));
    const { svc } = await played([writes(json(200, bomb, "content-encoding: gzip"))]);
    // Not `resourceUsage().maxRSS`, which includes the tests that this process ran before.
    const before = process.memoryUsage.rss();
    let peak = before;
    const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 1);
    const error = await rejectionOf(ResponseError, send(svc));
    clearInterval(sampling);
    expect(error.message).toMatch(/larger than maxBodyBytes \(67108864\)/);
    expect((peak - before) / 2 ** 20).toBeLessThan(256);
  });

  test("with a 421 is retried by fetch itself on another connection, after nothing ran", async () => {
    const { svc, server } = await played([writes(json(421, { error: { message: "Misdirected" } }))]);
    const error = await rejectionOf(ApiError, send(svc, "effect"));
    expect(error).toMatchObject({ status: 421, outcome: "rejected", attempts: 1 });
    expect(server.requests.length).toBeLessThanOrEqual(2);
  });
});

describe("a jump of the system time", () => {
  const HOUR = 3_600_000;
  const at = (ms: number) => new Date(ms).toUTCString();

  test.each([
    ["forward an hour", HOUR],
    ["back an hour", -HOUR],
    ["forward ten years", 10 * 365 * 24 * HOUR],
  ])("%s in the middle of a call causes no timeout, and the wait is the requested one", async (_, jump) => {
    const clock = fakeClock();
    let jumped = 0;
    const jumping = { ...clock, now: () => clock.now() + jumped };
    const limiter: Move = {
      on: "request",
      play: (socket) => {
        // Between the response and the end of the wait; the date is one of the clock before the jump.
        socket.write(json(429, { message: "Rate limit exceeded" }, `retry-after: ${at(jumping.now() + 30_000)}`));
      },
    };
    const sleep: typeof clock.sleep = async (ms, signal) => {
      jumped = jump;
      await clock.sleep(ms, signal);
    };
    const { svc } = await played([limiter, writes(good(1))], {
      clock: { ...jumping, sleep },
      deadlineMs: 60_000,
      timeoutMs: 10_000,
    });
    expect(await send(svc, "effect")).toEqual({ ok: 1 });
    expect(clock.slept[0]).toBe(30_000);
  });

  test("forward by an hour before the response doesn't matter: the wait counts from its receipt", async () => {
    const clock = fakeClock();
    const { svc } = await played(
      [writes(json(429, { message: "Slow down" }, `retry-after: ${at(clock.now() + HOUR + 5_000)}`))],
      {
        clock: { ...clock, now: () => clock.now() + HOUR },
        maxRetries: 0,
      },
    );
    expect(await rejectionOf(RateLimitError, send(svc))).toMatchObject({ retryAfterMs: 5_000 });
  });
});
