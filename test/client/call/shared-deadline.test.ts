import { describe, expect, test } from "vitest";
import { NotFoundError, type RequestOptions, TimeoutError, ValidationError } from "../../../src/index.js";
import { clientOf, rejectionOf } from "../../support/client.js";
import { fakeClock } from "../../support/clock.js";
import { failure, type Step, scriptedFetch, silence } from "../../support/scripted-fetch.js";

const subscription = { webhook_url: "https://app.example/hook", enabled_events: ["svc.trigger.message" as const] };

/** A client that makes two requests: the first takes its time, and the second is answered like this. */
function slowly(tookMs: number, second: Step, deadlineMs?: number) {
  // Its time did not begin with the call: what counts is what has passed since then.
  const clock = fakeClock();
  clock.advance(1_000);
  const first = () => {
    clock.advance(tookMs);
    return Response.json({ items: [] });
  };
  const fetch = scriptedFetch(first, second);
  const svc = clientOf(fetch, { clock, maxRetries: 0, deadlineMs });
  return { fetch, ensure: (options?: RequestOptions) => svc.webhookSubscriptions.ensure(subscription, options) };
}

describe("a method that sends several requests", () => {
  test("gives the second request what the first left of the deadline", async () => {
    const { ensure } = slowly(59_990, silence);
    const error = await rejectionOf(TimeoutError, ensure({ deadlineMs: 60_000 }));
    expect(error).toMatchObject({ operation: "webhookSubscriptions.create", option: "deadlineMs", timeoutMs: 10 });
  });

  test.each([60_000, 70_000])(
    "sends no second request if the first took %d of 60,000 ms, and names the whole deadline",
    async (tookMs) => {
      const { ensure, fetch } = slowly(tookMs, silence);
      expect(await rejectionOf(TimeoutError, ensure({ deadlineMs: 60_000 }))).toMatchObject({
        operation: "webhookSubscriptions.ensure",
        option: "deadlineMs",
        timeoutMs: 60_000,
        outcome: undefined,
      });
      expect(fetch.sent).toHaveLength(1);
    },
  );

  test("gives each page of a list what the pages before it left", async () => {
    const clock = fakeClock();
    const page = (index: number) => () => {
      clock.advance(25_000);
      return Response.json({ items: [], next_cursor: `c${index}` });
    };
    const fetch = scriptedFetch(page(1), page(2), page(3), silence);
    const svc = clientOf(fetch, { clock, maxRetries: 0 });
    const ensured = svc.authConfigs.ensure({ toolkit: { slug: "github" } }, { deadlineMs: 60_000 });
    expect(await rejectionOf(TimeoutError, ensured)).toMatchObject({
      operation: "authConfigs.ensure",
      timeoutMs: 60_000,
    });
    expect(fetch.sent.map(({ method }) => method)).toEqual(["GET", "GET", "GET"]);
  });

  test("rejects with the caller's own reason, even if it's an error of another call", async () => {
    const first = await rejectionOf(NotFoundError, clientOf(scriptedFetch(failure(404))).tools.get("A_B"));
    const message = first.message;
    for (const reason of [first, Object.freeze(first)]) {
      const controller = new AbortController();
      const { ensure } = slowly(0, silence);
      const ensured = ensure({ signal: controller.signal });
      controller.abort(reason);
      await expect(ensured).rejects.toBe(reason);
      expect(first.message).toBe(message);
    }
  });

  test("shares the client's deadline, unless the call sets its own", async () => {
    expect(await rejectionOf(TimeoutError, slowly(59_990, silence, 60_000).ensure())).toMatchObject({ timeoutMs: 10 });
    const { ensure } = slowly(10, silence, 60_000);
    expect(await rejectionOf(TimeoutError, ensure({ deadlineMs: 20 }))).toMatchObject({ timeoutMs: 10 });
  });

  test("applies its other options to each request, with a deadline and without", async () => {
    for (const deadlineMs of [60_000, undefined]) {
      const { ensure, fetch } = slowly(10, Response.json({ id: "ws_1" }));
      await ensure({ headers: { "x-trace": "t1" }, deadlineMs });
      expect(fetch.sent.map(({ method, headers }) => [method, headers.get("x-trace")])).toEqual([
        ["GET", "t1"],
        ["POST", "t1"],
      ]);
    }
  });

  test("rejects an invalid deadline with the same message as any call, and sends nothing", async () => {
    const { ensure, fetch } = slowly(0, silence);
    const error = await rejectionOf(ValidationError, ensure({ deadlineMs: 0 }));
    expect(error.message).toContain("deadlineMs must be a number from 1 to");
    expect(fetch.sent).toEqual([]);
  });
});
