import type { Clock } from "../../src/index.js";

/** A clock on which nothing waits. */
export interface FakeClock extends Clock {
  /** Every wait, in milliseconds, in the order they were asked for. */
  readonly slept: readonly number[];
  /** Moves time forward without a wait. */
  advance(ms: number): void;
}

interface Advanceable {
  readonly clock: { advance(ms: number): void };
}

/** A clock whose waits end immediately and move its time. With an emulator, they move the emulator's time as well. */
export function fakeClock(emulator?: Advanceable, start = Date.UTC(2026, 0, 1)): FakeClock {
  const slept: number[] = [];
  let passed = 0;
  const advance = (ms: number) => {
    passed += ms;
    emulator?.clock.advance(ms);
  };
  return {
    slept,
    advance,
    now: () => start + passed,
    monotonic: () => passed,
    // The least a backoff can be: half of 500 ms, of 1 s, of 2 s.
    random: () => 0,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      slept.push(ms);
      advance(ms);
    },
  };
}

/** A clock whose waits last until a test moves its time. */
export interface HeldClock extends FakeClock {
  /** How many waits are going on. */
  readonly waiting: number;
}

/** A clock that never advances: a wait ends when {@link FakeClock.advance} reaches it, or when its signal aborts. */
export function heldClock(start = Date.UTC(2026, 0, 1)): HeldClock {
  const slept: number[] = [];
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  let passed = 0;
  return {
    slept,
    get waiting() {
      return sleepers.size;
    },
    advance: (ms) => {
      passed += ms;
      for (const sleeper of sleepers) if (sleeper.until <= passed) sleeper.wake();
    },
    now: () => start + passed,
    monotonic: () => passed,
    random: () => 0,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        slept.push(ms);
        const end = (settle: () => void) => {
          sleepers.delete(sleeper);
          signal?.removeEventListener("abort", onAbort);
          settle();
        };
        const onAbort = () => end(() => reject(signal?.reason));
        const sleeper = { until: passed + ms, wake: () => end(resolve) };
        if (signal?.aborted) return onAbort();
        sleepers.add(sleeper);
        signal?.addEventListener("abort", onAbort, { once: true });
      }),
  };
}

/** Lets everything that is ready to run do so. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
