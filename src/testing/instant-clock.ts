import type { Clock } from "../index.js";

/** The parts of an emulator that {@link instantClock} uses. */
export interface EmulatorTime {
  /** The emulator's clock. */
  readonly clock: { now(): number; advance(ms: number): void };
}

/** A client's clock on which nothing waits. */
export interface InstantClock extends Clock {
  /** The client's waits, in milliseconds, in their order. */
  readonly waits: readonly number[];
}

/**
 * Lets a client wait in the time of an emulator: each wait ends at once and advances the emulator's clock. So a test of
 * a 429 that asks for 40 seconds takes none, and expirations, the rate limit and deliveries follow.
 *
 * ```ts
 * const clock = instantClock(emulator);
 * const svc = new Svc({ ...emulator.connection, clock });
 * ```
 *
 * Waits of calls that run at the same time add up. A timeout of a request still takes real time.
 */
export function instantClock({ clock }: EmulatorTime): InstantClock {
  const waits: number[] = [];
  let last = clock.now();
  let passed = 0;
  return {
    waits,
    now: () => clock.now(),
    monotonic: () => {
      const now = clock.now();
      // A reset or a restored snapshot sets the emulator's clock back.
      passed += Math.max(0, now - last);
      last = now;
      return passed;
    },
    // The least that a random wait can be.
    random: () => 0,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      waits.push(ms);
      clock.advance(ms);
    },
  };
}
