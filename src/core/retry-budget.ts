import { TimeoutError } from "../errors/connection.js";

const FULL = 100;
const PRICE = { retry: 5, retryAfterTimeout: 10 };

/**
 * Keeps an outage from being amplified: retries spend tokens, successes earn them back.
 *
 * It holds 100 tokens. A retry costs 5, one after a time-out 10, and a successful call earns 1. While it is empty, each call
 * is sent once. Every client has its own; give one to several with `new Svc({ retryBudget })`.
 */
export class RetryBudget {
  #tokens = FULL;

  /** How many tokens are left, at most 100. */
  get tokens(): number {
    return this.#tokens;
  }

  /** Takes the price of a retry after this error, or says that it cannot be paid. */
  spend(error: unknown): boolean {
    const price = error instanceof TimeoutError ? PRICE.retryAfterTimeout : PRICE.retry;
    if (this.#tokens < price) return false;
    this.#tokens -= price;
    return true;
  }

  /** Earns for a call that succeeded. */
  earn(): void {
    this.#tokens = Math.min(FULL, this.#tokens + 1);
  }
}
