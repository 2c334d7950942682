import { describe, expect, test, vi } from "vitest";
import { ConfigError, type SvcOptions } from "../../src/index.js";
import { type RateLimitStore, sharedRateLimit } from "../../src/stores/index.js";
import { flood, memoryWindow, smallService } from "../client/pacing/support.js";

/** A small service, and clients of it that share a window. */
function fleet(size: number, options: SvcOptions = {}) {
  const service = smallService();
  const store = memoryWindow(service.clock);
  const warnings: string[] = [];
  const shared = sharedRateLimit(store, { onOutage: (problem) => void warnings.push(problem) });
  const svcs = Array.from({ length: size }, () => service.client({ sharedRateLimit: shared, ...options }));
  return { ...service, store, svcs, warnings };
}

const refused = () => Promise.reject(Object.assign(new Error("redis://:s3cret@host"), { code: "ECONNREFUSED" }));
const silent = () => new Promise<never>(() => undefined);

describe("four clients that share a window, 200 simultaneous calls, 50 a minute", () => {
  test("all succeed with at most a tenth of 429s, as fast as the windows allow", async () => {
    const { svcs, clock, count, store, warnings } = fleet(4);
    const { failed, tookMs } = await clock.play(flood(svcs, 200, clock));
    expect(failed).toBe(0);
    expect(count.refused).toBeLessThanOrEqual(20);
    expect(tookMs).toBeLessThan(1.2 * 180_000);
    expect(warnings).toEqual([]);
    expect(clock.waiting).toBe(0);
    expect(svcs[0]?.rateLimit).toMatchObject({ isShared: true, inFlight: 0, queued: 0 });
    expect(JSON.parse(store.text?.slice(2) ?? "")).toMatchObject({ inFlight: 0, carried: 0, started: count.sent });
  });

  test("at most 16 of them are in flight until the limit is known", async () => {
    const { svcs, clock, emulator } = fleet(4);
    const all = flood(svcs, 200, clock);
    await clock.play(clock.sleep(4));
    expect(svcs.reduce((sum, svc) => sum + svc.rateLimit.inFlight, 0)).toBe(15);
    expect(emulator.requests).toHaveLength(0);
    // After each turn the others look often, so that the first response serves all of them soon.
    await clock.play(clock.sleep(60_250));
    expect(emulator.requests.length).toBeGreaterThanOrEqual(99);
    await clock.play(all);
  });

  test("unused slots are returned", async () => {
    const { svcs, clock, store, count } = fleet(1);
    const controller = new AbortController();
    const calls = Array.from({ length: 8 }, async () => svcs[0]?.tools.listSlugs({ signal: controller.signal }));
    const ended = Promise.allSettled(calls);
    store.afterSwap = () => controller.abort("enough");
    await clock.play(ended);
    await clock.play(clock.sleep(1));
    expect(count.sent).toBe(0);
    expect(JSON.parse(store.text?.slice(2) ?? "")).toMatchObject({ started: 1, inFlight: 0 });
  });

  test("a 429 of one client delays all", async () => {
    const { svcs, clock, emulator, count } = fleet(2, { maxRetries: 0 });
    const [first, second] = svcs;
    emulator.faults.next("tools.listSlugs", { status: 429, retryAfterSeconds: 20 });
    await clock.play(Promise.allSettled([first?.tools.listSlugs()]));
    const startedAt = clock.monotonic();
    await clock.play(Promise.resolve(second?.tools.listSlugs()));
    expect(count).toEqual({ sent: 2, refused: 1 });
    expect(clock.monotonic() - startedAt).toBeGreaterThanOrEqual(20_000);
  });

  test("a call ends once, even if the store's client repeats a write that succeeded", async () => {
    const { svcs, clock, store, warnings } = fleet(1);
    const [svc] = svcs;
    const { compareAndSwap } = store;
    const call = svc?.tools.listSlugs();
    await clock.play(clock.sleep(1));
    store.compareAndSwap = async (expected, next, ttlMs) => {
      await compareAndSwap.call(store, expected, next, ttlMs);
      return compareAndSwap.call(store, expected, next, ttlMs);
    };
    store.afterSwap = () => {
      store.compareAndSwap = compareAndSwap;
    };
    await clock.play(Promise.resolve(call));
    await clock.play(Promise.resolve(svc?.tools.listSlugs()));
    expect(JSON.parse(store.text?.slice(2) ?? "")).toMatchObject({ inFlight: 0, started: 2 });
    expect(warnings).toEqual([]);
  });

  test("a window opens with its first call, not when a call from before ends", async () => {
    const { client, clock, store } = fleet(0);
    const fetch = async () => {
      await clock.sleep(70_000);
      return Response.json([]);
    };
    const svc = client({ sharedRateLimit: sharedRateLimit(store), fetch });
    await clock.play(Promise.resolve(svc.tools.listSlugs()));
    await clock.play(clock.sleep(1));
    const stored: unknown = JSON.parse(store.text?.slice(2) ?? "");
    expect(stored).toMatchObject({ resets: 1, carried: 0 });
    expect(stored).not.toHaveProperty("openedAt");
  });

  test("the reserve for high priority is shared", async () => {
    const { svcs, clock } = fleet(4);
    const all = flood(svcs, 200, clock);
    await clock.play(clock.sleep(20_000));
    const startedAt = clock.monotonic();
    await clock.play(Promise.resolve(svcs[2]?.tools.listSlugs({ priority: "high" })));
    // The next look at the window is at most half a second away.
    expect(clock.monotonic() - startedAt).toBeLessThan(600);
    expect((await clock.play(all)).failed).toBe(0);
  });

  test("the calls in flight of a lost process delay no one for more than two windows", async () => {
    const { svcs, clock, client, store } = fleet(1);
    const lost = client({ sharedRateLimit: sharedRateLimit(store), fetch: silent });
    for (let index = 0; index < 15; index += 1) void lost.tools.listSlugs().catch(() => undefined);
    await clock.play(clock.sleep(1_000));
    const { failed, tookMs } = await clock.play(flood(svcs, 10, clock));
    expect(failed).toBe(0);
    expect(tookMs).toBeLessThan(2 * 63_000);
  });
});

