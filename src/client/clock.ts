import { MAX_TIMER_MS } from "../shared/timers.js";
/**
 * Time and randomness for the client. Pass your own in tests, so that they don't have to wait.
 *
 * `sleep` and {@link Clock.monotonic} share one time: a `sleep` that ends early must still advance `monotonic` by the
 * requested time. While calls are queued, the client checks again after each sleep. If the clock never advances, it
 * does so until the calls' deadlines end them.
 */
export interface Clock {
  /** The time of day, in milliseconds since 1970. Used only for HTTP dates and event times. */
  now(): number;
  /**
   * A clock that never goes back, in milliseconds from any start. Deadlines and rate limit windows are measured on it.
   */
  monotonic(): number;
  /**
   * Resolves when {@link Clock.monotonic} has advanced by `ms` milliseconds. Rejects with the signal's reason as soon
   * as it aborts, and leaves no timer behind.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A random number from 0 up to but not including 1. Spreads retries. */
  random(): number;
}

/** The runtime's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        },
        // Runtimes drop fractions, and may fire within the last millisecond.
        Math.min(Math.ceil(ms) + 1, MAX_TIMER_MS),
      );
      signal?.addEventListener("abort", onAbort, { once: true });
    }),
};
