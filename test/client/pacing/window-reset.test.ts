import { describe, expect, test } from "vitest";
import { sharedRateLimit } from "../../../src/stores/index.js";
import { send } from "../../support/client.js";
import { settle } from "../../support/clock.js";
import { answeringService, window } from "./service.js";
import { memoryWindow } from "./support.js";

/** A service whose window has just turned, with calls from before that are not answered yet. */
async function turned(before: number) {
  const service = answeringService();
  void service.call("first");
  await settle();
  await service.answer(window(18));
  for (let index = 0; index < before; index += 1) void service.call("before");
  await settle();
  service.clock.advance(60_000);
  return service;
}

describe("calls in flight while the window resets", () => {
  test("count toward the new window for three seconds, in which they may still reach the service", async () => {
    const service = await turned(18);
    void service.calls(20);
    await settle();
    expect(service.open).toHaveLength(18);
    service.clock.advance(2_999);
    await settle();
    expect(service.open).toHaveLength(18);
    service.clock.advance(1);
    await settle();
    expect(service.open).toHaveLength(18 + 15);
    expect(Math.min(...service.clock.slept)).toBeGreaterThanOrEqual(500);
  });

  test("count for only a quarter of a short window", async () => {
    const service = answeringService();
    void service.call("first");
    await settle();
    await service.answer({ ...window(18), "x-ratelimit-window-size": "4s" });
    for (let index = 0; index < 18; index += 1) void service.call("before");
    await settle();
    service.clock.advance(4_000);
    void service.calls(20);
    await settle();
    expect(service.open).toHaveLength(18);
    service.clock.advance(1_000);
    await settle();
    expect(service.open).toHaveLength(18 + 15);
  });

  test("count toward no window after that", async () => {
    const service = await turned(1);
    void service.call("second");
    await settle();
    service.clock.advance(63_000);
    void service.calls(20);
    await settle();
    expect(service.open).toHaveLength(2 + 14);
    await service.answer({}, 500, "before");
    expect(service.open).toHaveLength(1 + 14);
    await service.answer({}, 500, "second");
    expect(service.open).toHaveLength(15);
  });

  test("reject no call whose deadline allows it to wait those three seconds", async () => {
    const service = await turned(5);
    void service.call("new");
    await settle();
    await service.answer(window(3), 200, "new");
    const patient = send(service.svc, "safe", { deadlineMs: 10_000, headers: { "x-label": "patient" } });
    await settle();
    expect(service.open).not.toContain("patient");
    service.clock.advance(3_000);
    await settle();
    expect(service.open).toContain("patient");
    await service.answer({}, 200, "patient");
    expect(await patient).toEqual({ message: "m" });
  });

  test("free their slots immediately if they end in that time", async () => {
    const service = await turned(18);
    void service.calls(20);
    await settle();
    for (let index = 0; index < 10; index += 1) await service.answer(window(0), 200, "before");
    expect(service.open).toHaveLength(8 + 7);
  });

  test("don't affect the new window with a low count", async () => {
    const service = await turned(4);
    service.clock.advance(3_000);
    void service.calls(30);
    await settle();
    await service.answer(window(0), 200, "before");
    await service.answer(window(18), 200, "1");
    expect(service.open.filter((label) => label !== "before")).toHaveLength(18);
  });

  test("open the new window with a high count, because it's no smaller than the last", async () => {
    const service = await turned(4);
    service.clock.advance(3_000);
    void service.calls(30);
    await settle();
    expect(service.open.filter((label) => label !== "before")).toHaveLength(15);
    await service.answer(window(17), 200, "before");
    expect(service.open.filter((label) => label !== "before")).toHaveLength(17);
    await service.answer(window(18), 200, "before");
    expect(service.open.filter((label) => label !== "before")).toHaveLength(17);
  });

  test("don't raise a count that the new window has reported", async () => {
    const service = await turned(4);
    service.clock.advance(3_000);
    void service.call("new");
    await settle();
    await service.answer(window(3), 200, "new");
    await service.answer(window(18), 200, "before");
    expect(service.svc.rateLimit.remaining).toBe(3);
  });

  test("don't show that there is no limit", async () => {
    const service = answeringService();
    void service.call("before");
    await settle();
    service.clock.advance(63_000);
    void service.calls(40);
    await settle();
    await service.answer({}, 200, "before");
    expect(service.open).toHaveLength(15);
    await service.answer({}, 200, "1");
    expect(service.open).toHaveLength(39);
  });
});

test("a client with a small share of the last window starts the next more cautiously", async () => {
  const service = await turned(0);
  void service.call("mine");
  await settle();
  // All but one of the requests counted in this window were somebody else's.
  await service.answer(window(1));
  service.clock.advance(60_000);
  void service.calls(20);
  await settle();
  expect(service.open).toHaveLength(3);
  await service.answer(window(18));
  expect(service.open).toHaveLength(5);
  service.clock.advance(40_000);
  await settle();
  expect(Math.min(...service.clock.slept)).toBeGreaterThanOrEqual(500);
});

test("the state contains the reported limit, what is left, and what is waiting", async () => {
  const service = answeringService();
  expect(service.svc.rateLimit).toEqual({
    reported: undefined,
    remaining: undefined,
    inFlight: 0,
    queued: 0,
    isBlocked: false,
    resetsInMs: undefined,
    isShared: false,
  });
  void service.call("first");
  void service.call("second");
  await settle();
  await service.answer(window(1));
  await service.answer(window(2));
  void service.calls(3);
  await settle();
  service.clock.advance(10_000);
  expect(service.svc.rateLimit).toMatchObject({
    reported: { limit: 19, remaining: 2, windowMs: 60_000 },
    remaining: 1,
    inFlight: 1,
    queued: 2,
    isBlocked: false,
    resetsInMs: 50_000,
  });
  await service.answer({ ...window(0), "retry-after": "20" }, 429);
  expect(service.svc.rateLimit).toMatchObject({
    remaining: 0,
    inFlight: 0,
    queued: 2,
    isBlocked: true,
    resetsInMs: 20_000,
  });
  service.clock.advance(20_000);
  expect(service.svc.rateLimit).toMatchObject({ reported: { remaining: 0 }, remaining: undefined, isBlocked: false });
});

test("a new window starts high-priority calls first", async () => {
  const service = answeringService();
  void service.call("first");
  await settle();
  await service.answer({ ...window(18), "retry-after": "20" }, 429);
  for (let index = 0; index < 10; index += 1) void service.call("normal");
  for (let index = 0; index < 150; index += 1) void service.call("high", "high");
  service.clock.advance(20_000);
  await settle();
  await service.answer();
  await service.answer(window(500, 1_000));
  for (let task = 0; task < 5; task += 1) await settle();
  expect(service.arrived).toHaveLength(161);
  expect(service.arrived.indexOf("normal")).toBe(151);
});

test.each([
  ["its own window", false],
  ["a shared window", true],
])("a client with %s knows what remains after the first response of a later window", async (_, isShared) => {
  const service = answeringService((clock) =>
    isShared ? { sharedRateLimit: sharedRateLimit(memoryWindow(clock)) } : {},
  );
  void service.call("first");
  await settle();
  await service.answer(window(18));
  service.clock.advance(70_000);
  void service.call("later");
  await settle();
  await service.answer(window(9));
  expect(service.svc.rateLimit).toMatchObject({ remaining: 9, isShared });
});
