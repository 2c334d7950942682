import { RATE_LIMIT, RATE_LIMIT_LEFT, RATE_LIMIT_WINDOW, RETRY_AFTER } from "../../shared/headers.js";
import type { EmulatorClock } from "./clock.js";
import type { RateLimitOptions } from "./options-schema.js";
import { jsonResponse } from "./responses.js";
import type { KeySeed } from "./seed-schema.js";
import type { State } from "./state.js";

/**
 * The organization's rate limit, in fixed windows. A window starts with the first counted request after the previous
 * one ended. Assumption E2.
 */
export class RateLimiter {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly #clock: EmulatorClock;
  readonly #state: State["rateLimit"];

  constructor(
    { limit = 2_000, windowSeconds = 60 }: RateLimitOptions,
    clock: EmulatorClock,
    state: State["rateLimit"],
  ) {
    this.limit = limit;
    this.windowSeconds = windowSeconds;
    this.#clock = clock;
    this.#state = state;
  }

  /** Rate limit headers, sent with every response. */
  headers(): Readonly<Record<string, string>> {
    const used = this.#leftMs() > 0 ? this.#state.used : 0;
    return {
      [RATE_LIMIT]: String(this.limit),
      [RATE_LIMIT_LEFT]: String(this.limit - used),
      [RATE_LIMIT_WINDOW]: `${this.windowSeconds}s`,
    };
  }

  /** Body of a 429: only a message, not the error object. */
  errorBody(): { message: string } {
    return { message: `Rate limit exceeded. Limit: ${this.limit} requests per ${this.windowSeconds} seconds` };
  }

  /** Counts a request; returns a 429 if the limit is reached. Requests without a key don't count. */
  refusal(key: KeySeed | undefined): Response | undefined {
    if (!key) return undefined;
    const left = this.#leftMs();
    if (left <= 0) {
      this.#state.startedAt = this.#clock.now();
      this.#state.used = 0;
    }
    if (this.#state.used < this.limit) {
      this.#state.used += 1;
      return undefined;
    }
    const seconds = Math.ceil(left / 1_000);
    return jsonResponse(429, this.errorBody(), { rateLimit: this }, { [RETRY_AFTER]: String(seconds) });
  }

  /** Requests counted in the current window, and when it ends, ISO 8601; null if none has started. */
  usage(): { readonly used: number; readonly resetsAt: string | null } {
    if (this.#leftMs() <= 0) return { used: 0, resetsAt: null };
    const { used, startedAt } = this.#state;
    return { used, resetsAt: new Date(startedAt + this.windowSeconds * 1_000).toISOString() };
  }

  /**
   * Milliseconds until the window ends; not above 0 if none is open.
   *
   * A window restored from an earlier version's snapshot may start in the future, if its clock was ahead.
   */
  #leftMs(): number {
    const agoMs = this.#clock.now() - this.#state.startedAt;
    return agoMs < 0 ? 0 : this.windowSeconds * 1_000 - agoMs;
  }
}
