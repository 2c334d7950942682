import type { RateLimit } from "../errors/api-error.js";
import type { Clock } from "./clock.js";

/** Calls in flight while nothing is known about the window. */
const CAUTIOUS = 16;

/**
 * Keeps a client inside the service's rate window instead of running into it. Spec: Limits.
 *
 * It learns limit, remaining and window from every answer, never has more calls in flight than remain, and after a 429
 * holds all of them until the window turns. A service that says nothing about a limit is not paced after its first answer.
 */
export class Pacer {
  readonly #clock: Clock;
  readonly #maxWaitMs: number;
  readonly #waiting: Readonly<Record<"high" | "normal", (() => void)[]>> = { high: [], normal: [] };
  #inFlight = 0;
  #rateLimit: RateLimit | undefined;
  /** False until the window's first answer: its count is not known before. */
  #isKnown = false;
  /** When the first call of the window was sent, or answered: the window has turned at the latest one window later. */
  #windowStart: number | undefined;
  /** Calls that were in flight when the newest count came: their answers may still tell of an earlier, higher one. */
  #overtaken = 0;
  /** After a 429, when the service said the window turns. */
  #heldUntil: number | undefined;
  #alarm: AbortController | undefined;

  /** `maxWaitMs` is the longest wait for a window that is worth it. */
  constructor(clock: Clock, maxWaitMs: number) {
    this.#clock = clock;
    this.#maxWaitMs = maxWaitMs;
  }

  /** What the service last said; `undefined` before it said anything. */
  get rateLimit(): RateLimit | undefined {
    return this.#rateLimit;
  }

  /** Resolves when a request may be sent, or rejects with the signal's reason. Every turn is given back with {@link done}. */
  async turn(priority: "high" | "normal", signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { high, normal } = this.#waiting;
    const isNext = high.length === 0 && (priority === "high" || normal.length === 0);
    if (isNext && this.#mayStart()) {
      this.#begin();
      return;
    }

    const queue = this.#waiting[priority];
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        queue.splice(queue.indexOf(start), 1);
        if (high.length + normal.length === 0) this.#alarm?.abort();
        reject(signal.reason);
      };
      const start = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      signal.addEventListener("abort", leave, { once: true });
      queue.push(start);
      this.#startWaiting();
    });
  }

  /**
   * Gives a turn back. `answered` is what the answer said about the window, or nothing where no answer came; `holdMs` is
   * how long a 429 asked everyone to wait.
   */
  done(answered?: { readonly rateLimit: RateLimit | undefined; readonly holdMs: number | undefined }): void {
    if (answered) {
      this.#isKnown = true;
      // Calls that were in flight when the window turned are all there is of the new one so far.
      this.#windowStart ??= this.#clock.monotonic();
      if (answered.rateLimit) this.#learn(answered.rateLimit);
      if (answered.holdMs !== undefined) {
        this.#heldUntil = Math.max(this.#heldUntil ?? 0, this.#clock.monotonic() + answered.holdMs);
      }
    }
    this.#inFlight -= 1;
    this.#startWaiting();
  }

  #learn(told: RateLimit): void {
    const known = this.#rateLimit?.remaining;
    // Answers overtake each other, so within a window the lowest count is the newest. A higher jump is a new window.
    const isSameWindow =
      known !== undefined && told.remaining !== undefined && told.remaining <= known + this.#overtaken;
    if (!isSameWindow || (told.remaining ?? 0) <= known) this.#overtaken = this.#inFlight - 1;
    if (known !== undefined && !isSameWindow) this.#windowStart = this.#clock.monotonic();
    this.#rateLimit = isSameWindow ? { ...told, remaining: Math.min(known, told.remaining ?? known) } : told;
  }

  #begin(): void {
    this.#inFlight += 1;
    this.#windowStart ??= this.#clock.monotonic();
  }

  #mayStart(): boolean {
    const turnsAt = this.#turnsAt();
    if (turnsAt !== undefined && this.#clock.monotonic() >= turnsAt) this.#turnWindow();
    if (this.#heldUntil !== undefined) return false;
    if (!this.#isKnown) return this.#inFlight < CAUTIOUS;
    const remaining = this.#rateLimit?.remaining;
    if (remaining === undefined) return true;
    // A turn that is not known, or too far away to wait for: one call at a time goes and asks.
    const isWorthWaiting = turnsAt !== undefined && turnsAt - this.#clock.monotonic() <= this.#maxWaitMs;
    return this.#inFlight < (isWorthWaiting ? remaining : Math.max(remaining, 1));
  }

  /** When the window has turned for certain. The service's own word counts more than our reckoning. */
  #turnsAt(): number | undefined {
    if (this.#heldUntil !== undefined) return this.#heldUntil;
    const windowMs = this.#rateLimit?.windowMs;
    return windowMs === undefined || this.#windowStart === undefined ? undefined : this.#windowStart + windowMs;
  }

  /** A new window begins as cautiously as the client did, so that its turn is no stampede. */
  #turnWindow(): void {
    this.#windowStart = undefined;
    this.#heldUntil = undefined;
    this.#isKnown = false;
    if (this.#rateLimit) this.#rateLimit = { ...this.#rateLimit, remaining: undefined };
  }

  #startWaiting(): void {
    const { high, normal } = this.#waiting;
    while (high.length + normal.length > 0) {
      if (!this.#mayStart()) {
        this.#setAlarm();
        return;
      }
      this.#begin();
      (high.shift() ?? normal.shift())?.();
    }
    this.#alarm?.abort();
  }

  /** Wakes the waiting calls when the window turns. There is one alarm, and only while calls wait. */
  #setAlarm(): void {
    const turnsAt = this.#turnsAt();
    if (turnsAt === undefined || this.#alarm) return;
    const alarm = new AbortController();
    this.#alarm = alarm;
    const rung = () => {
      this.#alarm = undefined;
      this.#startWaiting();
    };
    // It is aborted when nobody waits any more, and then there is nobody to wake either.
    this.#clock.sleep(Math.max(turnsAt - this.#clock.monotonic(), 1), alarm.signal).then(rung, rung);
  }
}
