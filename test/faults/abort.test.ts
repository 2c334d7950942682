import { getEventListeners } from "node:events";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Svc, type SvcOptions, systemClock } from "../../src/index.js";
import { rejection, send } from "../support/client.js";
import { settle } from "../support/clock.js";
import { eventually } from "../support/eventually.js";
import { sampled, sized, stopwatch } from "../support/size.js";
import { TRANSPORT } from "../support/transport.js";
import { answer, drips, ends, JSON_TYPE, json, type Move, type WireServer, wireServer, writes } from "./wire.js";

const OK = json(200, { ok: true });
const HALF = `HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\ncontent-length: 99\r\n\r\n{"ok"`;
const HALF_ERROR = `HTTP/1.1 500 No\r\n${JSON_TYPE}\r\ncontent-length: 99\r\n\r\n{"error"`;
const LIMITED = json(429, { message: "Rate limit exceeded" }, "retry-after: 30", "x-ratelimit-remaining: 0");

/** The caller's own reason, which is no error of ours. */
const REASON = { why: "the user went away" };

const unhandled = vi.fn();
process.on("unhandledRejection", unhandled);

const open: WireServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
  await settle();
  expect(unhandled).not.toHaveBeenCalled();
});

async function played(moves: readonly Move[], options: SvcOptions = {}) {
  const server = await wireServer((turn) => moves[Math.min(turn, moves.length) - 1] ?? writes(OK));
  open.push(server);
  // Real time: what is left behind would be a real timer.
  const svc = new Svc({
    apiKey: "ak_test",
    baseUrl: server.address,
    env: {},
    clock: systemClock,
    ...TRANSPORT,
    ...options,
  });
  return { server, svc };
}

/** As soon as a busy machine can. */
const AT_ONCE_MS = 2_000;

/** Listeners on a signal. */
const listeners = (signal: AbortSignal) => getEventListeners(signal, "abort").length;

/** Timers that keep the process alive. The test runner has some of its own, which come and go. */
const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;

/** Lets time pass until something is so. */
const until = (isSo: () => boolean) => eventually(() => expect(isSo()).toBe(true));

interface Phase {
  readonly name: string;
  readonly move: Move;
  /** A response has begun: it takes some turns of the loop until the client has read it. */
  readonly hasAnswer?: true;
  readonly socketEnds: boolean;
}

const PHASES: readonly Phase[] = [
  { name: "while it waits for headers", move: writes(""), socketEnds: true },
  { name: "while headers come", move: writes("HTTP/1.1 200 OK\r\nx-half: "), socketEnds: true },
  { name: "in the body", move: writes(HALF), hasAnswer: true, socketEnds: true },
  { name: "in a body that drips", move: drips(HALF, " ", 5), hasAnswer: true, socketEnds: true },
  { name: "in an error's body", move: writes(HALF_ERROR), hasAnswer: true, socketEnds: true },
  { name: "in the wait before another attempt", move: writes(LIMITED), hasAnswer: true, socketEnds: false },
];

describe.each(sampled(["effect", "safe", "idempotent"] as const, 3))("a call of class %s that is aborted", (retry) => {
  test("sends nothing if it's aborted before it starts", async () => {
    const { server, svc } = await played([writes(OK)]);
    const signal = AbortSignal.abort(REASON);
    expect(await rejection(send(svc, retry, { signal }))).toBe(REASON);
    await settle();
    expect(server.connections).toBe(0);
    expect(listeners(signal)).toBe(0);
  });

  test.each(PHASES)("$name ends immediately with the caller's reason and leaves nothing behind", async (phase) => {
    const { server, svc } = await played([phase.move, writes(OK)]);
    const before = timers();
    const controller = new AbortController();
    const call = rejection(send(svc, retry, { signal: controller.signal }));
    await until(() => server.requests.length === 1);
    // The response is in flight through the loop; its first bytes are read in these turns.
    if (phase.hasAnswer) for (let turn = 0; turn < 10; turn += 1) await settle();

    const watch = stopwatch();
    controller.abort(REASON);
    expect(await call).toBe(REASON);
    watch.expectBelow(AT_ONCE_MS);
    if (phase.socketEnds) await server.released();
    expect(listeners(controller.signal)).toBe(0);
    await until(() => timers() <= before);
    expect(server.requests).toHaveLength(1);
  });

  test("ends immediately if it's aborted in the queue, is never sent, and others keep waiting", async () => {
    const { server, svc } = await played([writes(LIMITED)]);
    const other = new AbortController();
    const limited = rejection(send(svc, "safe", { signal: other.signal }));
    // Once the limiter has spoken, every call that comes has to wait.
    await until(() => svc.rateLimit?.remaining === 0);
    const controller = new AbortController();
    const queued = rejection(send(svc, retry, { signal: controller.signal }));
    await settle();
    const watch = stopwatch();
    controller.abort(REASON);
    expect(await queued).toBe(REASON);
    watch.expectBelow(AT_ONCE_MS);
    expect(listeners(other.signal)).toBe(1);
    other.abort("enough");
    expect(await limited).toBe("enough");
    expect(server.requests).toHaveLength(1);
    expect(listeners(controller.signal) + listeners(other.signal)).toBe(0);
  });

  test("doesn't change if it's aborted after its end", async () => {
    const { svc } = await played([writes(OK)]);
    const controller = new AbortController();
    const call = send(svc, retry, { signal: controller.signal });
    expect(await call).toEqual({ ok: true });
    expect(listeners(controller.signal)).toBe(0);
    controller.abort(REASON);
    expect(await call).toEqual({ ok: true });
  });
});

const CALLS = sized(50, 300);

describe(`one signal for ${CALLS} calls`, () => {
  const warned = vi.fn();
  process.on("warning", warned);

  test("has no listener left when they succeed, and causes no warning", async () => {
    const { svc } = await played([writes(OK)]);
    const { signal } = new AbortController();
    const results = await Promise.all(Array.from({ length: CALLS }, () => send(svc, "safe", { signal })));
    expect(results).toHaveLength(CALLS);
    expect(listeners(signal)).toBe(0);
    expect(warned).not.toHaveBeenCalled();
  });

  test("has no listener left when they fail", async () => {
    const { svc } = await played([writes(answer(404, "{}"))]);
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: CALLS }, () => rejection(send(svc, "effect", { signal }))));
    expect(listeners(signal)).toBe(0);
  });

  test("ends all of them within milliseconds when it aborts, in whatever phase", async () => {
    // The first response says nothing about a window, so all are sent; then nothing comes anymore.
    const { server, svc } = await played([ends(json(200, { ok: true }, "connection: close")), writes("")]);
    await send(svc);
    const before = timers();
    const controller = new AbortController();
    const calls = Array.from({ length: CALLS }, () => rejection(send(svc, "effect", { signal: controller.signal })));
    await until(() => server.requests.length === CALLS + 1);
    const watch = stopwatch();
    controller.abort(REASON);
    const reasons = await Promise.all(calls);
    watch.expectBelow(AT_ONCE_MS);
    expect(reasons.every((reason) => reason === REASON)).toBe(true);
    await server.released();
    expect(listeners(controller.signal)).toBe(0);
    await until(() => timers() <= before);
    expect(server.requests).toHaveLength(CALLS + 1);
  });
});
