import type { Clock } from "../core/options/clock.js";
import { blockedFor, grant, moreIn, type Wanted, wakesAt } from "../core/pacing/outlook.js";
import type { Outlook } from "../core/pacing/pacer.js";
import { type RateWindow, type Told, unknownWindow } from "../core/pacing/rate-window.js";
import { beginCalls, endCall, turnIfDue } from "../core/pacing/window.js";
import type { RateLimitStore } from "./rate-limit-store.js";
import { ForeignText, fromText, toText } from "./window-text.js";

/** How long an answer of the store may take, in milliseconds, before the client paces by itself. */
const PATIENCE_MS = 250;
/** How often, and for how long, others may be faster: each time one of them got on, so more is a store that takes nothing. */
const MOST = { tries: 100, ms: 1_000 };
/** How long a store that failed is left alone, in milliseconds. */
const RETRY_MS = 1_000;
/** How much longer than a window its text is kept after the last change. */
const KEEP_MS = 600_000;
/** How soon the window is looked at again, in milliseconds, while calls of other processes may free places. */
const POLL_MS = { first: 20, last: 500 };

/** A call that ended. */
export interface Finished {
  /** Its number in the shared window; `undefined` if it began without it. */
  readonly number: number | undefined;
  readonly told: Told | undefined;
}

/** What the shared window gave. */
export interface Grant extends Outlook {
  /** Number of the first call; the others follow. */
  readonly first: number;
  readonly high: number;
  readonly normal: number;
}

/**
 * The window that a fleet keeps in a store, as one of its clients sees it. It never waits much longer than a second, and says
 * once what is wrong.
 */
export class SharedWindow {
  readonly #store: RateLimitStore;
  readonly #clock: Clock;
  readonly #maxWaitMs: number;
  readonly #report: (problem: string) => void;
  /** When to try a store that failed again. */
  #retryAt: number | undefined;
  #pollMs = POLL_MS.first;
  /** How often the window had turned when it was last seen. */
  turns = 0;

  constructor(store: RateLimitStore, clock: Clock, maxWaitMs: number, report: (problem: string) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#maxWaitMs = maxWaitMs;
    this.#report = report;
  }

  /** Whether the store answered when it was last asked. */
  get isUsable(): boolean {
    return this.#retryAt === undefined;
  }

  /** Whether a store that failed should be left alone. */
  get isResting(): boolean {
    return this.#retryAt !== undefined && this.#clock.monotonic() < this.#retryAt;
  }

  /**
   * Tells the window which calls ended, and asks for turns. `undefined` where the store failed; that counts as an outage
   * only where `isAwaited` says that calls are kept waiting by it.
   */
  async exchange(finished: readonly Finished[], wanted: Wanted, isAwaited: () => boolean): Promise<Grant | undefined> {
    try {
      const granted = await this.#change(finished, wanted);
      this.#retryAt = undefined;
      return granted;
    } catch (error) {
      if (this.isUsable && !isAwaited()) return undefined;
      if (this.isUsable) {
        const problem = `sharedRateLimit: the shared store failed (${reasonOf(error)}).`;
        callBack(() => this.#report(`${problem} This client paces by itself until it answers again.`));
      }
      this.#retryAt = this.#clock.monotonic() + RETRY_MS;
      return undefined;
    }
  }

  async #change(finished: readonly Finished[], wanted: Wanted): Promise<Grant> {
    const givesUpAt = this.#clock.monotonic() + MOST.ms;
    for (let tries = 0; tries < MOST.tries && this.#clock.monotonic() < givesUpAt; tries += 1) {
      const { value, now } = await patiently(this.#store.read());
      if (!Number.isFinite(now)) throw new TypeError("the store told no time");
      const window = value === undefined ? unknownWindow() : fromText(value, now);
      turnIfDue(window, now);
      for (const { number = -1, told } of finished) endCall(window, now, number, told, this.#maxWaitMs);
      const { high, normal } = grant(window, now, wanted, this.#maxWaitMs);
      const first = beginCalls(window, now, high + normal);
      const next = toText(window);
      const ttlMs = KEEP_MS + (window.said?.windowMs ?? 0);
      // One that failed before must show that it takes a write, or it would count as back and fail again at the next call.
      const isKept = next === value && this.isUsable;
      if (isKept || (await patiently(this.#store.compareAndSwap(value, next, ttlMs)))) {
        return this.#granted(window, now, { first, high, normal });
      }
    }
    throw new Restless();
  }

  #granted(window: RateWindow, now: number, calls: Pick<Grant, "first" | "high" | "normal">): Grant {
    // Where something has just changed, more may soon follow.
    const isNews = calls.high + calls.normal > 0 || window.turns !== this.turns;
    this.#pollMs = isNews ? POLL_MS.first : Math.min(this.#pollMs * 2, POLL_MS.last);
    this.turns = window.turns;
    const wakesInMs = (wakesAt(window, now, this.#maxWaitMs) ?? Number.POSITIVE_INFINITY) - now;
    const moreInMs = moreIn(window, now, this.#maxWaitMs);
    const blockedMs = blockedFor(window, now, this.#maxWaitMs);
    return { ...calls, moreInMs, blockedMs, pollInMs: Math.min(this.#pollMs, wakesInMs) };
  }
}

/** What the user's function throws, or rejects with, is only logged: calls wait for what comes after it. */
function callBack(run: () => unknown): void {
  const log = (error: unknown) => console.error("svc-sdk: report threw", error);
  try {
    const result = run();
    if (result instanceof Promise) result.catch(log);
  } catch (error) {
    log(error);
  }
}

class Restless extends Error {}
class Silent extends Error {}

/** A store's own words may hold an address with a password, so only a code or the error's kind is shown. */
function reasonOf(error: unknown): string {
  if (error instanceof Silent) return `no answer within ${PATIENCE_MS} ms`;
  if (error instanceof Restless) return "no change was taken";
  if (error instanceof ForeignText) return "it holds something else than a window of this version";
  if (!(error instanceof Error)) return "it threw no Error";
  const code: unknown = Reflect.get(error, "code");
  return typeof code === "string" ? code : error.name;
}

/** Bounds an answer of the store in time. */
async function patiently<Result>(answer: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    // In two halves: a process that was busy reads what has arrived before it calls the store silent.
    timer = setTimeout(() => {
      timer = setTimeout(() => reject(new Silent()), PATIENCE_MS / 2);
    }, PATIENCE_MS / 2);
  });
  try {
    return await Promise.race([answer, silence]);
  } finally {
    clearTimeout(timer);
  }
}
