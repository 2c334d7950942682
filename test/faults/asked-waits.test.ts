import fc from "fast-check";
import { expect, test } from "vitest";
import { clientOf, send } from "../support/client.js";
import { fakeClock } from "../support/clock.js";
import { sized } from "../support/size.js";

/** How many responses are made up. */
const RUNS = sized(300, 20_000, 100_000);
const START = Date.UTC(2026, 0, 1);

const date = (at: number) => new Date(at).toUTCString();
/** A way to ask for a wait, written for a server whose clock is so far off, and what it asks for in milliseconds. */
type Asked = (offMs: number) => readonly [header: "retry-after" | "retry-after-ms", value: string, ms: number];

const seconds = fc.nat({ max: 59 });
const anyAsked: fc.Arbitrary<Asked> = fc.oneof(
  fc.tuple(seconds, fc.constantFrom("", "+"), fc.constantFrom("", "s")).map(([s, sign, unit]): Asked => {
    return () => ["retry-after", `${sign}${s}${unit}`, s * 1_000];
  }),
  seconds.map(
    (s): Asked =>
      () => ["retry-after", `${s}.25`, s * 1_000 + 250],
  ),
  seconds.map(
    (s): Asked =>
      (offMs) => ["retry-after", date(START + offMs + s * 1_000), s * 1_000],
  ),
  fc.nat({ max: 60_000 }).map(
    (ms): Asked =>
      () => ["retry-after-ms", String(ms), ms],
  ),
  fc.constantFrom("soon", "", "-5", "1e3", "0x10", "2026-01-01T00:00:30Z", "Thu, 30 Feb 2026 00:00:30 GMT").map(
    (value): Asked =>
      () => ["retry-after", value, 0],
  ),
);
const anyOffset = fc.option(fc.integer({ min: -86_400, max: 86_400 }), { nil: undefined });

test(`no request follows any of ${RUNS} random responses before the longest wait that it asks for`, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyAsked, { maxLength: 4 }),
      anyOffset,
      fc.constantFrom(429, 503),
      fc.constantFrom({}, { "x-ratelimit": "50", "x-ratelimit-remaining": "3", "x-ratelimit-window-size": "10s" }),
      async (asked, offSeconds, status, window) => {
        const headers = new Headers(window);
        if (offSeconds !== undefined) headers.set("date", date(START + offSeconds * 1_000));
        const waits = asked.map((ask) => {
          const [name, value, ms] = ask((offSeconds ?? 0) * 1_000);
          headers.append(name, value);
          return ms;
        });
        const clock = fakeClock(undefined, START);
        const sentAt: number[] = [];
        const svc = clientOf(
          async () => {
            sentAt.push(clock.monotonic());
            const isFirst = sentAt.length === 1;
            return Response.json(isFirst ? { message: "Slow down" } : { ok: true }, isFirst ? { status, headers } : {});
          },
          { clock },
        );
        await send(svc);
        const [first = 0, second = 0] = sentAt;
        const longest = Math.max(0, ...waits);
        expect(second - first).toBeGreaterThanOrEqual(longest || 250);
      },
    ),
    { numRuns: RUNS },
  );
}, 600_000);
