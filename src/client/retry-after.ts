import { RETRY_AFTER, RETRY_AFTER_MS } from "../shared/headers.js";

// The three date forms of RFC 9110, 5.6.7. `Date.parse` accepts far more and differs between runtimes.
const DATE_FORMS = [
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\d{2}) (?<month>\w{3}) (?<year>\d{4}) (?<time>[\d:]{8}) GMT$/,
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\d{2})-(?<month>\w{3})-(?<year>\d{2}) (?<time>[\d:]{8}) GMT$/,
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?<month>\w{3}) (?<day>[ \d]\d) (?<time>[\d:]{8}) (?<year>\d{4})$/,
];
/** A comma that separates two values, and not the day from its date. */
const BETWEEN_VALUES = /(?<!Mon|Tue|Wed|Thu|Fri|Sat|Sun|day),/;
/** A delay as servers write it: `30`, `+30`, `30.5`, `30s`. */
const DELAY = /^\+?(\d+(?:\.\d+)?)s?$/;

/** Some thirty thousand years. A longer wait isn't a date anymore. */
const LONGEST_MS = 1e15;

// See assumption A15.
/**
 * How long a response asks to wait, in milliseconds from its receipt. `undefined` if it doesn't say so readably; 0 if
 * it asks for no time, or for one in the past.
 *
 * If it asks more than once, the longest wait counts: to come back too late does no harm. A date is compared to the
 * response's own `Date`, because the two clocks may differ.
 */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const sentAt = parseHttpDate(headers.get("date") ?? "", now);
  const from = Number.isNaN(sentAt) ? now : sentAt;
  const waits = [
    ...valuesOf(headers, RETRY_AFTER_MS).map((value) => delayIn(value, 1)),
    ...valuesOf(headers, RETRY_AFTER).map((value) => delayIn(value, 1_000) ?? parseHttpDate(value, now) - from),
  ].flatMap((wait) => (Number.isFinite(wait) ? Number(wait) : []));
  return waits.length === 0
    ? undefined
    : Math.min(
        waits.reduce((left, right) => Math.max(left, right), 0),
        LONGEST_MS,
      );
}

/** The values of a header that may have been sent more than once. */
function valuesOf(headers: Headers, name: string): string[] {
  const values = headers.get(name)?.split(BETWEEN_VALUES) ?? [];
  return values.map((value) => value.trim());
}

/** Fractions are rounded up: a wait is never shorter than requested. */
function delayIn(value: string, unitMs: number): number | undefined {
  const [, amount] = DELAY.exec(value) ?? [];
  return amount === undefined ? undefined : Math.ceil(Number(amount) * unitMs);
}

/** An HTTP date of RFC 9110 in milliseconds since 1970; NaN if it isn't one. */
function parseHttpDate(text: string, now: number): number {
  const groups = DATE_FORMS.map((form) => form.exec(text)?.groups).find(Boolean);
  const { day = "", month, year = "", time } = groups ?? {};
  const date = `${day.replace(" ", "0")} ${month} ${year.length === 2 ? fullYear(Number(year), now) : year} ${time} GMT`;
  const ms = Date.parse(date);
  // `Date.parse` may carry over: the 30th of February would become a day in March.
  return new Date(ms).toUTCString().endsWith(date) ? ms : Number.NaN;
}

/** A two-digit year more than 50 years ahead means the past century. */
function fullYear(year: number, now: number): number {
  const thisYear = new Date(now).getUTCFullYear();
  const sameCentury = Math.floor(thisYear / 100) * 100 + year;
  return sameCentury > thisYear + 50 ? sameCentury - 100 : sameCentury;
}
