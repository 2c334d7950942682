import { ApiError, RateLimitError } from "../../errors/api-error.js";
import { ConnectionError, ResponseError, TimeoutError } from "../../errors/connection.js";
import type { RetryClass } from "../endpoint.js";
import type { Clock } from "../options/clock.js";
import { isCertificateCode, type RunningCall } from "./failure.js";

const FULL = 100;
const PRICE = { retry: 5, retryAfterTimeout: 10 };

/**
 * Keeps retries from amplifying an outage: they spend tokens, and successes earn them back.
 *
 * It starts with 100 tokens, the maximum. A retry costs 5, one after a timeout 10, and a successful call earns 1. While
 * it's empty, each call is sent once. Every client has its own; share one with `shareRetryBudget`.
 */
export class RetryBudget {
  #tokens = FULL;

  /** Number of tokens left, at most 100. */
  get tokens(): number {
    return this.#tokens;
  }

  /** Spends the price of a retry after this error. Returns false if there are too few tokens. */
  spend(error: unknown): boolean {
    const price = error instanceof TimeoutError ? PRICE.retryAfterTimeout : PRICE.retry;
    if (this.#tokens < price) return false;
    this.#tokens -= price;
    return true;
  }

  /** Earns a token for a call that succeeded. */
  earn(): void {
    this.#tokens = Math.min(FULL, this.#tokens + 1);
  }
}

/** p-retry's own defaults, except for the wait. If p-retry adds them one by one, that costs 2 KB per call. */
export const RETRY_DEFAULTS = {
  factor: 2,
  // The call waits itself: an abort must end the wait with the call's own error.
  minTimeout: 0,
  maxTimeout: Number.POSITIVE_INFINITY,
  maxRetryTime: Number.POSITIVE_INFINITY,
  randomize: false,
  onFailedAttempt: () => undefined,
  shouldConsumeRetry: () => true,
};

/** How long to wait before the next attempt, in milliseconds; `undefined` if there may be none. Takes its price. */
export function retryDelay(error: unknown, retries: number, call: RunningCall): number | undefined {
  const { maxRetryDelayMs, clock } = call.settings;
  if (!mayRetry(error, call.endpoint.retry)) return undefined;
  const asked = error instanceof ApiError || error instanceof ResponseError ? error.retryAfterMs : undefined;
  const delayMs = asked ?? Math.min(backoff(retries, clock), maxRetryDelayMs);
  if (delayMs > maxRetryDelayMs || delayMs >= call.timeLeft()) return undefined;
  // The limiter's 429 cost the service nothing, so waiting as it asked amplifies nothing.
  const isFree = isFromLimiter(error) && asked !== undefined;
  return isFree || call.retryBudget.spend(error) ? delayMs : undefined;
}

/**
 * Whether an attempt that failed like this may be followed by another.
 *
 * Every call may, if the service provably did not act. What may have run is retried only if a second run changes
 * nothing more.
 */
function mayRetry(error: unknown, retry: RetryClass): boolean {
  if (error instanceof ConnectionError) {
    // An untrusted certificate stays untrusted.
    return !isCertificateCode(error.code) && (retry !== "effect" || error.outcome === "not_sent");
  }
  // A file storage's failing status; of the service itself only good statuses come as this error.
  if (error instanceof ResponseError) return retry !== "effect" && isPassing(error.status);
  if (!(error instanceof ApiError)) return false;
  const advice = error.headers["x-should-retry"];
  if (advice === "false") return false;
  if (isFromLimiter(error)) return true;
  return retry !== "effect" && (advice === "true" || isPassing(error.status));
}

/** 501 is a failing status that doesn't pass. */
function isPassing(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501);
}

function isFromLimiter(error: unknown): boolean {
  return error instanceof RateLimitError && error.isServiceLimit;
}

/** Half a second, doubled for each retry, at most eight seconds, of which a random half is taken off. */
function backoff(retries: number, clock: Clock): number {
  return (0.5 + clock.random() / 2) * Math.min(8_000, 500 * 2 ** retries);
}

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