describe("a store that fails", () => {
  test.each([
    ["refuses", refused, "ECONNREFUSED"],
    ["throws something odd", () => Promise.reject("odd"), "it threw something other than an Error"],
    ["never answers", silent, "no response within 250 ms"],
  ])(
    "that %s is logged once without the store's message, and the client throttles calls on its own",
    async (_, fault, reason) => {
      const { svcs, clock, count, store, warnings } = fleet(1);
      store.fault = fault;
      const running = flood(svcs, 60, clock);
      // The bound is kept by a real timer.
      while (warnings.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      const { failed } = await clock.play(running);
      expect(failed).toBe(0);
      expect(count.refused).toBe(0);
      expect(warnings).toEqual([
        `sharedRateLimit: the shared store failed (${reason}). This client throttles calls on its own until the store works again.`,
      ]);
      expect(svcs[0]?.rateLimit.isShared).toBe(false);
    },
  );

  test("that recovers is used again, and a second outage is logged again", async () => {
    const { svcs, clock, store, warnings } = fleet(1);
    const [svc] = svcs;
    const call = () => clock.play(Promise.resolve(svc?.tools.listSlugs()));
    store.fault = refused;
    await call();
    store.fault = undefined;
    await call();
    expect(svc?.rateLimit.isShared).toBe(false);
    await clock.play(clock.sleep(1_000));
    await call();
    expect(svc?.rateLimit.isShared).toBe(true);
    store.fault = refused;
    await call();
    expect(warnings).toHaveLength(2);
  });

  test("that fails while no call waits for it, as at the end of a program, isn't an outage", async () => {
    const { svcs, clock, store, warnings } = fleet(1);
    const call = svcs[0]?.tools.listSlugs();
    await clock.play(clock.sleep(1));
    store.fault = refused;
    await clock.play(Promise.resolve(call));
    expect(warnings).toEqual([]);
  });

  test.each(Array.from({ length: 12 }, (_, index) => index))(
    "a call %i ticks after such a failure is sent",
    async (ticks) => {
      const { svcs, clock, store } = fleet(1);
      const [svc] = svcs;
      const call = svc?.tools.listSlugs();
      await clock.play(clock.sleep(1));
      let fail: (reason: Error) => void = () => undefined;
      store.fault = () => new Promise<never>((_, reject) => (fail = reject));
      await clock.play(Promise.resolve(call));
      store.fault = refused;
      fail(new Error("gone"));
      for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
      await clock.play(Promise.resolve(svc?.tools.listSlugs()));
    },
  );

  test.each([
    ["once", 1],
    ["for a second", Number.POSITIVE_INFINITY],
  ])("that fails %s, just after a 429, doesn't shorten the wait", async (_, times) => {
    const { svcs, clock, emulator, store, count } = fleet(1, { maxRetries: 0 });
    const [svc] = svcs;
    await clock.play(Promise.resolve(svc?.tools.listSlugs()));
    emulator.faults.next("tools.listSlugs", { status: 429, retryAfterSeconds: 20 });
    const asked = Promise.allSettled([svc?.tools.listSlugs()]);
    await clock.play(clock.sleep(1));
    let failures = 0;
    store.fault = () => {
      failures += 1;
      if (failures === times) store.fault = undefined;
      return refused();
    };
    await clock.play(asked);
    const startedAt = clock.monotonic();
    for (const deadlineMs of [100, 200]) {
      await clock.play(Promise.allSettled([svc?.tools.listSlugs({ deadlineMs })]));
      store.fault = undefined;
      await clock.play(clock.sleep(1_000));
    }
    expect(svc?.rateLimit.isShared).toBe(true);
    await clock.play(Promise.resolve(svc?.tools.listSlugs()));
    expect(count).toEqual({ sent: 3, refused: 1 });
    expect(clock.monotonic() - startedAt).toBeGreaterThanOrEqual(19_900);
  });

  test("that missed a 429, in an exchange that failed, is told what is left of its wait", async () => {
    const { svcs, clock, store, emulator, count } = fleet(2, { maxRetries: 0 });
    const [first, second] = svcs;
    store.fault = refused;
    await clock.play(Promise.resolve(first?.tools.listSlugs()));
    await clock.play(clock.sleep(1_000));
    // The 429 arrives while the client waits for the store.
    let fail: (reason: Error) => void = () => undefined;
    store.fault = () => new Promise<never>((_, reject) => (fail = reject));
    emulator.faults.next("tools.listSlugs", { status: 429, retryAfterSeconds: 20 });
    await clock.play(Promise.allSettled([first?.tools.listSlugs()]));
    const rejectedAt = clock.monotonic();
    store.fault = undefined;
    fail(new Error("gone"));
    await clock.play(clock.sleep(1_500));
    const own = Promise.resolve(first?.tools.listSlugs());
    await clock.play(clock.sleep(1_000));
    await clock.play(Promise.resolve(second?.tools.listSlugs()));
    expect(clock.monotonic() - rejectedAt).toBeGreaterThanOrEqual(19_900);
    expect(clock.monotonic() - rejectedAt).toBeLessThan(20_500);
    await clock.play(own);
    expect(count).toEqual({ sent: 4, refused: 1 });
  });

  test.each([
    ["throws", vi.fn().mockThrow(new Error("report broke"))],
    ["rejects", vi.fn().mockRejectedValue(new Error("report broke"))],
  ])("delays no call if onOutage %s", async (_, report) => {
    const error = vi.spyOn(console, "error").mockReturnValue();
    const { clock, client, store } = fleet(1);
    store.fault = refused;
    const svc = client({ sharedRateLimit: sharedRateLimit(store, { onOutage: report }) });
    await clock.play(Promise.resolve(svc.tools.listSlugs()));
    expect(error).toHaveBeenCalledExactlyOnceWith("svc-sdk: onOutage threw", expect.any(Error));
    error.mockRestore();
  });

  test("that returns no time is an outage", async () => {
    const { svcs, clock, store, warnings } = fleet(1);
    store.read = async () => ({ value: undefined, now: Number.NaN });
    await clock.play(Promise.resolve(svcs[0]?.tools.listSlugs()));
    expect(warnings).toEqual([expect.stringContaining("TypeError")]);
  });

  test("that rejects every write is an outage, logged once, not an endless loop", async () => {
    const { svcs, clock, store, warnings } = fleet(1);
    store.compareAndSwap = async () => false;
    for (let call = 0; call < 4; call += 1) {
      await clock.play(Promise.resolve(svcs[0]?.tools.listSlugs()));
      await clock.play(clock.sleep(1_000));
    }
    expect(warnings).toEqual([expect.stringContaining("no write succeeded")]);
  });

  test("that becomes read-only is logged once", async () => {
    // Its answers change nothing in the window, so nothing has to be written.
    const { svcs, clock, store, warnings } = fleet(1, { fetch: async () => Response.json([]) });
    const call = () => clock.play(Promise.resolve(svcs[0]?.tools.listSlugs()));
    await call();
    store.compareAndSwap = refused;
    for (let calls = 0; calls < 4; calls += 1) {
      await call();
      await clock.play(clock.sleep(1_000));
    }
    expect(warnings).toEqual([expect.stringContaining("ECONNREFUSED")]);
    expect(svcs[0]?.rateLimit.isShared).toBe(false);
  });

  test("that is slow and rejects every write delays no call for much longer than a second", async () => {
    const { svcs, clock, store, warnings } = fleet(1);
    const { read } = store;
    store.read = async () => {
      await clock.sleep(200);
      return read.call(store);
    };
    store.compareAndSwap = async () => {
      await clock.sleep(200);
      return false;
    };
    const { failed, tookMs } = await clock.play(flood(svcs, 10, clock));
    expect(failed).toBe(0);
    expect(tookMs).toBeLessThan(1_500);
    expect(warnings).toHaveLength(1);
  });

  describe("that contains something other than a window of this version", () => {
    const fresh = {
      resets: 1,
      started: 40,
      first: 20,
      firstBefore: 10,
      inFlight: 2,
      carried: 3,
      carriedUntil: 0,
      rejected: 0,
      backoffs: 0,
      share: 1,
      isBanned: false,
      isAnswered: false,
      newer: 0,
      openedAt: 1_000_000,
    };
    const without = (name: keyof typeof fresh) => ({ ...fresh, [name]: undefined });
    const odd: readonly (readonly [what: string, window: unknown])[] = [
      ["nothing", {}],
      ["null", null],
      ["a list", []],
      ["a number", 7],
      ["a text for a number", { ...fresh, resets: "x" }],
      ["a number for a flag", { ...fresh, isAnswered: 1 }],
      ["a negative count", { ...fresh, rejected: -1 }],
      ["a null count", { ...fresh, remaining: null }],
      ["no share", { ...fresh, share: 0 }],
      ["a share of more than all", { ...fresh, share: 2 }],
      ["a limit that is a text", { ...fresh, reported: { limit: "50" } }],
      ["said as a text", { ...fresh, reported: "50" }],
      ["more in flight than started", { ...fresh, inFlight: 1e9 }],
      ["more carried than started before", { ...fresh, carried: 1e9 }],
      ["in flight without a beginning", without("openedAt")],
      ["a first call after the newest", { ...fresh, first: 41 }],
      ["a window before that began later", { ...fresh, firstBefore: 21 }],
      ["news of a call that never began", { ...fresh, newer: 41 }],
      ["a beginning in the future", { ...fresh, openedAt: 2e9 }],
      ["calls carried into the far future", { ...fresh, carriedUntil: 2e9 }],
      ["a field less", without("backoffs")],
    ];
    const texts: readonly (readonly [what: string, text: string])[] = [
      ["a text of somebody", "a session of somebody"],
      ["another version", `1:${JSON.stringify(fresh)}`],
      ["broken JSON", "2:{bad"],
      ["a number without end", `2:${JSON.stringify(fresh).replace(":40", ":1e999")}`],
      ...odd.map(([what, window]) => [what, `2:${JSON.stringify(window)}`] as const),
    ];

    test.each(texts)(
      "(%s) isn't overwritten, is logged once, and the client throttles calls on its own",
      async (_, text) => {
        const { svcs, clock, store, warnings, count } = fleet(1);
        store.text = text;
        const { failed } = await clock.play(flood(svcs, 60, clock));
        expect(failed).toBe(0);
        expect(count.refused).toBe(0);
        expect(store.text).toBe(text);
        expect(warnings).toEqual([
          expect.stringContaining("it contains something other than a window of this version"),
        ]);
      },
    );

    test("a store that contains a valid window is used as it is", async () => {
      const { svcs, clock, store, warnings } = fleet(1);
      store.text = `2:${JSON.stringify({ ...fresh, reported: { limit: 50, remaining: 9 }, remaining: 9 })}`;
      await clock.play(Promise.resolve(svcs[0]?.tools.listSlugs()));
      expect(warnings).toEqual([]);
      expect(JSON.parse(store.text.slice(2))).toMatchObject({ started: 41, inFlight: 2 });
    });
  });

  test("the queue of a shared window respects deadline and signal, and leaves no timer", async () => {
    const { svcs, clock, emulator } = fleet(1, { maxRetries: 0 });
    const [svc] = svcs;
    emulator.faults.next("tools.listSlugs", { status: 429, retryAfterSeconds: 50 });
    await clock.play(Promise.allSettled([svc?.tools.listSlugs()]));
    const controller = new AbortController();
    const given = svc?.tools.listSlugs({ signal: controller.signal });
    await clock.play(clock.sleep(5_000));
    expect(svc?.rateLimit).toMatchObject({ queued: 1, isBlocked: true });
    controller.abort("enough");
    await expect(given).rejects.toBe("enough");
    expect(svc?.rateLimit.queued).toBe(0);
    expect(clock.waiting).toBe(0);
  });
});

test("a store without both methods is a ConfigError", () => {
  // @ts-expect-error a store has two methods
  const half: RateLimitStore = { read: async () => ({ value: undefined, now: 0 }) };
  expect(() => sharedRateLimit(half)).toThrow(ConfigError);
});
