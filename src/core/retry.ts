import pRetry, { type RetryContext } from "p-retry";
import { ApiError, RateLimitError } from "../errors/api-error.js";
import { ConnectionError, ResponseError } from "../errors/connection.js";
import { isCertificateCode } from "./attempt-failure.js";
import type { Clock } from "./clock.js";
import type { RepeatClass } from "./endpoint.js";
import type { RetryBudget } from "./retry-budget.js";

/** What p-retry would else make up anew for each call, in twice the time. */
const DEFAULTS = {
  // All waiting happens in `shouldRetry`, where it can be ended at once and where Retry-After counts.
  minTimeout: 0,
  maxTimeout: 0,
  factor: 1,
  maxRetryTime: Number.POSITIVE_INFINITY,
  randomize: false,
  onFailedAttempt: () => undefined,
  shouldConsumeRetry: () => true,
};

/** A failed attempt, and how many were repeated before. */
export type Failed = Pick<RetryContext, "error" | "retriesConsumed">;

/**
 * The only loop that repeats a request.
 *
 * @param goOn - Waits after a failed attempt; false where no further one may be made.
 */
export function withRetries<Result>(
  attempt: () => Promise<Result>,
  maxRetries: number,
  goOn: (failed: Failed) => Promise<boolean>,
): Promise<Result> {
  return pRetry(attempt, { ...DEFAULTS, retries: maxRetries, shouldRetry: goOn });
}

/** How one call may be repeated. */
interface RetryPolicy {
  readonly repeat: RepeatClass;
  readonly maxRetryWaitMs: number;
  readonly budget: RetryBudget;
  readonly clock: Clock;
  /** Milliseconds until the call's deadline; infinite without one. */
  readonly timeLeftMs: number;
}

/** How long to wait before the next attempt, in milliseconds; `undefined` where none may be made. Takes its price. */
export function retryDelay({ error, retriesConsumed }: Failed, policy: RetryPolicy): number | undefined {
  const { repeat, maxRetryWaitMs, budget, clock, timeLeftMs } = policy;
  if (!mayRepeat(error, repeat)) return undefined;
  const waitMs = retryAfterOf(error) ?? backoff(retriesConsumed, clock);
  if (waitMs > maxRetryWaitMs || waitMs >= timeLeftMs) return undefined;
  // A 429 was turned away before it cost the service anything; to wait as it asked amplifies nothing.
  const isAsked = isRefusedByLimiter(error) && retryAfterOf(error) !== undefined;
  return isAsked || budget.spend(error) ? waitMs : undefined;
}

/**
 * Whether an attempt that failed like this may be followed by another.
 *
 * Everything may where the service provably did not act. What may have run is only repeated where a repeat does no more.
 */
function mayRepeat(error: unknown, repeat: RepeatClass): boolean {
  if (error instanceof ConnectionError) {
    // A certificate that is not trusted now will not be in a second.
    return !isCertificateCode(error.code) && (repeat !== "effect" || error.outcome === "not_sent");
  }
  // A file storage's failing status; of the service itself only good statuses come as this error.
  if (error instanceof ResponseError) return repeat !== "effect" && isPassing(error.status);
  if (!(error instanceof ApiError)) return false;
  const advice = error.headers["x-should-retry"];
  if (advice === "false") return false;
  if (isRefusedByLimiter(error)) return true;
  return repeat !== "effect" && (advice === "true" || isPassing(error.status));
}

/** 501 is a failing status that does not pass. */
function isPassing(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501);
}

function isRefusedByLimiter(error: unknown): boolean {
  return error instanceof RateLimitError && error.isPlatformLimit;
}

function retryAfterOf(error: unknown): number | undefined {
  return error instanceof ApiError || error instanceof ResponseError ? error.retryAfterMs : undefined;
}

/** Half a second, doubled for each retry, at most eight, of which a random half is taken off. */
function backoff(retries: number, clock: Clock): number {
  return (0.5 + clock.random() / 2) * Math.min(8_000, 500 * 2 ** retries);
}
