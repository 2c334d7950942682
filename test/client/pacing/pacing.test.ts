import { describe, expect, test } from "vitest";
import { RateLimitError } from "../../../src/index.js";
import { clientOf, emulated, rejection, rejectionOf, send } from "../../support/client.js";
import { fakeClock, settle } from "../../support/clock.js";
import { answeringService as server, window } from "./service.js";

describe("before the first response", () => {
  test("at most 16 calls are in flight, and one slot is for high priority", async () => {
    const { call, calls, arrived } = server();
    void calls(20);
    await settle();
    expect(arrived).toHaveLength(15);
    void call("high 1", "high");
    void call("high 2", "high");
    await settle();
    expect(arrived.slice(15)).toEqual(["high 1"]);
  });

  test("a service that reports no limit isn't throttled after the first response", async () => {
    const service = server();
    void service.calls(40);
    await settle();
    await service.answer();
    expect(service.arrived).toHaveLength(40);
    expect(service.svc.rateLimit).toMatchObject({ reported: undefined, remaining: undefined, inFlight: 39, queued: 0 });
  });

  test("an attempt without a response frees its slot for the next", async () => {
    const service = server();
    const controller = new AbortController();
    const given = Array.from({ length: 16 }, () =>
      rejection(send(service.svc, "safe", { signal: controller.signal, headers: { "x-label": "given up" } })),
    );
    void service.call("next");
    await settle();
    expect(service.arrived).not.toContain("next");
    controller.abort();
    await Promise.all(given);
    await settle();
    expect(service.arrived).toContain("next");
  });
});

