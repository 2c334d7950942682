import fc from "fast-check";
import { expect, test } from "vitest";
import { type Clock, Svc } from "../../../src/index.js";
import { sized } from "../../support/size.js";

/** A clock that starts anywhere, and whose waits take a fraction of a millisecond longer. */
function fractionalClock(start: number, late: number): Clock & { readonly time: number } {
  let time = start;
  return {
    get time() {
      return time;
    },
    now: () => time,
    monotonic: () => time,
    random: () => 0,
    sleep: async (ms) => {
      time += ms + late;
    },
  };
}

const limit = (headers: Record<string, string>) =>
  Response.json({ message: "Too many requests" }, { status: 429, headers });

/** The most by which the sum of two times may be rounded, in milliseconds. */
const ROUNDING_MS = 1e-6;

/** Responses that ask to wait, and how long. */
const ASKING = fc
  .integer({ min: 1, max: 60 })
  .chain((seconds) =>
    fc.constantFrom(
      { waitMs: seconds * 1_000, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-window-size": `${seconds}s` } },
      { waitMs: seconds * 1_000, headers: { "retry-after": String(seconds) } },
      { waitMs: seconds * 1_000, headers: { "retry-after-ms": String(seconds * 1_000) } },
    ),
  );

test("sends nothing before the end of a wait that a 429 asks for, whatever fractions the clock has", async () => {
  // A sum is rounded if it has another exponent than the time, so the times are near powers of two.
  const start = fc.integer({ min: 0, max: 1e9 }).map((units) => units / 7_654.321);
  const fraction = fc.integer({ min: 0, max: 1e6 }).map((units) => units / 1_234_567);
  await fc.assert(
    fc.asyncProperty(start, fraction, fraction, ASKING, async (from, late, latency, { waitMs, headers }) => {
      const clock = fractionalClock(from, late);
      const sentAt: number[] = [];
      const fetch = async () => {
        sentAt.push(clock.time);
        await clock.sleep(latency);
        return sentAt.length === 1 ? limit(headers) : Response.json({ items: [] });
      };
      // The longest wait that is accepted is exactly the one that is asked for.
      const options = { apiKey: "k", baseUrl: "https://service.test", env: {}, maxRetryDelayMs: waitMs };
      const svc = new Svc({ ...options, clock, fetch });
      await svc.toolkits.list();
      const [first = 0, second = 0] = sentAt;
      // A window may have started when its first request was sent.
      expect(second - first).toBeGreaterThanOrEqual(waitMs - ROUNDING_MS);
    }),
    { numRuns: sized(20, 20_000) },
  );
});
