import { describe, expect, test } from "vitest";
import { clientOf, send } from "../../support/client.js";
import { settle } from "../../support/clock.js";
import { answeringService, window } from "./service.js";
import { virtualClock } from "./support.js";

/** What a response says of a plan's usual window. */
const usual = (remaining: number) => window(remaining, 2_000);

describe("slow calls before the service has reported a limit", () => {
  test("30 executions of two seconds each start within half a second", async () => {
    const clock = virtualClock();
    const svc = clientOf(
      async () => {
        await clock.sleep(2_000);
        return Response.json({ ok: true }, { headers: usual(1_900) });
      },
      { clock },
    );
    await clock.play(Promise.all(Array.from({ length: 30 }, () => send(svc, "effect"))));
    expect(clock.monotonic()).toBe(2_500);
  });

  test("as many again start each half a second, counted from the newest response", async () => {
    const service = answeringService();
    void service.calls(100);
    await settle();
    const begun: number[] = [];
    for (let half = 0; half < 3; half += 1) {
      service.clock.advance(499);
      await settle();
      begun.push(service.arrived.length);
      service.clock.advance(1);
      await settle();
    }
    expect(begun).toEqual([15, 31, 47]);
    expect(new Set(service.clock.slept)).toEqual(new Set([500]));
    expect(service.open).toHaveLength(63);
    // It says nothing about the window, but that the service is no longer silent.
    await service.answer({}, 500);
    service.clock.advance(499);
    await settle();
    expect(service.open).toHaveLength(62);
  });

  test("aborted calls leave no credit to later ones", async () => {
    const service = answeringService();
    const controller = new AbortController();
    const given = send(service.svc, "safe", { signal: controller.signal }).catch((reason: unknown) => reason);
    await settle();
    service.clock.advance(20_000);
    controller.abort();
    await given;
    void service.calls(100);
    await settle();
    expect(service.arrived).toHaveLength(1 + 15);
  });

  test("failed calls leave no credit to later ones", async () => {
    const service = answeringService();
    void service.call("first");
    await settle();
    await service.answer({}, 500);
    service.clock.advance(20_000);
    void service.calls(100);
    await settle();
    expect(service.arrived).toHaveLength(1 + 15);
  });

  test("a call that is aborted doesn't delay the next batch", async () => {
    const service = answeringService();
    const controller = new AbortController();
    const given = send(service.svc, "safe", { signal: controller.signal }).catch((reason: unknown) => reason);
    void service.calls(100);
    await settle();
    service.clock.advance(400);
    controller.abort();
    await given;
    await settle();
    expect(service.arrived).toHaveLength(16);
    service.clock.advance(100);
    await settle();
    expect(service.arrived).toHaveLength(16 + 16);
  });

  test("never more calls start than a known limit allows", async () => {
    const service = answeringService();
    void service.call("first");
    await settle();
    await service.answer(window(18));
    service.clock.advance(60_000);
    void service.calls(50);
    for (let half = 0; half < 6; half += 1) {
      await settle();
      service.clock.advance(500);
    }
    // One of the places is for high priority.
    expect(service.open).toHaveLength(19 - 1);
  });

  test("a wait for a 429 isn't shortened", async () => {
    const service = answeringService();
    void service.calls(40);
    await settle();
    await service.answer({ "retry-after": "30" }, 429);
    const before = service.arrived.length;
    service.clock.advance(29_999);
    await settle();
    expect(service.arrived).toHaveLength(before);
  });
});

describe("after a window's reset", () => {
  test("a quarter of a known limit may start immediately", async () => {
    const service = answeringService();
    void service.call("first");
    await settle();
    await service.answer(usual(1_999));
    service.clock.advance(60_000);
    void service.calls(600);
    await settle();
    expect(service.open).toHaveLength(500 - 1);
  });

  test("a late response from before the reset changes nothing", async () => {
    const service = answeringService();
    void service.calls(2);
    await settle();
    await service.answer(usual(1_999));
    service.clock.advance(60_000);
    service.clock.advance(3_000);
    await service.answer(usual(100));
    void service.calls(600);
    await settle();
    expect(service.open).toHaveLength(500 - 1);
  });

  test("a window smaller than 16 isn't exceeded", async () => {
    const service = answeringService();
    void service.call("first");
    await settle();
    await service.answer(window(4, 5));
    service.clock.advance(60_000);
    void service.calls(20);
    await settle();
    expect(service.open).toHaveLength(5 - 1);
  });
});
