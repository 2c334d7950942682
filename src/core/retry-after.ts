// The three date forms of RFC 9110, 5.6.7. `Date.parse` accepts far more and differs between runtimes.
const IMF_FIXDATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{2}) (\w{3}) (\d{4}) ([\d:]{8}) GMT$/;
const RFC850 = /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d{2})-(\w{3})-(\d{2}) ([\d:]{8}) GMT$/;
const ASCTIME = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (\w{3}) ([ \d]\d) ([\d:]{8}) (\d{4})$/;
/** A comma that separates two values, and not the day from its date. */
const BETWEEN_VALUES = /(?<!Mon|Tue|Wed|Thu|Fri|Sat|Sun|day),/;
/** A delay as servers write it: `30`, `+30`, `30.5`, `30s`. */
const DELAY = /^\+?(\d+(?:\.\d+)?)s?$/;

/** Some thirty thousand years. A longer wait isn't a date anymore. */
const LONGEST_MS = 1e15;

/**
 * How long a response asks to wait, in milliseconds from its receipt. `undefined` if it doesn't say so readably; 0 if it asks
 * for no time, or for one in the past.
 *
 * If it asks more than once, the longest wait counts: to come back too late does no harm. A date is compared to the response's
 * own `Date`, because the two clocks may differ. See assumption A15.
 */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const sentAt = parseHttpDate(headers.get("date") ?? "", now);
  const from = Number.isNaN(sentAt) ? now : sentAt;
  const waits = [
    ...valuesOf(headers, "retry-after-ms").map((value) => delayIn(value, 1)),
    ...valuesOf(headers, "retry-after").map((value) => delayIn(value, 1_000) ?? parseHttpDate(value, now) - from),
  ].flatMap((wait) => (Number.isFinite(wait) ? Number(wait) : []));
  return waits.length === 0 ? undefined : Math.min(Math.max(0, ...waits), LONGEST_MS);
}

/** The values of a header that may have been sent more than once. */
function valuesOf(headers: Headers, name: string): string[] {
  const values = headers.get(name)?.split(BETWEEN_VALUES) ?? [];
  return values.map((value) => value.trim());
}

/** Fractions are rounded up: a wait is never shorter than what was asked for. */
function delayIn(value: string, unitMs: number): number | undefined {
  const [, amount] = DELAY.exec(value) ?? [];
  return amount === undefined ? undefined : Math.ceil(Number(amount) * unitMs);
}

/** An HTTP date of RFC 9110 in milliseconds since 1970; NaN where it is none. */
function parseHttpDate(text: string, now: number): number {
  const [, day, month, year, time] = IMF_FIXDATE.exec(text) ?? [];
  if (day) return utc(day, month, year, time);
  const asctime = ASCTIME.exec(text);
  if (asctime) return utc(asctime[2]?.replace(" ", "0"), asctime[1], asctime[4], asctime[3]);
  const rfc850 = RFC850.exec(text);
  if (!rfc850) return Number.NaN;
  // A two-digit year more than 50 years ahead means the past century.
  const thisYear = new Date(now).getUTCFullYear();
  const sameCentury = Math.floor(thisYear / 100) * 100 + Number(rfc850[3]);
  return utc(rfc850[1], rfc850[2], sameCentury > thisYear + 50 ? sameCentury - 100 : sameCentury, rfc850[4]);
}

function utc(day?: string, month?: string, year?: string | number, time?: string): number {
  const date = `${day} ${month} ${year} ${time} GMT`;
  const ms = Date.parse(date);
  // Carries over what is too much, where it does not refuse it: the 30th of February would become a day in March.
  return new Date(ms).toUTCString().endsWith(date) ? ms : Number.NaN;
}
