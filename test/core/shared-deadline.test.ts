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
  test("gives the second what the first has left of the deadline", async () => {
    const { ensure } = slowly(59_990, silence);
    const error = await rejectionOf(TimeoutError, ensure({ deadlineMs: 60_000 }));
    expect(error).toMatchObject({ operation: "webhookSubscriptions.create", option: "deadlineMs", timeoutMs: 10 });
  });

  test.each([60_000, 70_000])("whose first takes %i of 60,000 ms gives the second one millisecond", async (tookMs) => {
    const { ensure } = slowly(tookMs, silence);
    expect(await rejectionOf(TimeoutError, ensure({ deadlineMs: 60_000 }))).toMatchObject({ timeoutMs: 1 });
  });

  test("shares the client's deadline, and the call's own wins over it", async () => {
    expect(await rejectionOf(TimeoutError, slowly(59_990, silence, 60_000).ensure())).toMatchObject({ timeoutMs: 10 });
    const { ensure } = slowly(10, silence, 60_000);
    expect(await rejectionOf(TimeoutError, ensure({ deadlineMs: 20 }))).toMatchObject({ timeoutMs: 10 });
  });

  test("keeps its other options for each of them, with a deadline and without", async () => {
    for (const deadlineMs of [60_000, undefined]) {
      const { ensure, fetch } = slowly(10, Response.json({ id: "ws_1" }));
      await ensure({ headers: { "x-trace": "t1" }, deadlineMs });
      expect(fetch.sent.map(({ method, headers }) => [method, headers.get("x-trace")])).toEqual([
        ["GET", "t1"],
        ["POST", "t1"],
      ]);
    }
  });

  test("rejects a wrong deadline in the words of any call, and sends nothing", async () => {
    const { ensure, fetch } = slowly(0, silence);
    const error = await rejectionOf(ValidationError, ensure({ deadlineMs: 0 }));
    expect(error.message).toContain("deadlineMs must be a number from 1 to");
    expect(fetch.sent).toEqual([]);
  });
});
