import { TimeoutError } from "../errors/connection.js";

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
