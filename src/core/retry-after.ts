// The three date forms of RFC 9110, 5.6.7. `Date.parse` takes far more and differs between runtimes.
const IMF_FIXDATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{2}) (\w{3}) (\d{4}) ([\d:]{8}) GMT$/;
const RFC850 = /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d{2})-(\w{3})-(\d{2}) ([\d:]{8}) GMT$/;
const ASCTIME = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (\w{3}) ([ \d]\d) ([\d:]{8}) (\d{4})$/;

/** Some thirty thousand years: a longer wait is the same answer, and its end would be no date any more. */
const LONGEST_MS = 1e15;

/**
 * How long an answer asks to wait, in milliseconds from its receipt, or `undefined` where it does not ask in a readable
 * way. Zero and past dates count as not asking: they would make a hot loop.
 */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const precise = headers.get("retry-after-ms") ?? "";
  if (/^\d+$/.test(precise)) return positive(Number(precise));
  const value = headers.get("retry-after") ?? "";
  return positive(/^\d+$/.test(value) ? Number(value) * 1_000 : parseHttpDate(value, now) - now);
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

function positive(ms: number): number | undefined {
  return ms > 0 && Number.isFinite(ms) ? Math.min(ms, LONGEST_MS) : undefined;
}
