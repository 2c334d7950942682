import { getEventListeners } from "node:events";
import { describe, expect, test, vi } from "vitest";
import { RateLimitError, ServerError, type Svc, type SvcEvent, systemClock, TimeoutError } from "../../../src/index.js";
import { clientOf, rejection, rejectionOf, send } from "../../support/client.js";
import { fakeClock, heldClock, settle } from "../../support/clock.js";
import {
  deafSilence,
  failure,
  held,
  type Step,
  scriptedFetch,
  silence,
  stalled,
} from "../../support/scripted-fetch.js";
import { stopwatch } from "../../support/size.js";

const limiter = (seconds: number) =>
  Response.json({ message: "Rate limit exceeded" }, { status: 429, headers: { "retry-after": String(seconds) } });

/** Timers that would keep the process alive. */
function timers(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
}

/** Whether no more timers are left than before. The test runner has some of its own, which come and go. */
async function isQuiet(before: number): Promise<boolean> {
  for (let turn = 0; turn < 20 && timers() > before; turn += 1) await settle();
  return timers() <= before;
}

/** A signal that counts who listens to it. */
function countedSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = () => getEventListeners(signal, "abort").length;
  return { signal, abort: (reason?: unknown) => controller.abort(reason), listeners };
}

describe("systemClock", () => {
  test("never ends a sleep early, not even by a fraction of a millisecond", async () => {
    const slept = Array.from({ length: 50 }, async (_, index) => {
      const ms = 1 + index * 0.19;
      const startedAt = systemClock.monotonic();
      await systemClock.sleep(ms);
      return systemClock.monotonic() - startedAt >= ms;
    });
    expect(new Set(await Promise.all(slept))).toEqual(new Set([true]));
  });
});

describe("timeoutMs", () => {
  test.each([
    ["an answer that does not begin", silence, "headers"],
    ["a fetch that ignores its signal", deafSilence, "headers"],
    ["a body that stops", () => stalled(), "body"],
  ] as const)("limits %s", async (_, step, phase) => {
    const svc = clientOf(scriptedFetch(step), { timeoutMs: 15, maxRetries: 0 });
    const watch = stopwatch();
    const startedAt = systemClock.monotonic();
    const error = await rejectionOf(TimeoutError, send(svc, "effect"));
    expect(error).toMatchObject({ timeoutMs: 15, option: "timeoutMs", phase, attempts: 1, outcome: "unknown" });
    expect(error.message).toContain("probe.effect: no result within timeoutMs (15 ms)");
    expect(systemClock.monotonic() - startedAt).toBeGreaterThanOrEqual(14);
    watch.expectBelow(5_000);
  });

  test("limits headers and body together, not each of them", async () => {
    const late = async () => {
      await systemClock.sleep(400);
      return stalled();
    };
    const svc = clientOf(scriptedFetch(late), { timeoutMs: 500, maxRetries: 0 });
    // Two timers of one process fire in their order, however busy the machine is.
    const first = await Promise.race([rejectionOf(TimeoutError, send(svc)), systemClock.sleep(880)]);
    expect(first).toBeInstanceOf(TimeoutError);
  });

  test("limits each attempt: one without a response is followed by another", async () => {
    const fetch = scriptedFetch(silence, Response.json({ ok: true }));
    const { meta } = await send(clientOf(fetch, { timeoutMs: 10 }), "safe").withResponse();
    expect(meta.attempts).toBe(2);
  });

  test("of the call overrides the client's", async () => {
    const svc = clientOf(scriptedFetch(silence), { timeoutMs: 60_000, maxRetries: 0 });
    const error = await rejectionOf(TimeoutError, send(svc, "safe", { timeoutMs: 5 }));
    expect(error.timeoutMs).toBe(5);
  });

  test("aborts the request and cancels the body", async () => {
    const onCancel = vi.fn();
    const fetch = scriptedFetch(() => stalled(200, onCancel));
    await rejection(send(clientOf(fetch, { timeoutMs: 5, maxRetries: 0 })));
    expect(fetch.sent[0]?.signal.aborted).toBe(true);
    expect(onCancel).toHaveBeenCalledOnce();
  });

  test("cancels a body that arrives after the timeout from a fetch that ignores its signal", async () => {
    const onCancel = vi.fn();
    const arrival = held();
    const svc = clientOf(scriptedFetch(arrival.step), { timeoutMs: 5, maxRetries: 0 });
    await rejectionOf(TimeoutError, send(svc));
    arrival.answer(stalled(200, onCancel));
    await settle();
    expect(onCancel).toHaveBeenCalledOnce();
  });

  test.each([500, 404, 400])("keeps the status of a %i whose body it ends", async (status) => {
    const svc = clientOf(scriptedFetch(stalled(status)), { timeoutMs: 5, maxRetries: 0 });
    expect(await rejection(send(svc))).toMatchObject({ status, body: '{"begun": ' });
  });
});

