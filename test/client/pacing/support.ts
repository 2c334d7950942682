import { createEmulator, type Emulator } from "../../../src/emulator/index.js";
import { type Clock, Svc, type SvcOptions } from "../../../src/index.js";
import type { RateLimitStore } from "../../../src/stores/index.js";
import { settle } from "../../support/clock.js";

/**
 * A clock on which many wait at the same time. It stands still until {@link VirtualClock.play} moves it from one waker
 * to the next.
 */
export interface VirtualClock extends Clock {
  /** Plays time until the promise has settled. One play at a time. */
  play<Result>(until: Promise<Result>): Promise<Result>;
  /** Timers that are left. */
  readonly waiting: number;
}

/** A clock that moves an emulator's as well. Its chance is the same in every run. */
export function virtualClock(emulator?: Emulator): VirtualClock {
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  const start = Date.UTC(2026, 0, 1);
  let passed = 0;
  let seed = 7;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  return {
    now: () => start + passed,
    monotonic: () => passed,
    random,
    get waiting() {
      return sleepers.size;
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const leave = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const wake = () => {
          sleepers.delete(sleeper);
          signal?.removeEventListener("abort", leave);
          resolve();
        };
        const sleeper = { at: passed + Math.ceil(ms), wake };
        if (signal?.aborted) return leave();
        signal?.addEventListener("abort", leave, { once: true });
        sleepers.add(sleeper);
      }),
    play: async (until) => {
      let isSettled = false;
      const end = () => {
        isSettled = true;
      };
      until.then(end, end);
      for (;;) {
        await settle();
        if (isSettled) return until;
        if (sleepers.size === 0) throw new Error("nothing will ever happen again");
        const at = Math.min(...[...sleepers].map((sleeper) => sleeper.at));
        emulator?.clock.advance(at - passed);
        passed = at;
        for (const sleeper of sleepers) if (sleeper.at <= at) sleeper.wake();
      }
    },
  };
}

/** An emulator with 50 requests a minute, behind a network that takes from 5 to 45 ms each way. */
export function smallService(limit = 50) {
  const emulator = createEmulator({ rateLimit: { limit, windowSeconds: 60 } });
  const clock = virtualClock(emulator);
  const delay = () => clock.sleep(5 + Math.floor(clock.random() * 40));
  const fetch = async (request: Request): Promise<Response> => {
    await delay();
    const response = await emulator.fetch(request);
    await delay();
    return response;
  };
  const { baseUrl, apiKey = "" } = emulator.connection;
  const count = { sent: 0, refused: 0 };
  return {
    clock,
    emulator,
    /** Requests of the clients, and how many of them the limiter turned away. */
    count,
    /** A client over this network. */
    client: (options: SvcOptions = {}) =>
      new Svc({
        ...emulator.connection,
        env: {},
        clock,
        fetch: async (request) => {
          const response = await fetch(request);
          count.sent += 1;
          if (response.status === 429) count.refused += 1;
          return response;
        },
        ...options,
      }),
    /** Another program with the same key, which heeds nothing: `burst` requests together, every `everyMs`. */
    neighbour: async (burst: number, everyMs: number): Promise<void> => {
      for (;;) {
        for (let index = 0; index < burst; index += 1) {
          void fetch(new Request(`${baseUrl}/api/v3.1/tools/enum`, { headers: { "x-api-key": apiKey } }));
        }
        await clock.sleep(everyMs);
      }
    },
  };
}

/**
 * Starts many simultaneous calls, dealt out to the clients. Says how many failed, and how long they took on the clock.
 */
export async function flood(svcs: readonly Svc[], calls: number, clock: VirtualClock) {
  const startedAt = clock.monotonic();
  const running = Array.from({ length: calls }, async (_, index) => svcs[index % svcs.length]?.tools.listSlugs());
  const results = await Promise.allSettled(running);
  return {
    failed: results.filter(({ status }) => status === "rejected").length,
    tookMs: clock.monotonic() - startedAt,
  };
}

/** A store in memory that can be made to fail. */
interface MemoryWindow extends RateLimitStore {
  /** Takes the place of both methods while it is set. */
  fault: (() => Promise<never>) | undefined;
  /** Called after each write. */
  afterSwap: (() => void) | undefined;
  text: string | undefined;
}

/** A store in memory, on a clock that differs from the clients'. */
export function memoryWindow(clock: Clock): MemoryWindow {
  return {
    fault: undefined,
    afterSwap: undefined,
    text: undefined,
    async read() {
      if (this.fault) return this.fault();
      return { value: this.text, now: clock.monotonic() + 1_000_000 };
    },
    async compareAndSwap(expected, next) {
      if (this.fault) return this.fault();
      if (this.text !== expected) return false;
      this.text = next;
      this.afterSwap?.();
      return true;
    },
  };
}