describe("once the service has reported the remaining calls", () => {
  test("no more calls than that are in flight", async () => {
    const service = server();
    void service.call("first");
    await settle();
    await service.answer(window(3));
    void service.calls(10);
    await settle();
    expect(service.open).toHaveLength(3);
    await service.answer(window(2));
    expect(service.open).toHaveLength(2);
    await service.answer(window(1));
    expect(service.open).toHaveLength(1);
    await service.answer(window(0));
    expect(service.open).toEqual([]);
    expect(service.arrived).toHaveLength(4);
  });

  test("with 0 remaining, calls wait until the window resets, counted from its first response", async () => {
    const service = server();
    void service.call("first");
    await settle();
    service.clock.advance(2_000);
    await service.answer(window(0));
    service.clock.advance(13_000);
    const waiting = service.call("waiting");
    await settle();
    expect(service.clock.slept).toEqual([47_000]);
    service.clock.advance(46_999);
    await settle();
    expect(service.arrived).toEqual(["first"]);
    service.clock.advance(1);
    await settle();
    expect(service.arrived).toEqual(["first", "waiting"]);
    await service.answer(window(18));
    await waiting;
    expect(service.svc.rateLimit.remaining).toBe(18);
    expect(service.clock.waiting).toBe(0);
  });

  test("a slow call counts from when it was sent: its window started within three seconds, however late the response", async () => {
    const service = server();
    void service.call("first");
    await settle();
    service.clock.advance(50_000);
    await service.answer(window(0));
    void service.call("waiting");
    await settle();
    expect(service.clock.slept).toEqual([13_000]);
  });

  test("responses that overtake each other don't raise the count", async () => {
    const service = server();
    void service.calls(3);
    await settle();
    await service.answer(window(1));
    await service.answer(window(2));
    await service.answer(window(3));
    expect(service.svc.rateLimit.remaining).toBe(1);
    void service.calls(3);
    await settle();
    expect(service.open).toHaveLength(1);
  });

  test("a higher remaining count is a new window", async () => {
    const service = server();
    void service.call("first");
    await settle();
    await service.answer(window(1));
    void service.call("second");
    await settle();
    await service.answer(window(18));
    void service.calls(10);
    await settle();
    expect(service.open).toHaveLength(10);
  });

  test("a count that arrives after a far lower one isn't a new window, because other clients may have used the difference", async () => {
    const service = server();
    void service.calls(2);
    await settle();
    const [first = "", second = ""] = service.open;
    await service.answer(window(1), 200, second);
    await service.answer(window(18), 200, first);
    void service.calls(5);
    await settle();
    expect(service.open).toHaveLength(1);
  });

  test("a proxy's response without rate limit headers doesn't lift the limit", async () => {
    const service = server();
    void service.call("first");
    await settle();
    await service.answer(window(0));
    void service.calls(40);
    await settle();
    service.clock.advance(60_000);
    await settle();
    expect(service.open).toHaveLength(15);
    await service.answer({}, 502);
    expect(service.open).toHaveLength(15);
    await service.answer(window(18));
    expect(service.open).toHaveLength(18);
  });

  test.each([
    ["rate limit headers", {}],
    ["the remaining count", { "x-ratelimit": "19" }],
  ])("a successful response without %s doesn't lift the limit either", async (_, headers) => {
    const service = server();
    void service.calls(2);
    await settle();
    await service.answer(window(1));
    await service.answer(headers);
    expect(service.svc.rateLimit).toMatchObject({ reported: { limit: 19 }, remaining: 1 });
    void service.calls(5);
    await settle();
    expect(service.open).toHaveLength(1);
  });

  test("the same count again, as after a request that doesn't count, isn't a new window", async () => {
    const service = server();
    void service.call("first");
    await settle();
    await service.answer(window(5));
    service.clock.advance(20_000);
    void service.call("second");
    await settle();
    await service.answer(window(5));
    expect(service.svc.rateLimit.resetsInMs).toBe(40_000);
  });

  test("a new window starts as cautiously as the client did", async () => {
    const service = server();
    void service.call("first");
    await settle();
    await service.answer(window(0));
    void service.calls(50);
    await settle();
    service.clock.advance(60_000);
    await settle();
    expect(service.open).toHaveLength(15);
    await service.answer(window(18));
    expect(service.open).toHaveLength(18);
  });

  test("if the window's size is unknown, one call at a time is sent to find out", async () => {
    const service = server();
    void service.call("first");
    await settle();
    await service.answer({ "x-ratelimit-remaining": "0" });
    void service.calls(5);
    await settle();
    expect(service.open).toHaveLength(1);
    await service.answer({ "x-ratelimit-remaining": "0" });
    expect(service.open).toHaveLength(1);
    expect(service.clock.waiting).toBe(0);
  });

  test("a window that resets later than maxRetryDelayMs blocks no call: one at a time is sent to find out", async () => {
    const service = server();
    void service.call("first");
    await settle();
    await service.answer({ ...window(0), "x-ratelimit-window-size": "86400s" });
    void service.calls(3);
    await settle();
    expect(service.open).toHaveLength(1);
    await service.answer({ ...window(0), "x-ratelimit-window-size": "86400s" });
    expect(service.open).toHaveLength(1);
  });

  test("calls in flight while the window resets leave no call waiting forever", async () => {
    const service = server();
    void service.call("first");
    await settle();
    await service.answer(window(18));
    void service.calls(18);
    const last = service.call("last");
    await settle();
    expect(service.open).toHaveLength(18);
    // They take longer than the window; their answers then speak of the new one, which others have used up.
    service.clock.advance(60_000);
    await settle();
    while (service.open.length > 0 && service.open[0] !== "last") await service.answer(window(0));
    service.clock.advance(60_000);
    await settle();
    expect(service.arrived).toContain("last");
    await service.answer(window(18));
    await last;
  });
});

