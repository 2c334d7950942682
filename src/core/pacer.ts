import type { RateLimit } from "../errors/api-error.js";
import { Alarm } from "./alarm.js";
import type { Clock } from "./clock.js";
import { beginCalls, endCall, type Told, turnIfDue, turnsAt, unknownWindow } from "./rate-window.js";
import { closedFor, freePlaces, grant, moreIn, type Wanted, wakesAt } from "./rate-window-grant.js";
import { type CallBounds, CallQueue, type Priority } from "./rate-window-queue.js";
import { type Finished, type Grant, SharedWindow } from "./rate-window-shared.js";
import type { RateWindowStore } from "./rate-window-store.js";

/** How a client stands with the service's rate window. Spec: Limits. */
export interface RateLimitState {
  /** What the newest answer said, word for word; `undefined` before the first, and where the service says nothing. */
  readonly said: RateLimit | undefined;
  /**
   * Requests left in the window as far as this client knows: the lowest count that its answers told since the window began.
   * `undefined` before a window's first answer.
   */
  readonly remaining: number | undefined;
  /** Requests of this client that are on their way. */
  readonly inFlight: number;
  /** Calls of this client that wait for their turn. */
  readonly queued: number;
  /** Whether a 429 holds back all calls. */
  readonly isHeld: boolean;
  /**
   * Milliseconds until the client takes the window for turned, or its hold for over; `undefined` where that cannot be told,
   * as between windows.
   */
  readonly turnsInMs: number | undefined;
  /** Whether turns come from the shared `rateWindow`: false without one, and while it cannot be reached. */
  readonly isShared: boolean;
}

/** The right to send one request. */
export interface Turn {
  /** Its number in the client's own window. */
  readonly own: number;
  /** Its number in the shared window; `undefined` where that did not give it. */
  readonly shared: number | undefined;
}

/** What is known of the turns to come. */
type Outlook = { readonly [Key in "moreInMs" | "closedMs" | "pollInMs"]: number | undefined };

/** How a pacer is set up. */
export interface PacerOptions {
  readonly clock: Clock;
  /** The longest wait for a window that is worth it, in milliseconds. */
  readonly maxWaitMs: number;
  /** Where a fleet keeps its window. */
  readonly store?: RateWindowStore | undefined;
  /** Told once per outage of the store. */
  readonly report?: ((problem: string) => void) | undefined;
}

/**
 * Keeps a client inside the service's rate window instead of running into it. Spec: Limits.
 *
 * It learns limit, remaining and window from every answer, never has more calls of a window in flight than remain of it, and
 * after a 429 holds all of them until the window turns. A service that does as it is asked and says nothing about a limit is
 * not paced. With a store, the window that a fleet keeps there decides, and this client's own is what it falls back to.
 */
export class Pacer {
  readonly #clock: Clock;
  readonly #maxWaitMs: number;
  readonly #queue = new CallQueue<Turn>();
  readonly #shared: SharedWindow | undefined;
  /** What this client's own calls taught it. It decides where there is no shared window, or none that answers. */
  readonly #own = unknownWindow();
  #inFlight = 0;
  /** Calls that ended and that the shared window was not told about yet. */
  #finished: Finished[] = [];
  #isAsking = false;
  /** Wakes the waiting calls. It is set only while calls wait. */
  readonly #alarm: Alarm;

  constructor({ clock, maxWaitMs, store, report = console.warn }: PacerOptions) {
    this.#clock = clock;
    this.#maxWaitMs = maxWaitMs;
    this.#alarm = new Alarm(clock, () => this.#serve());
    this.#shared = store && new SharedWindow(store, clock, maxWaitMs, report);
  }

