import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { systemClock } from "../../src/index.js";
import { type RateLimitStore, sharedRateLimit } from "../../src/stores/index.js";
import { clientOf, rejection, send } from "../support/client.js";
import { heldClock, settle } from "../support/clock.js";
import { longTest } from "../support/size.js";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Bytes in use once everything is gone that no one needs. */
async function heapUsed(): Promise<number> {
  // What a runtime cleans up after a request was collected goes in a later round.
  for (let round = 0; round < 6; round += 1) {
    await settle();
    collectGarbage();
  }
  return process.memoryUsage().heapUsed;
}

/** A window that a fleet would share. */
function sharedWindow(): RateLimitStore {
  let value: string | undefined;
  return {
    read: async () => ({ value, now: 0 }),
    compareAndSwap: async (expected, next) => {
      if (value !== expected) return false;
      value = next;
      return true;
    },
  };
}

longTest("a client with a shared window keeps nothing of finished calls", async () => {
  const fetch = async () => Response.json({ ok: true });
  const svc = clientOf(fetch, { sharedRateLimit: sharedRateLimit(sharedWindow()), clock: systemClock });
  const calls = async (count: number) => {
    for (let index = 0; index < count; index += 1) await send(svc);
  };
  await calls(500);
  const before = await heapUsed();
  await calls(3_000);
  expect(((await heapUsed()) - before) / 3_000).toBeLessThan(500);
});

test("twice as many waiting calls cost twice as much, not four times", async () => {
  const looksOf = async (count: number) => {
    const clock = heldClock();
    let looks = 0;
    const monotonic = () => {
      looks += 1;
      return clock.monotonic();
    };
    let isFirst = true;
    const fetch = async () => {
      if (!isFirst) return Response.json({ ok: true });
      isFirst = false;
      return Response.json({ message: "slow down" }, { status: 429, headers: { "retry-after": "30" } });
    };
    const svc = clientOf(fetch, { clock: { ...clock, monotonic }, maxRetries: 0 });
    await rejection(send(svc));
    looks = 0;
    const signal = AbortSignal.any([]);
    for (let index = 0; index < count; index += 1) void rejection(send(svc, "safe", { signal, deadlineMs: 50_000 }));
    await settle();
    expect(svc.rateLimit.queued).toBe(count);
    return looks;
  };
  expect((await looksOf(400)) / (await looksOf(200))).toBeLessThan(2.2);
});