describe("deadlineMs", () => {
  test("limits the whole call, and ends an attempt", async () => {
    const svc = clientOf(scriptedFetch(silence), { clock: systemClock });
    const error = await rejectionOf(TimeoutError, send(svc, "safe", { deadlineMs: 15 }));
    expect(error).toMatchObject({ option: "deadlineMs", timeoutMs: 15, phase: "headers", attempts: 1 });
  });

  test("rejects immediately if the service asks for a longer wait than is left, and says when to retry", async () => {
    const clock = fakeClock();
    const fetch = scriptedFetch(limiter(30));
    const error = await rejectionOf(RateLimitError, send(clientOf(fetch, { clock }), "safe", { deadlineMs: 30_000 }));
    expect(error.retryAfterMs).toBe(30_000);
    expect(error.retryAt).toEqual(new Date(clock.now() + 30_000));
    expect(clock.slept).toEqual([]);
    expect(fetch.sent).toHaveLength(1);
  });

  test("allows a wait that fits", async () => {
    const clock = fakeClock();
    const fetch = scriptedFetch(limiter(30), Response.json({ ok: true }));
    await send(clientOf(fetch, { clock }), "safe", { deadlineMs: 30_001 });
    expect(clock.slept).toEqual([30_000]);
  });

  test("includes the time of earlier attempts and waits", async () => {
    const clock = fakeClock();
    const fetch = scriptedFetch(failure(503, {}, { "retry-after": "20" }));
    const call = send(clientOf(fetch, { clock, maxRetries: 9 }), "safe", { deadlineMs: 50_000 });
    expect((await rejectionOf(ServerError, call)).attempts).toBe(3);
    expect(clock.slept).toEqual([20_000, 20_000]);
  });

  test("ends a wait in the queue, so the call isn't sent", async () => {
    const clock = heldClock();
    const fetch = scriptedFetch(limiter(30), Response.json({ ok: true }));
    const svc = clientOf(fetch, { clock, maxRetries: 0 });
    await rejectionOf(RateLimitError, send(svc));
    const error = await rejectionOf(TimeoutError, send(svc, "effect", { deadlineMs: 10 }));
    expect(error).toMatchObject({ phase: "queue", option: "deadlineMs", attempts: 0, outcome: "not_sent" });
    expect(fetch.sent).toHaveLength(1);
    expect(clock.waiting).toBe(0);
  });

  test("ends a wait between attempts", async () => {
    const fetch = scriptedFetch(failure(503, {}, { "retry-after-ms": "5" }));
    const clock = heldClock();
    const error = await rejectionOf(TimeoutError, send(clientOf(fetch, { clock }), "safe", { deadlineMs: 15 }));
    expect(error).toMatchObject({ phase: "retry_wait", option: "deadlineMs", attempts: 1 });
    expect(clock.slept).toEqual([5]);
    expect(clock.waiting).toBe(0);
  });

  test("of the client applies to every call that doesn't set its own", async () => {
    const svc = clientOf(scriptedFetch(silence), { deadlineMs: 60_000, clock: systemClock });
    expect((await rejectionOf(TimeoutError, send(svc, "safe", { deadlineMs: 5 }))).timeoutMs).toBe(5);
  });
});

