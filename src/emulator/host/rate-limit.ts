import { ConfigError } from "../../errors/local.js";
import type { EmulatorClock } from "./clock.js";
import type { State } from "./state.js";

/** Options of the rate window. Spec: Limits. */
export interface RateLimitOptions {
  /**
   * Requests per window; the Hobby plan's by default.
   * @default 2_000
   */
  readonly limit?: number | undefined;
  /**
   * Length of the window, in whole seconds.
   * @default 60
   */
  readonly windowSeconds?: number | undefined;
}

/**
 * The organization's fixed window. It begins with the first counted request after the one before has ended. See
 * assumption E2.
 */
export class RateLimit {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly #clock: EmulatorClock;
  readonly #state: State["rateWindow"];

  constructor(
    { limit = 2_000, windowSeconds = 60 }: RateLimitOptions,
    clock: EmulatorClock,
    state: State["rateWindow"],
  ) {
    for (const [name, value] of Object.entries({ limit, windowSeconds })) {
      if (!Number.isSafeInteger(value) || value < 1) {
        throw new ConfigError(`The emulator's rateLimit.${name} must be a whole number from 1.`);
      }
    }
    this.limit = limit;
    this.windowSeconds = windowSeconds;
    this.#clock = clock;
    this.#state = state;
  }

  /** Counts a request; false when the window has none left for it. */
  take(): boolean {
    if (this.#isOver()) {
      this.#state.startedAt = this.#clock.now();
      this.#state.used = 0;
    }
    if (this.#state.used >= this.limit) return false;
    this.#state.used += 1;
    return true;
  }

  /** The headers that every answer carries. */
  headers(): Record<string, string> {
    const used = this.#isOver() ? 0 : this.#state.used;
    return {
      "x-ratelimit": String(this.limit),
      "x-ratelimit-remaining": String(this.limit - used),
      "x-ratelimit-window-size": `${this.windowSeconds}s`,
    };
  }

  /** Whole seconds until the window turns, at least 1. */
  retryAfterSeconds(): number {
    const left = this.#state.startedAt + this.windowSeconds * 1_000 - this.#clock.now();
    return Math.max(1, Math.ceil(left / 1_000));
  }

  /** What a refused request is told: a bare message, not the error object. */
  refusal(): { message: string } {
    return { message: `Rate limit exceeded. Limit: ${this.limit} requests per ${this.windowSeconds} seconds` };
  }

  #isOver(): boolean {
    return this.#clock.now() >= this.#state.startedAt + this.windowSeconds * 1_000;
  }
}
