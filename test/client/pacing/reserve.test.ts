import { describe, expect, test } from "vitest";
import { observe, type SvcEvent } from "../../../src/index.js";
import { clientOf, rejection, send } from "../../support/client.js";
import { heldClock, settle } from "../../support/clock.js";
import { deafSilence, scriptedFetch } from "../../support/scripted-fetch.js";
import { answeringService, window } from "./service.js";

const said = (limit: number, remaining: number, windowSize = "60s") => ({
  "x-ratelimit": String(limit),
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-window-size": windowSize,
});

/** A client that was answered so once; whatever it sends then stays in flight. */
async function after(answer: Response) {
  const clock = heldClock();
  const fetch = scriptedFetch(answer, deafSilence);
  const events: SvcEvent[] = [];
  const svc = clientOf(fetch, { clock, maxRetries: 0, onEvent: (event) => void events.push(event) });
  await Promise.allSettled([send(svc)]);
  const calls = async (count: number, priority: "normal" | "high" = "normal") => {
    for (let call = 0; call < count; call += 1) void rejection(send(svc, "safe", { priority }));
    await settle();
  };
  return {
    clock,
    calls,
    inFlight: () => fetch.sent.length - 1,
    waits: () => events.flatMap((event) => (event.type === "wait" ? [event.expectedMs] : [])),
  };
}

const answered = (...window: Parameters<typeof said>) =>
  after(Response.json({ ok: true }, { headers: said(...window) }));

describe("the reserve for high priority", () => {
  test.each([
    [19, 3, 3],
    [20, 3, 2],
    [99, 5, 4],
    [100, 5, 3],
    [149, 5, 3],
    [150, 5, 2],
  ])(
    "with a limit of %i and %i remaining, leaves %i to normal calls and all to high-priority ones",
    async (limit, left, normal) => {
      const { calls, inFlight } = await answered(limit, left);
      await calls(10);
      expect(inFlight()).toBe(normal);
      await calls(10, "high");
      expect(inFlight()).toBe(left);
    },
  );

  test("a high-priority call that uses it reports no wait", async () => {
    const { calls, inFlight, waits } = await answered(20, 2);
    await calls(2);
    await calls(1, "high");
    expect(inFlight()).toBe(2);
    expect(waits()).toEqual([30_000]);
  });

  test.each([
    ["60s", 30_000],
    ["10s", 5_000],
  ])("is open to all calls after half of a window of %s", async (size, half) => {
    const { clock, calls, inFlight, waits } = await answered(20, 1, size);
    await calls(2);
    expect(inFlight()).toBe(0);
    expect(waits()).toEqual([half, half]);
    clock.advance(half - 1);
    await settle();
    expect(inFlight()).toBe(0);
    clock.advance(1);
    await settle();
    expect(inFlight()).toBe(1);
  });

  test("doesn't exist if nothing is left, or once half of the window has passed", async () => {
    const { clock, calls, waits } = await answered(20, 0);
    await calls(1);
    clock.advance(40_000);
    await calls(1);
    expect(waits()).toEqual([60_000, 20_000]);
    const late = await answered(20, 1);
    late.clock.advance(30_000);
    await late.calls(1);
    expect(late.inFlight()).toBe(1);
  });

  test("doesn't exist for a window of unknown size", async () => {
    const headers = { "x-ratelimit": "100", "x-ratelimit-remaining": "2" };
    const { calls, inFlight } = await after(Response.json({ ok: true }, { headers }));
    await calls(5);
    expect(inFlight()).toBe(2);
  });
});

describe("calls that have waited a whole window", () => {
  /** A service whose next window lets 15 calls go, and has one left after them; how many then follow without a wait. */
  async function followed(before: number, later: number): Promise<number> {
    const service = answeringService();
    void service.call("first");
    await settle();
    await service.answer(window(0, 20));
    const arrived = () => service.arrived.length - 1;
    for (let call = 0; call < before; call += 1) void service.call(`before ${call}`);
    await settle();
    service.clock.advance(60_000);
    await settle();
    for (let call = 0; call < later; call += 1) void service.call(`later ${call}`);
    await settle();
    const { length } = service.open;
    for (let call = 0; call < length; call += 1) await service.answer(window(1, 20));
    return arrived() - length;
  }

  test("use the reserve if all of them fit into it, because they are the end of a burst", async () => {
    expect(await followed(16, 0)).toBe(1);
  });

  test("don't use the reserve if more of them are waiting", async () => {
    expect(await followed(17, 0)).toBe(0);
  });

  test("don't use the reserve if they arrived after the reset", async () => {
    expect(await followed(15, 1)).toBe(0);
  });
});

