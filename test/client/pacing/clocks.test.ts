import { describe, expect, test } from "vitest";
import { systemClock, TimeoutError } from "../../../src/index.js";
import { clientOf, rejectionOf, send } from "../../support/client.js";
import { fakeClock } from "../../support/clock.js";

describe("a clock whose sleep ends immediately without advancing", () => {
  test.each([
    ["that goes on", systemClock.monotonic],
    ["that stands still", () => 0],
  ])("and whose monotonic time is %s doesn't block timers: a call's deadline still ends it", async (_, monotonic) => {
    const clock = { ...fakeClock(), monotonic, sleep: async () => undefined };
    const limited = async () =>
      Response.json({ message: "Rate limit exceeded" }, { status: 429, headers: { "retry-after": "30" } });
    const svc = clientOf(limited, { clock, maxRetries: 0 });
    await send(svc).catch(() => undefined);
    const error = await rejectionOf(TimeoutError, send(svc, "safe", { deadlineMs: 30 }));
    expect(error).toMatchObject({ option: "deadlineMs", phase: "queue", attempts: 0 });
  });
});
