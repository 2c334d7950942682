import { describe, expect, test } from "vitest";
import { RateLimitError } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { settle } from "../../support/clock.js";
import { answeringService, window } from "./service.js";

/** A service whose first response bans its client for two minutes. */
async function banned(asked: Record<string, string> = { "retry-after": "120" }) {
  const service = answeringService();
  void service.call("first");
  await settle();
  await service.answer(asked, 429);
  return service;
}

describe("a Retry-After longer than maxRetryDelayMs", () => {
  test("blocks later calls, and each error says when to retry", async () => {
    const service = await banned();
    const errors = await Promise.all(service.calls(100));
    expect(service.arrived).toEqual(["first"]);
    for (const error of errors) {
      if (!(error instanceof RateLimitError)) throw error;
      expect(error).toMatchObject({ attempts: 0, status: 429, retryAfterMs: 120_000, isServiceLimit: true });
      expect(error.retryAt).toEqual(new Date(service.clock.now() + 120_000));
      expect(error.message).toMatch(/wait.*120 s/);
    }
  });

  test("rejects an execution with the outcome not_sent", async () => {
    const service = await banned();
    const execution = service.svc.tools.execute("A_TOOL", { user_id: "u", version: "latest", arguments: {} });
    expect(await rejectionOf(RateLimitError, execution)).toMatchObject({ outcome: "not_sent", attempts: 0 });
  });

  test("ends the calls that are already waiting", async () => {
    const service = answeringService();
    const calls = service.calls(200);
    await settle();
    const sent = service.arrived.length;
    await service.answer({ "retry-after": "3600" }, 429);
    while (service.open.length > 0) await service.answer({ "retry-after": "3600" }, 429);
    const errors = await Promise.all(calls);
    expect(service.arrived).toHaveLength(sent);
    expect(errors.every((error) => error instanceof RateLimitError && error.retryAt)).toBe(true);
    expect(service.svc.rateLimit).toMatchObject({ queued: 0, inFlight: 0 });
  });

  test("queues calls once the remaining time is short enough to wait for", async () => {
    const service = await banned();
    service.clock.advance(59_999);
    expect(await service.call("too early")).toBeInstanceOf(RateLimitError);
    service.clock.advance(1);
    void service.call("later");
    await settle();
    expect(service.open).toEqual([]);
    service.clock.advance(60_000);
    await settle();
    expect(service.open).toEqual(["later"]);
  });

  test.each([{}, window(18)])("is followed by one call, whose response lets the others start: %j", async (headers) => {
    const service = await banned();
    service.clock.advance(120_000);
    void service.calls(10);
    await settle();
    expect(service.open).toEqual(["1"]);
    await service.answer(headers);
    expect(service.open.length).toBeGreaterThan(5);
  });

  test("is followed by another one if the next call has to wait too", async () => {
    const service = await banned();
    service.clock.advance(120_000);
    const calls = service.calls(10);
    await settle();
    await service.answer({ "retry-after": "120" }, 429);
    expect(await Promise.all(calls)).toHaveLength(10);
    expect(service.arrived).toEqual(["first", "1"]);
  });

  test("starts above maxRetryDelayMs: after exactly that, all calls are sent", async () => {
    const service = await banned({ "retry-after": "60" });
    void service.calls(10);
    service.clock.advance(60_000);
    await settle();
    expect(service.open).toHaveLength(10);
  });

  test("isn't lifted by the response to a call that was sent before", async () => {
    const service = answeringService();
    void service.calls(3);
    await settle();
    await service.answer({ "retry-after": "120" }, 429, "1");
    await service.answer(window(18), 200, "2");
    service.clock.advance(120_000);
    void service.call("probe");
    void service.call("next");
    await settle();
    await service.answer(window(18), 200, "3");
    expect(service.open).toEqual(["probe"]);
  });

  test("sends another probe if the first one gets no response", async () => {
    const service = answeringService(() => ({ timeoutMs: 30 }));
    void service.call("first");
    await settle();
    await service.answer({ "retry-after": "120" }, 429);
    service.clock.advance(120_000);
    const calls = [service.call("a"), service.call("b")];
    await Promise.all(calls);
    expect(service.arrived).toEqual(["first", "a", "b"]);
  });
});
