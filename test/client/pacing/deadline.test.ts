import { describe, expect, test } from "vitest";
import { observe, RateLimitError, type Svc, TimeoutError } from "../../../src/index.js";
import { sharedRateLimit } from "../../../src/stores/index.js";
import { rejectionOf, send } from "../../support/client.js";
import { settle } from "../../support/clock.js";
import { answeringService, window } from "./service.js";
import { memoryWindow } from "./support.js";

const bounded = (svc: Svc, deadlineMs: number) => rejectionOf(TimeoutError, send(svc, "effect", { deadlineMs }));

/** A service that has just been asked for by one call, which is not answered yet. */
async function asked(isShared = false) {
  const service = answeringService((clock) =>
    isShared ? { sharedRateLimit: sharedRateLimit(memoryWindow(clock)) } : {},
  );
  void service.call("first");
  await settle();
  return service;
}

describe.each([
  ["a client's own window", false],
  ["a shared one", true],
])("a wait that doesn't fit into the limit fails immediately, by %s", (_, isShared) => {
  test("rejects a new call during a longer wait, and says when to retry", async () => {
    const service = await asked(isShared);
    await service.answer({ "retry-after": "30" }, 429);
    service.clock.advance(10_000);
    const error = await bounded(service.svc, 15_000);
    expect(error).toMatchObject({
      option: "deadlineMs",
      phase: "queue",
      timeoutMs: 15_000,
      attempts: 0,
      outcome: "not_sent",
      retryAfterMs: 20_000,
      retryAt: new Date(service.clock.now() + 20_000),
    });
    expect(error.message).toBe(
      "probe.effect: no result within deadlineMs (15000 ms): the rate limit blocks new calls for another 20 s.",
    );
    expect(service.svc.rateLimit.queued).toBe(0);
  });

  test("rejects waiting calls, but not those with enough time or without a deadline", async () => {
    const service = await asked(isShared);
    await service.answer(window(1));
    void service.call("in flight");
    await settle();
    const short = bounded(service.svc, 15_000);
    const patient = send(service.svc, "safe", { deadlineMs: 25_000, headers: { "x-label": "patient" } });
    void service.call("endless");
    await settle();
    expect(service.svc.rateLimit.queued).toBe(3);
    await service.answer({ "retry-after": "20" }, 429);
    expect(await short).toMatchObject({ retryAfterMs: 20_000 });
    expect(service.svc.rateLimit.queued).toBe(2);
    service.clock.advance(20_000);
    await settle();
    await settle();
    expect(service.arrived.slice(2)).toEqual(["patient", "endless"]);
    await service.answer();
    await patient;
  });

  test("rejects a call for which the used-up window resets too late", async () => {
    const service = await asked(isShared);
    await service.answer(window(0));
    expect(await bounded(service.svc, 59_999)).toMatchObject({ retryAfterMs: 60_000 });
    expect(await bounded(service.svc, 60_000)).toMatchObject({ retryAfterMs: 60_000 });
  });
});

test("a call that is rejected at once never waited", async () => {
  const events: string[] = [];
  const service = answeringService(() => ({ use: [observe(({ type }) => events.push(type))] }));
  void service.call("first");
  await settle();
  await service.answer({ "retry-after": "30" }, 429);
  events.length = 0;
  await bounded(service.svc, 15_000);
  void service.call("waiting");
  await settle();
  expect(events).toEqual(["request", "result", "request", "wait"]);
});

test("each longer wait rejects the calls whose deadlines it passes, the earliest first", async () => {
  const service = answeringService();
  void service.calls(3);
  await settle();
  await service.answer({ "retry-after": "10" }, 429, "1");
  const rejected: number[] = [];
  for (const deadlineMs of [50_000, 15_000, 25_000, 35_000]) {
    void bounded(service.svc, deadlineMs).then(() => rejected.push(deadlineMs));
  }
  await settle();
  expect(rejected).toEqual([]);
  await service.answer({ "retry-after": "20" }, 429, "2");
  expect(rejected).toEqual([15_000]);
  await service.answer({ "retry-after": "40" }, 429, "3");
  expect(rejected).toEqual([15_000, 25_000, 35_000]);
  expect(service.svc.rateLimit.queued).toBe(1);
});

test("calls that have left the queue aren't rejected again", async () => {
  const service = answeringService();
  void service.calls(2);
  await settle();
  await service.answer({ "retry-after": "10" }, 429, "1");
  const controller = new AbortController();
  const [oldest, left] = [service.call("oldest"), send(service.svc, "safe", { signal: controller.signal })];
  controller.abort(new Error("not needed anymore"));
  await expect(left).rejects.toThrow("not needed anymore");
  await service.answer({ "retry-after": "3600" }, 429, "2");
  expect(await oldest).toBeInstanceOf(RateLimitError);
  expect(service.svc.rateLimit.queued).toBe(0);
});

test("a call waits for a response in flight, which may report a new window", async () => {
  const service = await asked();
  void service.call("second");
  await settle();
  await service.answer(window(0));
  const waiting = send(service.svc, "safe", { deadlineMs: 30_000, headers: { "x-label": "waiting" } });
  void waiting.catch(() => undefined);
  await settle();
  expect(service.svc.rateLimit.queued).toBe(1);
  await service.answer(window(0));
  expect(await rejectionOf(TimeoutError, waiting)).toMatchObject({ retryAfterMs: 60_000 });
});
