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
  const delayMs = asked ?? backoff(retries, clock);
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
