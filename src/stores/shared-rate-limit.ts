import type { SharedRateLimit } from "../core/options/options.js";
import { ConfigError } from "../errors/local.js";
import { field } from "../shared/json.js";
import type { RateLimitStore } from "./rate-limit-store.js";
import { SharedPacer } from "./shared-pacer.js";
import { SharedWindow } from "./shared-window.js";

/** Options of {@link sharedRateLimit}. */
export interface SharedRateLimitOptions {
  /**
   * Called once per outage of the store.
   * @default console.warn
   */
  onOutage?: ((problem: string) => void) | undefined;
}

/**
 * Keeps one rate limit for several processes in a store: `sharedRateLimit` of every client.
 *
 * @throws {ConfigError} if the store has no `read` or no `compareAndSwap`.
 */
export function sharedRateLimit(store: RateLimitStore, options: SharedRateLimitOptions = {}): SharedRateLimit {
  if (["read", "compareAndSwap"].some((method) => typeof field(store, method) !== "function")) {
    throw new ConfigError("sharedRateLimit: the store must be an object with read, compareAndSwap.");
  }
  const { onOutage = (problem) => console.warn(`svc-sdk: ${problem}`) } = options;
  return {
    open: (settings) => {
      const { clock, maxRetryDelayMs } = settings;
      return new SharedPacer(settings, new SharedWindow(store, clock, maxRetryDelayMs, onOutage));
    },
  };
}
