import { ConfigError } from "../../errors/local.js";
import type { EmulatorClock } from "./clock.js";
import type { State } from "./state.js";

/** Rate limit settings. Spec: Limits. */
export interface RateLimitOptions {
  /**
   * Requests per window; the Hobby plan's by default.
   * @default 2_000
   */
  readonly limit?: number | undefined;
  /**
   * Length of a window in seconds, an integer.
   * @default 60
   */
  readonly windowSeconds?: number | undefined;
}

/**
 * The organization's rate limit, in fixed windows. A window starts with the first counted request after the previous
 * one ended. See assumption E2.
 */
export class RateLimit {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly #clock: EmulatorClock;
  readonly #state: State["rateLimit"];

  constructor(
    { limit = 2_000, windowSeconds = 60 }: RateLimitOptions,
    clock: EmulatorClock,
    state: State["rateLimit"],
  ) {
    for (const [name, value] of Object.entries({ limit, windowSeconds })) {
      if (!Number.isSafeInteger(value) || value < 1) {
        throw new ConfigError(`The emulator's rateLimit.${name} must be a positive integer.`);
      }
    }
    this.limit = limit;
    this.windowSeconds = windowSeconds;
    this.#clock = clock;
    this.#state = state;
  }

  /** Counts a request; returns false if the limit is reached. */
  take(): boolean {
    if (this.#isOver()) {
      this.#state.startedAt = this.#clock.now();
      this.#state.used = 0;
    }
    if (this.#state.used >= this.limit) return false;
    this.#state.used += 1;
    return true;
  }

  /** Rate limit headers, sent with every response. */
  headers(): Record<string, string> {
    const used = this.#isOver() ? 0 : this.#state.used;
    return {
      "x-ratelimit": String(this.limit),
      "x-ratelimit-remaining": String(this.limit - used),
      "x-ratelimit-window-size": `${this.windowSeconds}s`,
    };
  }

  /** Requests counted in the current window, and when it ends, ISO 8601; null if none has started. */
  usage(): { used: number; resetsAt: string | null } {
    if (this.#isOver()) return { used: 0, resetsAt: null };
    const { used, startedAt } = this.#state;
    return { used, resetsAt: new Date(startedAt + this.windowSeconds * 1_000).toISOString() };
  }

  /** Seconds until the rate limit resets, rounded up, at least 1. */
  retryAfterSeconds(): number {
    const left = this.#state.startedAt + this.windowSeconds * 1_000 - this.#clock.now();
    return Math.max(1, Math.ceil(left / 1_000));
  }

  /** Body of a 429: only a message, not the error object. */
  errorBody(): { message: string } {
    return { message: `Rate limit exceeded. Limit: ${this.limit} requests per ${this.windowSeconds} seconds` };
  }

  #isOver(): boolean {
    return this.#clock.now() >= this.#state.startedAt + this.windowSeconds * 1_000;
  }
}