  /** How the client stands with the window right now. */
  get state(): RateLimitState {
    const now = this.#clock.monotonic();
    turnIfDue(this.#own, now);
    const end = turnsAt(this.#own);
    return Object.freeze({
      said: this.#own.said,
      remaining: this.#own.remaining,
      inFlight: this.#inFlight,
      queued: this.#queue.size,
      isHeld: this.#own.heldUntil !== undefined,
      turnsInMs: end === undefined ? undefined : end - now,
      isShared: this.#shared?.isUsable ?? false,
    });
  }

  /** A turn where a request may be sent at once. Every turn is given back with {@link done}. */
  turnNow(priority: Priority): Turn | undefined {
    if (this.#shared?.isUsable || !this.#isNext(priority) || !this.#hasPlace(priority)) return undefined;
    return this.#begin();
  }

  /**
   * Resolves when a request may be sent. Rejects with the reason of a signal that aborts from now on, or at once with a
   * `CallEnded` where the deadline comes before any call may begin.
   *
   * `onWait` is told at most once, when the call has to wait: in how many milliseconds the window gives more turns at the latest,
   * where that is known. A call far back in the queue may wait for several windows.
   */
  turn(priority: Priority, bounds: CallBounds, onWait?: (expectedMs: number | undefined) => void): Promise<Turn> {
    const { turns } = this.#shared?.isUsable ? this.#shared : this.#own;
    const turn = this.#queue.enter(priority, bounds, { since: turns, onWait }, () => {
      if (this.#queue.size === 0) this.#alarm.stop();
    });
    this.#serve();
    return turn;
  }

  /** Gives a turn back. `told` is what the answer said about the window, or nothing where no answer came. */
  done(turn: Turn, told?: Told): void {
    const now = this.#clock.monotonic();
    turnIfDue(this.#own, now);
    endCall(this.#own, now, turn.own, told, this.#maxWaitMs);
    this.#inFlight -= 1;
    if (this.#shared) this.#finished.push({ number: turn.shared, told });
    this.#serve();
  }

  #isNext(priority: Priority): boolean {
    return priority === "high" ? this.#queue.count("high") === 0 : this.#queue.size === 0;
  }

  #hasPlace(priority: Priority): boolean {
    const now = this.#clock.monotonic();
    turnIfDue(this.#own, now);
    return freePlaces(this.#own, now, priority === "high" ? "all" : "unreserved", this.#maxWaitMs) > 0;
  }

  #begin(shared?: number): Turn {
    this.#inFlight += 1;
    return { own: beginCalls(this.#own, this.#clock.monotonic(), 1), shared };
  }

  get #wanted(): Wanted {
    const queue = this.#queue;
    return { high: queue.count("high"), normal: queue.count("normal"), normalSince: queue.normalSince };
  }

  /** Starts what may start. */
  #serve(): void {
    if (this.#shared) void this.#ask(this.#shared);
    if (!this.#shared?.isUsable) this.#serveAlone();
  }

  #serveAlone(): void {
    if (this.#queue.size === 0) {
      this.#alarm.stop();
      return;
    }
    const now = this.#clock.monotonic();
    turnIfDue(this.#own, now);
    const granted = grant(this.#own, now, this.#wanted, this.#maxWaitMs);
    this.#queue.start("high", granted.high, () => this.#begin());
    this.#queue.start("normal", granted.normal, () => this.#begin());
    const next = wakesAt(this.#own, now, this.#maxWaitMs);
    this.#wait({
      moreInMs: moreIn(this.#own, now, this.#maxWaitMs),
      closedMs: closedFor(this.#own, now, this.#maxWaitMs),
      pollInMs: next === undefined ? undefined : next - now,
    });
  }

  /** Exchanges what ended and what waits with the shared window, one exchange at a time. */
  async #ask(shared: SharedWindow): Promise<void> {
    if (this.#isAsking || shared.isResting) return;
    this.#isAsking = true;
    for (let isMore = true; isMore; ) {
      // A store that failed before is tried in the background: the calls do not wait for it.
      const wanted = shared.isUsable ? this.#wanted : { high: 0, normal: 0, normalSince: undefined };
      const granted = await shared.exchange(this.#finished.splice(0), wanted, () => this.#queue.size > 0);
      if (!granted) {
        // A failure that kept nobody waiting is no outage; whoever came since then finds out.
        isMore = shared.isUsable && this.#queue.size > 0;
        continue;
      }
      this.#startGranted(granted);
      const isStuck = granted.high + granted.normal === 0 && this.#queue.size <= wanted.high + wanted.normal;
      if (isStuck) this.#wait(granted);
      isMore = this.#finished.length > 0 || (this.#queue.size > 0 && !isStuck);
    }
    this.#isAsking = false;
    if (!shared.isUsable) {
      this.#finished = [];
      this.#serveAlone();
    }
  }

  #startGranted({ first, high, normal }: Grant): void {
    let next = first;
    const begin = () => this.#begin(next++);
    this.#queue.start("high", high, begin);
    this.#queue.start("normal", normal, begin);
    // Calls that were given up in the meantime leave their turns.
    for (; next < first + high + normal; next += 1) this.#finished.push({ number: next, told: undefined });
    if (this.#queue.size === 0) this.#alarm.stop();
  }

  /** Lets the calls wait that could not start, and looks again after `pollInMs`, where an answer does not come first. */
  #wait({ moreInMs, closedMs, pollInMs }: Outlook): void {
    this.#queue.refuse(closedMs, this.#clock.monotonic(), this.#maxWaitMs);
    if (this.#queue.size === 0) {
      this.#alarm.stop();
      return;
    }
    if (pollInMs !== undefined) this.#alarm.set(Math.max(pollInMs, 1));
    // Last: who is told may give up, and what then waits for nobody has to stop.
    this.#queue.tell(moreInMs);
  }
}
