import { describe, expect, test } from "vitest";
import { observe, type Svc } from "../../../src/index.js";
import { sampled } from "../../support/size.js";
import { flood, smallService } from "./support.js";

const CALLS = 200;
const MINUTE = 60_000;

/** The least it can take: a client cannot do better than to use up every window in no time. */
const idealMs = (perWindow: number) => (Math.ceil(CALLS / perWindow) - 1) * MINUTE;

describe("200 simultaneous calls to a service that accepts 50 a minute", () => {
  test("all succeed without a 429, as fast as the windows allow", async () => {
    const { clock, client, count } = smallService();
    const { failed, tookMs } = await clock.play(flood([client()], CALLS, clock));
    expect(failed).toBe(0);
    expect(count).toEqual({ sent: CALLS, refused: 0 });
    expect(tookMs).toBeLessThan(1.01 * idealMs(50));
    expect(clock.waiting).toBe(0);
  });

  test.each([
    ["10 at the beginning of each", 10, MINUTE, 40],
    ["10 a moment after the beginning of each", 10, MINUTE + 45, 40],
    ["one every six seconds", 1, 6_000, 40],
    ["bursts of 5 all through it", 5, 20_000, 35],
    ["half of it at once", 25, MINUTE, 25],
  ])(
    "all succeed with at most a tenth of 429s next to another program that uses %s",
    async (_, burst, everyMs, left) => {
      const { clock, client, neighbour, count } = smallService();
      void neighbour(burst, everyMs);
      const { failed, tookMs } = await clock.play(flood([client()], CALLS, clock));
      expect(failed).toBe(0);
      expect(count.refused).toBeLessThanOrEqual(CALLS / 10);
      expect(tookMs).toBeLessThan(1.2 * idealMs(left));
    },
  );

  test("all succeed next to an unrelated client, with fewer 429s from window to window", async () => {
    const { clock, client, count } = smallService();
    const { failed, tookMs } = await clock.play(flood([client(), client()], CALLS, clock));
    expect(failed).toBe(0);
    expect(count.refused).toBeLessThan(CALLS / 4);
    expect(tookMs).toBeLessThan(1.2 * idealMs(50));
  });

  test("each waiting call reports its wait once, with the maximum time", async () => {
    const { clock, client } = smallService();
    const waits: (number | undefined)[] = [];
    const svc = client({ use: [observe((event) => event.type === "wait" && waits.push(event.expectedMs))] });
    await clock.play(flood([svc], 60, clock));
    // Of the 45 that had no place at first, 35 went with the first answers.
    expect(waits).toEqual(Array.from({ length: 45 }, () => undefined));
    waits.length = 0;
    await clock.play(flood([svc], 100, clock));
    expect(waits.length).toBeGreaterThan(50);
    expect(waits.every((ms) => ms !== undefined && ms > 0 && ms <= MINUTE)).toBe(true);
  });

  test("a call that is aborted in the queue leaves it immediately and uses up no request", async () => {
    const { clock, client, count } = smallService();
    const svc = client();
    const controller = new AbortController();
    const given = Array.from({ length: 100 }, () =>
      svc.tools.listSlugs({ signal: controller.signal }).catch(() => "given up"),
    );
    const others = flood([svc], 100, clock);
    await clock.play(clock.sleep(1_000));
    controller.abort();
    const { failed } = await clock.play(others);
    expect(failed).toBe(0);
    expect((await Promise.all(given)).filter((result) => result === "given up")).toHaveLength(51);
    expect(count.sent).toBe(149);
    expect(svc.rateLimit).toMatchObject({ queued: 0, inFlight: 0 });
  });
});

describe("400 calls that start at the same time", () => {
  const refusedAt = async (limit: number, first?: (svc: Svc) => Promise<unknown>) => {
    const { clock, client, count } = smallService(limit);
    const svc = client();
    if (first) await clock.play(first(svc));
    const { failed } = await clock.play(flood([svc], 400, clock));
    expect({ limit, failed, served: count.sent - count.refused }).toEqual({
      limit,
      failed: 0,
      served: first ? 401 : 400,
    });
    return count.refused;
  };

  test.each(sampled([399, 50, 15], 3))("get no 429 from a service that accepts %i a minute", async (limit) => {
    expect(await refusedAt(limit)).toBe(0);
  });

  test("get no 429 from a service that accepts only 10 a minute, after one call that shows the limit", async () => {
    expect(await refusedAt(10)).toBeGreaterThan(0);
    expect(await refusedAt(10, (svc) => svc.session.info())).toBe(0);
  });
});

describe("the reserve for high priority", () => {
  test("lets a high-priority call start immediately in every window of a flood", async () => {
    const { clock, client } = smallService();
    const svc = client();
    const all = flood([svc], CALLS, clock);
    for (let window = 0; window < 3; window += 1) {
      await clock.play(clock.sleep(20_000));
      const startedAt = clock.monotonic();
      await clock.play(Promise.resolve(svc.tools.listSlugs({ priority: "high" })));
      expect(clock.monotonic() - startedAt).toBeLessThan(100);
      await clock.play(clock.sleep(40_000 - (clock.monotonic() - startedAt)));
    }
    expect((await clock.play(all)).failed).toBe(0);
  });

  test("is open to all calls in the second half of a window, so that nothing is lost", async () => {
    const { clock, client, emulator } = smallService();
    const svc = client();
    const all = flood([svc], 60, clock);
    await clock.play(clock.sleep(1_000));
    expect(emulator.requests).toHaveLength(49);
    expect(svc.rateLimit).toMatchObject({
      reported: { limit: 50, windowMs: MINUTE },
      remaining: 1,
      queued: 11,
      isBlocked: false,
    });
    await clock.play(clock.sleep(30_000));
    expect(emulator.requests).toHaveLength(50);
    await clock.play(all);
  });

  test("doesn't make small windows unusable", async () => {
    for (const limit of [1, 2, 19]) {
      const { clock, client } = smallService(limit);
      const { failed, tookMs } = await clock.play(flood([client()], limit * 2, clock));
      expect({ limit, failed, turns: Math.floor(tookMs / MINUTE) }).toEqual({ limit, failed: 0, turns: 1 });
    }
  });
});
