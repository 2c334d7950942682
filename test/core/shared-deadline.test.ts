import { describe, expect, test } from "vitest";
import { type RequestOptions, TimeoutError, ValidationError } from "../../src/index.js";
import { clientOf, rejectionOf } from "../support/client.js";
import { fakeClock } from "../support/clock.js";
import { type Step, scriptedFetch, silence } from "../support/scripted-fetch.js";

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
    "gives the second request one millisecond if the first took %i of 60,000 ms",
    async (tookMs) => {
      const { ensure } = slowly(tookMs, silence);
      expect(await rejectionOf(TimeoutError, ensure({ deadlineMs: 60_000 }))).toMatchObject({ timeoutMs: 1 });
    },
  );

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
