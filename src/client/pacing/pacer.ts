// The room of the rate limit: when a call may start, learned from responses. It imports only the clock and the
// reasons why a call ends. Start here, then `rate-window-rules.ts`.

import type { RateLimit } from "../../errors/api-error.js";
import type { Clock } from "../clock.js";
import { grant, type WaitTimes, waitTimes } from "./grant.js";
import { CallQueue, type Priority, type Waiting } from "./queue.js";
import { type RateLimitReport, RateWindow } from "./rate-window.js";
import { beginCalls, endCall, freePlaces, isCurrent, resetsAt } from "./rate-window-rules.js";

/** A client's rate limit state. */
export interface RateLimitState {
  /**
   * The rate limit in the newest response. `undefined` before the first response, or if the service reports no limit.
   */
  readonly reported: RateLimit | undefined;
  /**
   * Requests left in the window as far as this client knows: the lowest count in its responses since the window
   * started. `undefined` before a window's first response.
   */
  readonly remaining: number | undefined;
  /** Requests of this client that are in flight. */
  readonly inFlight: number;
  /** Calls of this client that are queued. */
  readonly queued: number;
  /** Whether a 429 blocks all calls. */
  readonly isBlocked: boolean;
  /** Milliseconds until the client considers the window reset, or the block over. `undefined` if that isn't known. */
  readonly resetsInMs: number | undefined;
  /** Whether the shared rate limit is in use. False without `sharedRateLimit`, and while its store can't be reached. */
  readonly isShared: boolean;
}

/** The right to send one request. */
export interface Slot {
  /** Its number in the client's own window. */
  readonly own: number;
  /** Its number in the shared window; `undefined` if the slot isn't from there. */
  readonly shared: number | undefined;
  /** Milliseconds that its call was queued. */
  readonly waitedMs: number;
}

/** Settings a pacer needs from its client. */
export interface PacerSettings {
  readonly clock: Clock;
  /** The longest time to wait for a window, in milliseconds. */
  readonly maxRetryDelayMs: number;
}

/** How many queued calls start before the event loop runs other tasks. */
const BATCH = 100;

/** Lets timers, sockets and other tasks run. */
const nextTask = (): Promise<void> => {
  // Not every runtime has it, so the standard types don't name it; a timer takes a millisecond.
  const { setImmediate: soon = setTimeout } = globalThis as { setImmediate?: (run: () => void) => unknown };
  return new Promise((resolve) => soon(resolve));
};

/**
 * Keeps a client inside the service's rate limit.
 *
 * It learns limit, remaining and window from every response, never has more calls of a window in flight than remain of
 * it, and after a 429 blocks all of them until the window resets. Without rate limit headers, nothing is throttled.
 */
export class Pacer {
  protected readonly clock: Clock;
  protected readonly maxWaitMs: number;
  protected readonly queue = new CallQueue<Slot>(() => this.#stopAlarm());
  /** The window as this client's own calls show it. */
  readonly #own = new RateWindow();
  #inFlight = 0;
  /** A batch was started, and the event loop hasn't run since. */
  #isPaused = false;
  /** When the queued calls are checked again. */
  #alarm: { readonly at: number; readonly stop: AbortController } | undefined;

  constructor({ clock, maxRetryDelayMs }: PacerSettings) {
    this.clock = clock;
    this.maxWaitMs = maxRetryDelayMs;
  }

  /** The current state. */
  get state(): RateLimitState {
    const now = this.clock.monotonic();
    const end = resetsAt(this.#own, now);
    return Object.freeze({
      reported: this.#own.reported,
      remaining: this.#own.remaining,
      inFlight: this.#inFlight,
      queued: this.queue.size,
      isBlocked: this.#own.blockedUntil !== undefined,
      resetsInMs: end === undefined ? undefined : end - now,
      isShared: false,
    });
  }

  /** A slot without a wait, if any call may start now. Return every slot with {@link done}. */
  takeNow(): Slot | undefined {
    if (this.queue.size > 0) return undefined;
    const now = this.clock.monotonic();
    return freePlaces(this.#own, now, false, this.maxWaitMs) > 0 ? this.begin(now) : undefined;
  }

  /**
   * Resolves when a request may be sent. Rejects with the reason of a signal that aborts from now on, or with a
   * `CallEnded` if the deadline passes before any call may start, or if calls don't wait that long.
   */
  take(priority: Priority = "normal", call: Waiting): Promise<Slot> {
    const slot = this.queue.enter(priority, call, this.resets, this.clock.monotonic());
    this.serve();
    return slot;
  }

  /** Whether the request of a slot may still be sent: no 429 blocks it, and the window hasn't reset since. */
  isCurrent({ own }: Slot): boolean {
    return isCurrent(this.#own, this.clock.monotonic(), own);
  }

  /** Returns a slot. `report` is what the response reported about the window, or `undefined` without a response. */
  done(slot: Slot, report: RateLimitReport | undefined): void {
    endCall(this.#own, this.clock.monotonic(), slot.own, report, this.maxWaitMs);
    this.#inFlight -= 1;
    if (this.queue.size > 0) this.serve();
  }

  /** How often the window has reset; `undefined` until it is read. */
  protected get resets(): number | undefined {
    return this.#own.resets;
  }

  protected begin(now: number, queuedAt = now, shared?: number): Slot {
    this.#inFlight += 1;
    return { own: beginCalls(this.#own, now, 1), shared, waitedMs: now - queuedAt };
  }

  /** Starts the calls that may start. */
  protected serve(): void {
    if (this.#isPaused || this.queue.size === 0) return;
    const now = this.clock.monotonic();
    const { high, normal } = grant(this.#own, now, this.queue, this.maxWaitMs);
    const begin = (queuedAt: number) => this.begin(now, queuedAt);
    const first = Math.min(high, BATCH);
    this.queue.start("high", first, begin);
    this.queue.start("normal", Math.min(normal, BATCH - first), begin);
    if (high + normal > BATCH) void this.#serveLater();
    this.keepQueued(waitTimes(this.#own, now, this.maxWaitMs));
  }

  async #serveLater(): Promise<void> {
    this.#isPaused = true;
    await nextTask();
    this.#isPaused = false;
    this.serve();
  }

  /** Keeps calls that couldn't start queued, and checks again after `pollInMs`, if no response arrives first. */
  protected keepQueued({ moreInMs, blockedMs, pollInMs }: WaitTimes): void {
    if (blockedMs !== undefined) this.queue.reject(blockedMs, this.clock.monotonic(), this.maxWaitMs);
    if (this.queue.size === 0) return;
    if (pollInMs !== undefined) this.#wakeIn(Math.max(pollInMs, 1));
    // Last: a listener may abort its call, and then the alarm must stop.
    this.queue.announce(moreInMs);
  }

  /** Checks the queued calls after so many milliseconds, unless an earlier check is set. */
  #wakeIn(ms: number): void {
    const at = this.clock.monotonic() + ms;
    if (this.#alarm && this.#alarm.at <= at) return;
    this.#stopAlarm();
    const stop = new AbortController();
    this.#alarm = { at, stop };
    const wake = async () => {
      await this.clock.sleep(ms, stop.signal);
      // A clock that never advances would wake endlessly, and no timer of the runtime could fire in between.
      if (this.clock.monotonic() < at) await new Promise((resolve) => setTimeout(resolve));
      this.#stopAlarm();
      this.serve();
    };
    // Stopping the alarm ends its sleep.
    wake().catch(() => undefined);
  }

  #stopAlarm(): void {
    this.#alarm?.stop.abort();
    this.#alarm = undefined;
  }
}
