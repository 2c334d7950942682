import { ApiError, RateLimitError } from "../../errors/api-error.js";
import { ConnectionError, ResponseError } from "../../errors/connection.js";
import { SHOULD_RETRY } from "../../shared/headers.js";
import type { Clock } from "../clock.js";
import type { RetryClass } from "../endpoint.js";
import type { RunningCall } from "../running-call.js";

/** p-retry's own defaults, except for the wait. If p-retry adds them one by one, that costs 2 KB per call. */
export const RETRY_DEFAULTS = {
  factor: 2,
  // The next attempt waits itself: an abort must end the wait with the call's own error.
  minTimeout: 0,
  maxTimeout: Number.POSITIVE_INFINITY,
  maxRetryTime: Number.POSITIVE_INFINITY,
  randomize: false,
  onFailedAttempt: () => undefined,
  shouldConsumeRetry: () => true,
};

/**
 * Takes a retry from the budget, if the call may have one. Returns how long to wait before it, in milliseconds, and
 * `undefined` without one.
 */
export function takeRetry(error: unknown, retries: number, call: RunningCall): number | undefined {
  const { maxRetryDelayMs, clock } = call.settings;
  if (!mayRetry(error, call.retry)) return undefined;
  const asked = error instanceof ApiError || error instanceof ResponseError ? error.retryAfterMs : undefined;
  const delayMs = asked ?? Math.min(backoff(retries, clock), maxRetryDelayMs);
  if (delayMs > maxRetryDelayMs || delayMs >= call.timeLeft()) return undefined;
  // The limiter's 429 cost the service nothing, so waiting as it asked amplifies nothing.
  const isFree = isFromLimiter(error) && asked !== undefined;
  return isFree || call.retryBudget.spend(error) ? delayMs : undefined;
}

/** Errors that another attempt would end with, too. */
export const neverRetried = new WeakSet<object>();

/**
 * Whether an attempt that failed like this may be followed by another.
 *
 * Every call may, if the service provably did not act. What may have run is retried only if a second run changes
 * nothing more.
 */
export function mayRetry(error: unknown, retry: RetryClass): boolean {
  if (neverRetried.has(Object(error))) return false;
  if (error instanceof ConnectionError) return retry !== "effect" || error.outcome === "not_sent";
  if (error instanceof ResponseError) return retry !== "effect" && (isGood(error.status) || isPassing(error.status));
  if (!(error instanceof ApiError)) return false;
  const advice = error.headers[SHOULD_RETRY];
  if (advice === "false") return false;
  if (isFromLimiter(error)) return true;
  return retry !== "effect" && (advice === "true" || isPassing(error.status));
}

/** A success without the data: something in between responded, such as a gateway with a page. */
function isGood(status: number): boolean {
  return status >= 200 && status < 300;
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