describe("abort", () => {
  /** Where a call can be when its caller gives up: what answers it, and how it is brought there. */
  const places: Readonly<Record<string, { readonly step: Step; readonly requests: number }>> = {
    "before an answer begins": { step: silence, requests: 1 },
    "with a fetch that ignores its signal": { step: deafSilence, requests: 1 },
    "in the body": { step: () => stalled(), requests: 1 },
    "in the body of a failing answer": { step: () => stalled(404), requests: 1 },
    "in a wait between attempts": { step: failure(500), requests: 1 },
    "in the wait a limiter asked for": { step: limiter(30), requests: 1 },
  };
  const reasons: readonly unknown[] = [new Error("mine"), "a text", 0, null, false, { any: "object" }];

  test.each(Object.keys(places))(
    "%s rejects with the caller's own reason, whatever it is, and leaves nothing",
    async (place) => {
      const { step, requests } = places[place] ?? { step: silence, requests: 0 };
      for (const reason of reasons) {
        const fetch = scriptedFetch(step);
        const clock = heldClock();
        const { signal, abort, listeners } = countedSignal();
        const before = timers();
        const call = rejection(send(clientOf(fetch, { clock }), "safe", { signal }));
        await settle();
        expect(listeners()).toBe(1);
        abort(reason);
        expect(await call).toBe(reason);
        expect(fetch.sent).toHaveLength(requests);
        expect(clock.waiting).toBe(0);
        expect(listeners()).toBe(0);
        expect(await isQuiet(before)).toBe(true);
      }
    },
  );

  test("without a reason rejects with the platform's AbortError", async () => {
    const controller = new AbortController();
    const call = rejection(send(clientOf(scriptedFetch(silence)), "safe", { signal: controller.signal }));
    controller.abort(undefined);
    expect(await call).toBe(controller.signal.reason);
    expect(await call).toMatchObject({ name: "AbortError" });
  });

  test("sends nothing if the signal is already aborted", async () => {
    for (const reason of reasons) {
      const fetch = scriptedFetch(Response.json({ ok: true }));
      const signal = AbortSignal.abort(reason);
      expect(await rejection(send(clientOf(fetch), "safe", { signal }))).toBe(reason);
      expect(await rejection(clientOf(fetch).tools.list({}, { signal }))).toBe(reason);
      expect(fetch.sent).toEqual([]);
    }
  });

  test("ends a call in the same tick, and nothing is sent", async () => {
    const fetch = scriptedFetch(silence);
    const controller = new AbortController();
    const call = rejection(send(clientOf(fetch), "safe", { signal: controller.signal }));
    controller.abort("at once");
    expect(await call).toBe("at once");
    expect(fetch.sent).toEqual([]);
  });

  test("by a response's observer ends a queued call that the response let start", async () => {
    const controller = new AbortController();
    const headers = { "x-ratelimit": "2", "x-ratelimit-remaining": "1", "x-ratelimit-window-size": "60s" };
    const later = held();
    const fetch = scriptedFetch(Response.json({ ok: true }, { headers }), later.step, silence);
    let answers = 0;
    const onEvent = ({ type }: SvcEvent) => {
      if (type === "response") answers += 1;
      if (answers === 2) controller.abort("given up");
    };
    const svc = clientOf(fetch, { onEvent, clock: heldClock() });
    await send(svc);
    const first = send(svc);
    const second = rejection(send(svc, "safe", { signal: controller.signal }));
    await settle();
    expect(fetch.sent).toHaveLength(2);
    later.answer(Response.json({ ok: true }, { headers }));
    await first;
    expect(await second).toBe("given up");
  });

  test("rejects a queued call with the reason, and the call is never sent", async () => {
    const clock = heldClock();
    const fetch = scriptedFetch(limiter(30), Response.json({ ok: true }));
    const svc = clientOf(fetch, { clock, maxRetries: 0 });
    await rejection(send(svc));
    const { signal, abort, listeners } = countedSignal();
    const given = rejection(send(svc, "effect", { signal }));
    const kept = send(svc, "safe");
    await settle();
    abort("given up");
    expect(await given).toBe("given up");
    expect(listeners()).toBe(0);
    clock.advance(30_000);
    await kept;
    expect(fetch.sent).toHaveLength(2);
    expect(clock.waiting).toBe(0);
  });

  test("changes nothing after the end of the call", async () => {
    const { signal, abort, listeners } = countedSignal();
    expect(await send(clientOf(scriptedFetch(Response.json({ ok: true }))), "safe", { signal })).toEqual({ ok: true });
    expect(listeners()).toBe(0);
    abort("too late");
    await settle();
  });

  test("ends 300 calls that share a signal and leaves no listener", async () => {
    const { signal, abort, listeners } = countedSignal();
    const svc: Svc = clientOf(scriptedFetch(silence));
    const calls = Array.from({ length: 300 }, () => rejection(send(svc, "safe", { signal })));
    await settle();
    abort("all");
    expect(new Set(await Promise.all(calls))).toEqual(new Set(["all"]));
    expect(listeners()).toBe(0);
  });

  test("ends an iteration between pages", async () => {
    const controller = new AbortController();
    const fetch = scriptedFetch(Response.json({ items: [1], next_cursor: "c2" }));
    const items = clientOf(fetch).tools.list({}, { signal: controller.signal })[Symbol.asyncIterator]();
    await items.next();
    controller.abort("enough");
    expect(await rejection(items.next())).toBe("enough");
    expect(fetch.sent).toHaveLength(1);
  });

  test("ends an iteration between the items of a page", async () => {
    const controller = new AbortController();
    const fetch = scriptedFetch(Response.json({ items: [1, 2, 3] }));
    const items = clientOf(fetch).tools.list({}, { signal: controller.signal })[Symbol.asyncIterator]();
    expect(await items.next()).toEqual({ done: false, value: 1 });
    controller.abort("enough");
    expect(await rejection(items.next())).toBe("enough");
    expect(await items.next()).toEqual({ done: true, value: undefined });
  });
});

