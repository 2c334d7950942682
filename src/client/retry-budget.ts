import { TimeoutError } from "../errors/connection.js";

const FULL = 100;
const PRICE = { retry: 5, retryAfterTimeout: 10 };

/**
 * Keeps retries from amplifying an outage: retries spend tokens, and successful calls earn them back.
 *
 * Starts with 100 tokens, the maximum. A retry costs 5 tokens, or 10 after a timeout, and a successful call earns 1.
 * Without enough tokens, calls aren't retried. Every client has its own budget. To share a budget, use
 * `shareRetryBudget`.
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
