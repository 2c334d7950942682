import { MAX_TIMER_MS } from "../../shared/timers.js";
/**
 * Time and chance as the client uses them. Inject one in tests: nothing then has to wait.
 *
 * `sleep` and {@link Clock.monotonic} are one time: a `sleep` that ends early moves `monotonic` on by what it was asked for.
 * While calls wait for their turn the client looks again after each sleep, and on a clock that stands still it would do so
 * until their deadlines end them.
 */
export interface Clock {
  /** The time of day, in milliseconds since 1970. Read for HTTP dates only. */
  now(): number;
  /** A clock that never goes back, in milliseconds from any start. What is left of deadlines and windows is measured on it. */
  monotonic(): number;
  /**
   * Resolves when {@link Clock.monotonic} is `ms` milliseconds further; rejects with the signal's reason as soon as it aborts,
   * leaving no timer behind.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A number from 0 up to, not including, 1. Spreads retries. */
  random(): number;
}

/** The runtime's own clock. */
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