test("a finished call leaves no timer and no listener, whether it succeeded or failed", async () => {
  const before = timers();
  const { signal, listeners } = countedSignal();
  const options = { signal, deadlineMs: 50_000, timeoutMs: 50_000 };
  await send(clientOf(scriptedFetch(Response.json({ ok: true }))), "safe", options);
  await rejection(send(clientOf(scriptedFetch(failure(400))), "safe", options));
  await rejection(send(clientOf(scriptedFetch(new TypeError("fetch failed"))), "effect", options));
  await rejection(send(clientOf(scriptedFetch(stalled())), "safe", { ...options, timeoutMs: 5, maxRetries: 0 }));
  expect(listeners()).toBe(0);
  expect(await isQuiet(before)).toBe(true);
});

describe("the system's own clock", () => {
  test("sleeps about as long as asked and leaves no listener", async () => {
    const { signal, listeners } = countedSignal();
    const startedAt = systemClock.monotonic();
    await systemClock.sleep(10, signal);
    expect(systemClock.monotonic() - startedAt).toBeGreaterThanOrEqual(9);
    expect(listeners()).toBe(0);
  });

  test("rejects with the signal's reason immediately and leaves no timer", async () => {
    const before = timers();
    const { signal, abort } = countedSignal();
    const sleep = rejection(systemClock.sleep(1e12, signal));
    expect(timers()).toBeGreaterThan(0);
    abort("awake");
    expect(await sleep).toBe("awake");
    expect(await rejection(systemClock.sleep(1e12, signal))).toBe("awake");
    expect(await isQuiet(before)).toBe(true);
  });
});
