import { describe, expect, test } from "vitest";
import { ServerError } from "../../../src/index.js";
import { clientOf, rejectionOf, send } from "../../support/client.js";
import { fakeClock } from "../../support/clock.js";
import { failure, scriptedFetch } from "../../support/scripted-fetch.js";

const NOON = Date.UTC(2026, 1, 28, 12, 0, 0);

/** How long an error response that came at noon asks to wait, as its error says. */
async function asked(value: string, header = "retry-after", now = NOON): Promise<number | undefined> {
  const fetch = scriptedFetch(failure(503, {}, { [header]: value }));
  const svc = clientOf(fetch, { maxRetries: 0, clock: fakeClock(undefined, now) });
  const error = await rejectionOf(ServerError, send(svc));
  const { retryAfterMs } = error;
  expect(error.retryAt).toEqual(retryAfterMs === undefined ? undefined : new Date(now + retryAfterMs));
  return retryAfterMs;
}

describe("Retry-After", () => {
  test.each([
    ["Sat, 28 Feb 2026 12:00:01 GMT", 1_000],
    ["Sat, 28 Feb 2026 12:01:00 GMT", 60_000],
    ["Sat, 28 Feb 2026 13:00:00 GMT", 3_600_000],
    ["Sun, 01 Mar 2026 12:00:00 GMT", 86_400_000],
    ["Saturday, 28-Feb-26 12:00:01 GMT", 1_000],
    ["Sat Feb 28 12:00:01 2026", 1_000],
    ["Sun Mar  1 12:00:00 2026", 86_400_000],
  ])("accepts the time %s", async (text, ms) => {
    expect(await asked(text)).toBe(ms);
  });

  test.each(["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"])(
    "knows the month %s",
    async (month) => {
      const date = Date.parse(`01 ${month} 2027 00:00:00 GMT`);
      expect(await asked(`Fri, 01 ${month} 2027 00:00:00 GMT`)).toBe(date - NOON);
      expect(await asked(`Friday, 01-${month}-27 00:00:00 GMT`)).toBe(date - NOON);
      expect(await asked(`Fri ${month}  1 00:00:00 2027`)).toBe(date - NOON);
    },
  );

  test.each(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])("accepts the weekday %s", async (day) => {
    const long = { Tue: "Tuesday", Wed: "Wednesday", Thu: "Thursday", Sat: "Saturday" }[day] ?? `${day}day`;
    expect(await asked(`${day}, 28 Feb 2026 12:00:01 GMT`)).toBe(1_000);
    expect(await asked(`${long}, 28-Feb-26 12:00:01 GMT`)).toBe(1_000);
    expect(await asked(`${day} Feb 28 12:00:01 2026`)).toBe(1_000);
  });

  test("reads a two-digit year as one of the next 50 years, otherwise of the past century", async () => {
    expect(await asked("Friday, 28-Feb-76 12:00:00 GMT")).toBe(Date.UTC(2076, 1, 28, 12) - NOON);
    expect(await asked("Friday, 28-Feb-77 12:00:00 GMT")).toBeUndefined();
    const lateInTheCentury = Date.UTC(2099, 11, 31);
    expect(await asked("Friday, 31-Dec-99 00:00:01 GMT", "retry-after", lateInTheCentury)).toBe(1_000);
  });

  test.each([
    "xSat, 28 Feb 2026 12:00:01 GMT",
    "Sat, 28 Feb 2026 12:00:01 GMTx",
    "xSaturday, 28-Feb-26 12:00:01 GMT",
    "Saturday, 28-Feb-26 12:00:01 GMTx",
    "xSat Feb 28 12:00:01 2026",
    "Sat Feb 28 12:00:01 2026x",
    "Xxx, 28 Feb 2026 12:00:01 GMT",
    "Sat, 28 feb 2026 12:00:01 GMT",
    "Sat, 29 Feb 2026 12:00:01 GMT",
    "Sat, 00 Mar 2026 12:00:01 GMT",
    "Sat, 28 Feb 2026 24:00:01 GMT",
    "Sat, 28 Feb 2026 12:60:00 GMT",
    "Sat, 28 Feb 2026 12:00:60 GMT",
    "Sat, 28 Feb 2026 12:00:00 GMT",
    "Sat, 28 Feb 2026 11:59:59 GMT",
    "s1",
    "1ms",
    "++1",
    "1.",
    ".5",
  ])("ignores %s", async (text) => {
    expect(await asked(text)).toBeUndefined();
  });

  test.each([
    ["1", 1_000],
    [" 1 ", 1_000],
    ["0", undefined],
    ["00", undefined],
  ])("reads %j seconds as %s ms", async (text, ms) => {
    expect(await asked(text)).toBe(ms);
  });

  test.each([
    ["1", 1],
    [" 1 ", 1],
    ["0", undefined],
    ["1.5", 2],
    ["x1", undefined],
    ["1x", undefined],
    ["9".repeat(15), 999_999_999_999_999],
    ["9".repeat(16), 1e15],
    ["9".repeat(400), undefined],
  ])("reads %j milliseconds as %s ms", async (text, ms) => {
    expect(await asked(text, "retry-after-ms")).toBe(ms);
  });
});