describe("a client's share of the last window", () => {
  /**
   * How many of 40 requests that are left a client takes that made so many of the 40 that were used in the window
   * before.
   */
  async function taken(own: number): Promise<number> {
    const service = answeringService();
    const oneWindow = async (calls: number, remaining: number) => {
      service.clock.advance(70_000);
      for (let call = 0; call < calls; call += 1) {
        void service.call(`call ${call}`);
        await settle();
        await service.answer(window(remaining, 100));
      }
    };
    await oneWindow(3, 90);
    await oneWindow(own, 60);
    await oneWindow(1, 40);
    void service.calls(50);
    await settle();
    return service.open.length;
  }

  test.each([
    [40, 38],
    [30, 30],
    [20, 20],
    [10, 10],
    [1, 10],
  ])("if it was %i of 40, uses %i of the remaining calls immediately, at least a quarter", async (own, atOnce) => {
    expect(await taken(own)).toBe(atOnce);
  });

  test.each([
    [0, 15],
    [10, 4],
  ])("in a first window with %i rejected requests, then starts %i calls", async (rejected, calls) => {
    const service = answeringService();
    void service.call("first");
    await settle();
    await service.answer(window(19));
    void service.calls(14);
    await settle();
    for (let call = 0; call < 14 - rejected; call += 1) await service.answer(window(0));
    for (let call = 0; call < rejected; call += 1) await service.answer({ "retry-after": "20" }, 429);
    service.clock.advance(60_000);
    void service.calls(40);
    await settle();
    expect(service.open).toHaveLength(calls);
  });
});

test("a slow call in a short window counts as sent within its first quarter, however late the response", async () => {
  const clock = heldClock();
  const slow = () => {
    clock.advance(2_000);
    return Response.json({ ok: true }, { headers: said(19, 0, "4s") });
  };
  const waits: (number | undefined)[] = [];
  const onEvent = (event: SvcEvent) => void (event.type === "wait" && waits.push(event.expectedMs));
  const svc = clientOf(scriptedFetch(slow, deafSilence), { clock, onEvent });
  await send(svc);
  void rejection(send(svc));
  await settle();
  expect(waits).toEqual([3_000]);
});

describe("a waiting call knows when more calls can start", () => {
  test("after a 429: when the requested time is over", async () => {
    const { clock, calls, waits, inFlight } = await after(
      Response.json({ message: "Slow down" }, { status: 429, headers: { "retry-after": "20" } }),
    );
    clock.advance(5_000);
    await calls(1);
    expect(waits()).toEqual([15_000]);
    clock.advance(15_000);
    await settle();
    expect(inFlight()).toBe(1);
  });

  /** A service, and what its waiting calls expect. */
  function listening() {
    const waits: (number | undefined)[] = [];
    const listener = observe((event) => event.type === "wait" && waits.push(event.expectedMs));
    return { ...answeringService(() => ({ use: [listener] })), waits };
  }

  test("after a 429 while other responses are late: when the requested time is over", async () => {
    const { answer, call, calls, waits } = listening();
    void calls(2);
    await settle();
    await answer({ "retry-after": "20" }, 429, "1");
    void call("waiting");
    await settle();
    expect(waits).toEqual([20_000]);
  });

  test("after a failure that reported the count: when the window resets", async () => {
    const { answer, call, waits } = listening();
    void call("first");
    await settle();
    await answer(window(0), 404, "first");
    void call("waiting");
    await settle();
    expect(waits).toEqual([60_000]);
  });

  test("but not before a window's first response, which rarely takes long", async () => {
    const { calls, waits } = listening();
    void calls(16);
    await settle();
    expect(waits).toEqual([undefined]);
  });

  test("and reports it once, however often the queue is checked", async () => {
    const { clock, calls, waits } = await answered(19, 0);
    await calls(1);
    clock.advance(1_000);
    await calls(1);
    clock.advance(1_000);
    await calls(1, "high");
    expect(waits()).toEqual([60_000, 59_000, 58_000]);
  });
});