describe("after a 429", () => {
  test("all calls of the client wait as long as the service asked", async () => {
    const service = server();
    void service.calls(2);
    await settle();
    await service.answer(window(50));
    await service.answer({ ...window(50), "retry-after": "20" }, 429);
    void service.calls(5);
    await settle();
    expect(service.open).toEqual([]);
    expect(service.clock.slept).toEqual([20_000]);
    service.clock.advance(19_999);
    await settle();
    expect(service.open).toEqual([]);
    service.clock.advance(1);
    await settle();
    expect(service.open).toHaveLength(5);
  });

  test("a longer wait of a second 429 applies", async () => {
    const service = server();
    void service.calls(2);
    await settle();
    await service.answer({ "retry-after": "10" }, 429);
    service.clock.advance(5_000);
    await service.answer({ "retry-after": "30" }, 429);
    void service.call("waiting");
    await settle();
    service.clock.advance(29_999);
    await settle();
    expect(service.arrived).not.toContain("waiting");
    service.clock.advance(1);
    await settle();
    expect(service.arrived).toContain("waiting");
  });

  test("a shorter wait of a second 429 doesn't shorten the first", async () => {
    const service = server();
    void service.calls(2);
    await settle();
    await service.answer({ "retry-after": "30" }, 429);
    await service.answer({ "retry-after": "10" }, 429);
    void service.call("waiting");
    await settle();
    expect(service.clock.slept).toEqual([30_000]);
  });

  test("that asks for longer than any call may wait, the next call is sent too and fails immediately", async () => {
    const service = server();
    const first = service.call("first");
    await settle();
    await service.answer({ "retry-after": "3600" }, 429);
    expect(await first).toMatchObject({ retryAfterMs: 3_600_000 });
    const second = service.call("second");
    await settle();
    expect(service.clock.waiting).toBe(0);
    await service.answer({ "retry-after": "3599" }, 429);
    expect(await second).toBeInstanceOf(RateLimitError);
  });

  test("a client that uses up the emulator's window waits and gets every response", async () => {
    const { svc, clock, emulator } = emulated({}, { rateLimit: { limit: 5, windowSeconds: 60 } });
    for (let call = 0; call < 12; call += 1) await svc.tools.listSlugs();
    expect(emulator.requests.filter(({ status }) => status === 429)).toEqual([]);
    expect(clock.slept).toEqual([60_000, 60_000]);
  });

  test("a second client, which doesn't know the window, gets a 429 and waits", async () => {
    const { svc, emulator } = emulated({}, { rateLimit: { limit: 3, windowSeconds: 60 } });
    for (let call = 0; call < 3; call += 1) await svc.tools.listSlugs();
    const clock = fakeClock(emulator);
    const neighbour = clientOf(emulator.fetch, { ...emulator.connection, clock });
    const { meta } = await neighbour.tools.listSlugs().withResponse();
    expect(meta.attempts).toBe(2);
    expect(clock.slept).toEqual([60_000]);
    emulator.reset();
    for (let call = 0; call < 3; call += 1) await clientOf(emulator.fetch, emulator.connection).tools.listSlugs();
    const impatient = clientOf(emulator.fetch, { ...emulator.connection, maxRetries: 0 });
    const error = await rejectionOf(RateLimitError, impatient.tools.listSlugs());
    expect(error).toMatchObject({ isServiceLimit: true, retryAfterMs: 60_000, condition: undefined });
    expect(error.rateLimit).toEqual({ limit: 3, remaining: 0, windowMs: 60_000 });
    expect(error.message).toContain("Rate limit exceeded. Limit: 3 requests per 60 seconds");
  });
});

describe("priority", () => {
  test("high-priority calls pass waiting calls, and calls of one priority keep their order", async () => {
    const service = server();
    void service.call("first");
    await settle();
    await service.answer(window(1));
    void service.call("in flight");
    void service.call("normal 1");
    void service.call("normal 2");
    void service.call("high 1", "high");
    void service.call("high 2", "high");
    await settle();
    for (let turn = 0; turn < 5; turn += 1) await service.answer(window(1));
    expect(service.arrived).toEqual(["first", "in flight", "high 1", "high 2", "normal 1", "normal 2"]);
  });

  test("a call that is aborted after it got its slot removes no other call from the queue", async () => {
    const service = server();
    const controller = new AbortController();
    void service.call("first");
    await settle();
    await service.answer(window(1));
    void service.call("in flight");
    const given = rejection(
      send(service.svc, "safe", { signal: controller.signal, headers: { "x-label": "given up" } }),
    );
    void service.call("waiting");
    await settle();
    await service.answer(window(1));
    expect(service.arrived.at(-1)).toBe("given up");
    controller.abort("enough");
    expect(await given).toBe("enough");
    await settle();
    expect(service.arrived.at(-1)).toBe("waiting");
  });

  test("a new call queues behind waiting calls, even if it would have a slot", async () => {
    const service = server();
    void service.calls(17);
    await settle();
    void service.call("late");
    await settle();
    await service.answer();
    expect(service.arrived.slice(16)).toEqual(["17", "late"]);
  });

  test("a call without a credential doesn't wait, and its response doesn't affect the window", async () => {
    const service = server();
    void service.call("first");
    await settle();
    await service.answer(window(0));
    void service.call("waits");
    const revoked = service.svc.apiKeys.revoke({ api_keys: ["ak_leaked"] });
    await settle();
    expect(service.open).toEqual([""]);
    await service.answer(window(18), 200, "", {});
    await revoked;
    expect(service.open).toEqual([]);
    expect(service.svc.rateLimit).toMatchObject({ remaining: 0, queued: 1 });
  });
});
