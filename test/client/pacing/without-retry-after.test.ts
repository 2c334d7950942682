import { describe, expect, test } from "vitest";
import { RateLimitError } from "../../../src/index.js";
import { clientOf, send } from "../../support/client.js";
import { settle } from "../../support/clock.js";
import { type AnsweringService, answeringService, window } from "./service.js";
import { virtualClock } from "./support.js";

/** A service that only throttles and asks for nothing, 20 ms away. */
function throttling(refuses = () => true) {
  const clock = virtualClock();
  const count = { sent: 0, inFlight: 0, mostInFlight: 0 };
  const svc = clientOf(
    async () => {
      count.sent += 1;
      count.inFlight += 1;
      count.mostInFlight = Math.max(count.mostInFlight, count.inFlight);
      const isRefused = refuses();
      await clock.sleep(20);
      count.inFlight -= 1;
      return isRefused ? Response.json({ message: "Too many requests" }, { status: 429 }) : Response.json({ ok: true });
    },
    { clock },
  );
  return { svc, clock, count };
}

/** Refuses the oldest request with nothing but a message, and says how long that holds back another call. */
async function holdOf(service: AnsweringService, headers?: Record<string, string>): Promise<number> {
  await service.answer(headers, 429);
  const { isBlocked, resetsInMs = 0 } = service.svc.rateLimit;
  expect(isBlocked).toBe(true);
  void service.call("next");
  await settle();
  service.clock.advance(resetsInMs - 1);
  await settle();
  expect(service.open).toEqual([]);
  service.clock.advance(1);
  await settle();
  expect(service.open).toEqual(["next"]);
  return resetsInMs;
}

describe("a service that returns 429s without Retry-After", () => {
  test("gets at most 1.1 requests per call for 500 simultaneous updates, with at most 16 in flight", async () => {
    const { svc, clock, count } = throttling();
    const calls = Array.from({ length: 500 }, () => send(svc, "idempotent").catch((error: unknown) => error));
    const errors = await clock.play(Promise.all(calls));
    expect(errors.filter((error) => error instanceof RateLimitError)).toHaveLength(500);
    expect(count.sent).toBe(500 + 20);
    expect(count.mostInFlight).toBeLessThanOrEqual(16);
  });

  test("gets at most 1.1 requests per call for 200 executions, of which it accepts 50 a minute", async () => {
    let left = 50;
    const { svc, clock, count } = throttling(() => {
      left -= 1;
      return left < 0;
    });
    await clock.play(Promise.allSettled(Array.from({ length: 200 }, () => send(svc, "effect"))));
    expect(count.sent).toBeLessThanOrEqual(220);
  });
});

describe("a 429 without Retry-After", () => {
  test("delays all calls, twice as long each time, from a quarter of a second to four seconds", async () => {
    const service = answeringService();
    void service.call("first");
    await settle();
    const holds: number[] = [];
    for (let refusal = 0; refusal < 6; refusal += 1) holds.push(await holdOf(service));
    expect(holds).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000]);
    await service.answer();
    void service.call("served");
    await settle();
    expect(await holdOf(service)).toBe(250);
  });

  test("counts once, however many arrive at the same time", async () => {
    const service = answeringService();
    void service.calls(3);
    await settle();
    for (let refusal = 0; refusal < 3; refusal += 1) await service.answer({}, 429);
    expect(service.svc.rateLimit).toMatchObject({ isBlocked: true, resetsInMs: 250 });
  });

  test("delays calls until the window resets, if that is known", async () => {
    const service = answeringService();
    void service.calls(2);
    await settle();
    await service.answer(window(18));
    service.clock.advance(20_000);
    expect(await holdOf(service)).toBe(40_000);
  });

  test.each(["0", "Wed, 31 Dec 2025 23:59:59 GMT"])(
    "doesn't concern the window if it names another time: Retry-After %s",
    async (asked) => {
      const service = answeringService();
      void service.call("first");
      await settle();
      expect(await holdOf(service, { ...window(0), "retry-after": asked })).toBe(250);
    },
  );

  test("falls back to the window if its Retry-After can't be read", async () => {
    const service = answeringService();
    void service.call("first");
    await settle();
    expect(await holdOf(service, { ...window(0), "retry-after": "soon" })).toBe(60_000);
  });

  test("doesn't affect the window if it reports remaining requests", async () => {
    const service = answeringService();
    void service.call("first");
    await settle();
    expect(await holdOf(service, window(18))).toBe(250);
  });

  test("doesn't wait for a window that resets later than maxRetryDelayMs", async () => {
    const service = answeringService();
    void service.call("first");
    await settle();
    expect(await holdOf(service, { ...window(0), "x-ratelimit-window-size": "86400s" })).toBe(250);
  });

  test("doesn't affect the next window", async () => {
    const service = answeringService();
    void service.calls(2);
    await settle();
    await service.answer(window(18));
    service.clock.advance(60_000);
    await service.answer({}, 429);
    expect(service.svc.rateLimit.isBlocked).toBe(false);
  });

  test("of a provider, passed through, delays no other call", async () => {
    const service = answeringService();
    void service.calls(16);
    await settle();
    await service.answer({ "retry-after": "30" }, 429, "1", { error: { message: "GitHub says no" } });
    expect(service.svc.rateLimit.isBlocked).toBe(false);
    expect(service.open).toContain("16");
  });

  test("lets only a few calls start after it, whatever the limit was", async () => {
    const service = answeringService();
    void service.call("first");
    await settle();
    await service.answer(window(2_000, 2_000), 429);
    service.clock.advance(250);
    void service.calls(40);
    await settle();
    expect(service.open).toHaveLength(15);
  });
});

test("a failure that reports a limit but no remaining count doesn't mean that all of it is left", async () => {
  const service = answeringService();
  void service.calls(100);
  await settle();
  await service.answer({ "x-ratelimit": "50" }, 500);
  expect(service.open).toHaveLength(15);
});

describe("a first response without rate limit headers", () => {
  test.each([302, 404, 429, 500, 502])("with status %i doesn't mean that there is no limit", async (status) => {
    const service = answeringService();
    void service.calls(100);
    await settle();
    await service.answer({}, status);
    expect(service.open.length).toBeLessThanOrEqual(15);
  });
});
