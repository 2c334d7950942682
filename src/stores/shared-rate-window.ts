import pRetry from "p-retry";
import type { Clock } from "../client/clock.js";
import { grant, type QueuedCalls, type WaitTimes, waitTimes } from "../client/pacing/grant.js";
import { type RateLimitReport, RateWindow } from "../client/pacing/rate-window.js";
import { beginCalls, endCall } from "../client/pacing/rate-window-rules.js";
import { callBack } from "../shared/timers.js";
import { ForeignText, fromText, type RateLimitStore, toText } from "./stored-rate-window.js";

/** How long the store may take to respond, in milliseconds, before the client throttles calls on its own. */
const TIMEOUT_MS = 250;
/**
 * How often, and for how long, others may write first. Each time one of them succeeded, so more means that the store
 * accepts no write.
 */
const MOST = { tries: 100, ms: 1_000 };
/** Delay before a failed store is tried again, in milliseconds. */
const RETRY_MS = 1_000;
/** How much longer than its window, or a requested wait, a string is kept after the last change, in milliseconds. */
const KEEP_MS = 600_000;
/** How soon the window is read again, in milliseconds, while calls of other processes may free slots. */
const POLL_MS = { first: 20, last: 500 };

export interface Finished {
  /** Its number in the shared window; `undefined` if it started without it. */
  readonly number: number | undefined;
  readonly report: RateLimitReport | undefined;
}

export interface Grant extends WaitTimes {
  /** Number of the first call; the others follow. */
  readonly first: number;
  readonly high: number;
  readonly normal: number;
}

/**
 * The window that several processes keep in a store, as one client sees it. It never waits much longer than a second,
 * and reports a problem once.
 */
export class SharedWindow {
  readonly #store: RateLimitStore;
  readonly #clock: Clock;
  readonly #maxWaitMs: number;
  readonly #onOutage: (problem: string) => void;
  /** When to try a store that failed again. */
  #retryAt: number | undefined;
  #pollMs = POLL_MS.first;
  /** How often the window had reset when it was last read. */
  resets = 0;

  constructor(store: RateLimitStore, clock: Clock, maxWaitMs: number, onOutage: (problem: string) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#maxWaitMs = maxWaitMs;
    this.#onOutage = onOutage;
  }

  /** Whether the store worked when it was last used. */
  get isUsable(): boolean {
    return this.#retryAt === undefined;
  }

  /** Whether it's too early to try a failed store again. */
  get isPaused(): boolean {
    return this.#retryAt !== undefined && this.#clock.monotonic() < this.#retryAt;
  }

  /**
   * Reports which calls ended, and requests slots. `undefined` if the store failed; that counts as an outage only if
   * `isAwaited` shows that calls are waiting for it.
   */
  async exchange(
    finished: readonly Finished[],
    queuedCalls: QueuedCalls,
    isAwaited: () => boolean,
  ): Promise<Grant | undefined> {
    try {
      const granted = await this.#change(finished, queuedCalls);
      this.#retryAt = undefined;
      return granted;
    } catch (error) {
      if (this.isUsable && !isAwaited()) return undefined;
      if (this.isUsable) {
        const problem = `sharedRateLimit: the shared store failed (${reasonOf(error)}).`;
        const next = "This client throttles calls on its own until the store works again.";
        callBack("onOutage", this.#onOutage, `${problem} ${next}`);
      }
      this.#retryAt = this.#clock.monotonic() + RETRY_MS;
      return undefined;
    }
  }

  async #change(finished: readonly Finished[], queuedCalls: QueuedCalls): Promise<Grant> {
    const givesUpAt = this.#clock.monotonic() + MOST.ms;
    return await pRetry(() => this.#tryToChange(finished, queuedCalls), {
      retries: MOST.tries - 1,
      minTimeout: 0,
      shouldRetry: ({ error }) => error instanceof SwapContention && this.#clock.monotonic() < givesUpAt,
    });
  }

  /** Reads the window and writes it back. @throws {SwapContention} if another process wrote in between. */
  async #tryToChange(finished: readonly Finished[], queuedCalls: QueuedCalls): Promise<Grant> {
    const { value, now } = await withTimeout(this.#store.read());
    if (!Number.isFinite(now)) throw new TypeError("the store returned no time");
    const window = value === undefined ? new RateWindow() : fromText(value, now);
    for (const { number = -1, report } of finished) endCall(window, now, number, report, this.#maxWaitMs);
    const { high, normal } = grant(window, now, queuedCalls, this.#maxWaitMs);
    const first = beginCalls(window, now, high + normal);
    const next = toText(window);
    const waitMs = Math.ceil((window.blockedUntil ?? now) - now);
    const ttlMs = KEEP_MS + Math.max(window.reported?.windowMs ?? 0, waitMs);
    // A store that failed before must accept a write. Otherwise it would count as recovered and fail at the next call.
    const isKept = next === value && this.isUsable;
    const isWritten: unknown = isKept || (await withTimeout(this.#store.compareAndSwap(value, next, ttlMs)));
    if (typeof isWritten !== "boolean") throw new TypeError("the store returned no boolean");
    if (!isWritten) throw new SwapContention();
    return this.#granted(window, now, { first, high, normal });
  }

  #granted(window: RateWindow, now: number, calls: Pick<Grant, "first" | "high" | "normal">): Grant {
    // If something has just changed, more may follow soon.
    const isNews = calls.high + calls.normal > 0 || window.resets !== this.resets;
    this.#pollMs = isNews ? POLL_MS.first : Math.min(this.#pollMs * 2, POLL_MS.last);
    this.resets = window.resets;
    const times = waitTimes(window, now, this.#maxWaitMs);
    return { ...calls, ...times, pollInMs: Math.min(this.#pollMs, times.pollInMs ?? this.#pollMs) };
  }
}

class SwapContention extends Error {}
class StoreTimeout extends Error {}
/** The store threw something that isn't an `Error`. */
class NoError extends Error {}

/** A store's message may contain a URL with a password, so only a code or the error's class is shown. */
function reasonOf(error: unknown): string {
  if (error instanceof StoreTimeout) return `no response within ${TIMEOUT_MS} ms`;
  if (error instanceof SwapContention) return "no write succeeded";
  if (error instanceof ForeignText) return "it contains something other than a window of this version";
  if (!(error instanceof Error) || error instanceof NoError) return "it threw something other than an Error";
  const code: unknown = Reflect.get(error, "code");
  return typeof code === "string" ? code : error.name;
}

async function withTimeout<Result>(response: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    // In two halves: a process that was busy reads what has arrived before the store times out.
    timer = setTimeout(() => {
      timer = setTimeout(() => reject(new StoreTimeout()), TIMEOUT_MS / 2);
    }, TIMEOUT_MS / 2);
  });
  try {
    return await Promise.race([response, timeout]);
  } catch (error) {
    throw error instanceof Error ? error : new NoError();
  } finally {
    clearTimeout(timer);
  }
}
