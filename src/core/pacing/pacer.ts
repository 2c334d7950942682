import type { RateLimit } from "../../errors/api-error.js";
import type { Clock } from "../options/clock.js";
import { blockedFor, freePlaces, grant, moreIn, type Wanted, wakesAt } from "./grant.js";
import { CallQueue, type Priority, type Waiting } from "./queue.js";
import { beginCalls, endCall, type Told, turnIfDue, turnsAt, unknownWindow } from "./window.js";

/** What a client knows about the service's rate limit. Spec: Limits. */
export interface RateLimitState {
  /** What the newest response said, as it stood there; `undefined` before the first, and if the service doesn't say. */
  readonly said: RateLimit | undefined;
  /**
   * Requests left in the window as far as this client knows: the lowest count that its responses had since the window began.
   * `undefined` before a window's first response.
   */
  readonly remaining: number | undefined;
  /** Requests of this client that are in flight. */
  readonly inFlight: number;
  /** Calls of this client that wait for their turn. */
  readonly queued: number;
  /** Whether a 429 blocks all calls. */
  readonly isHeld: boolean;
  /** Milliseconds until the client considers the window reset, or the block over; `undefined` if that isn't known. */
  readonly turnsInMs: number | undefined;
  /** Whether turns come from the shared rate limit: false without one, and while it can't be reached. */
  readonly isShared: boolean;
}

/** The right to send one request. */
export interface Turn {
  /** Its number in the client's own window. */
  readonly own: number;
  /** Its number in the shared window; `undefined` if that didn't give it. */
  readonly shared: number | undefined;
}

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

/** What is known of the turns to come, in milliseconds from now. */
export interface Outlook {
  /** When the window gives more at the latest. */
  readonly moreInMs: number | undefined;
  /** For how long it gives none to anyone, if that is certain. */
  readonly blockedMs: number | undefined;
  /** When to look again, if calls still wait. */
  readonly pollInMs: number | undefined;
}

/** A window that several processes share, as one client sees it: `sharedRateLimit` of `svc-sdk/stores` makes them. */
export interface SharedWindow {
  /** Whether the store answered when it was last asked. */
  readonly isUsable: boolean;
  /** Whether a store that failed should be left alone for now. */
  readonly isResting: boolean;
  /** How often the window had turned when it was last seen. */
  readonly turns: number;
  /** Reports which calls ended, and asks for turns. `undefined` if the store failed; an outage only if `isAwaited`. */
  exchange(finished: readonly Finished[], wanted: Wanted, isAwaited: () => boolean): Promise<Grant | undefined>;
}

/** How many calls start before the event loop runs again. */
const BATCH = 500;

/**
 * Keeps a client inside the service's rate limit. Spec: Limits.
 *
 * It learns limit, remaining and window from every response, never has more calls of a window in flight than remain of it, and
 * after a 429 blocks all of them until the window turns. Without word of a limit, nothing is throttled. With a shared window that
 * one decides, and the client's own is the fallback.
 */
export class Pacer {
  readonly #clock: Clock;
  readonly #maxWaitMs: number;
  readonly #queue = new CallQueue<Turn>();
  readonly #shared: SharedWindow | undefined;
  /** What this client's own calls taught it. */
  readonly #own = unknownWindow();
  #inFlight = 0;
  /** Calls that ended and that the shared window wasn't told about yet. */
  #finished: Finished[] = [];
  #isAsking = false;
  /** When the waiting calls are looked at again. */
  #alarm: { readonly at: number; readonly stop: AbortController } | undefined;

  /** @param settings - `maxRetryWaitMs` is the longest wait for a window that is worth it. */
  constructor(settings: {
    readonly clock: Clock;
    readonly maxRetryWaitMs: number;
    readonly rateWindow?: { open(clock: Clock, maxWaitMs: number): SharedWindow } | undefined;
  }) {
    this.#clock = settings.clock;
    this.#maxWaitMs = settings.maxRetryWaitMs;
    this.#shared = settings.rateWindow?.open(settings.clock, settings.maxRetryWaitMs);
  }

  /** What the client knows right now. */
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

  /** A turn, if a request may be sent now. Every turn is given back with {@link done}. */
  takeNow(priority: Priority = "normal"): Turn | undefined {
    const ahead = priority === "high" ? this.#queue.count("high") : this.#queue.size;
    if (ahead > 0 || this.#shared?.isUsable) return undefined;
    const now = this.#clock.monotonic();
    turnIfDue(this.#own, now);
    const places = priority === "high" ? "all" : "unreserved";
    return freePlaces(this.#own, now, places, this.#maxWaitMs) > 0 ? this.#begin(now) : undefined;
  }

  /**
   * Resolves when a request may be sent. Rejects with the reason of a signal that aborts from now on, or with a `CallBlocked` if
   * the deadline comes before any call may begin, or if calls don't wait that long.
   */
  take(priority: Priority = "normal", call: Waiting): Promise<Turn> {
    const { turns } = this.#shared?.isUsable ? this.#shared : this.#own;
    const turn = this.#queue.enter(priority, call, turns, this.#clock.monotonic(), () => this.#restIfEmpty());
    this.#serve();
    return turn;
  }

  /** Gives a turn back. `told` is what the response said about the window, or nothing if there was none. */
  done(turn: Turn, told: Told | undefined): void {
    const now = this.#clock.monotonic();
    turnIfDue(this.#own, now);
    endCall(this.#own, now, turn.own, told, this.#maxWaitMs);
    this.#inFlight -= 1;
    if (this.#shared) this.#finished.push({ number: turn.shared, told });
    if (this.#shared || this.#queue.size > 0) this.#serve();
  }

  #begin(now: number, shared?: number): Turn {
    this.#inFlight += 1;
    return { own: beginCalls(this.#own, now, 1), shared };
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
    if (this.#restIfEmpty()) return;
    const now = this.#clock.monotonic();
    turnIfDue(this.#own, now);
    const granted = grant(this.#own, now, this.#wanted, this.#maxWaitMs);
    this.#start(granted, () => this.#begin(now));
    const next = wakesAt(this.#own, now, this.#maxWaitMs);
    const isMore = granted.high + granted.normal > BATCH;
    this.#wait({
      moreInMs: moreIn(this.#own, now, this.#maxWaitMs),
      blockedMs: blockedFor(this.#own, now, this.#maxWaitMs),
      pollInMs: isMore ? 0 : next === undefined ? undefined : Math.max(next - now, 1),
    });
  }

  #start({ high, normal }: Pick<Grant, "high" | "normal">, begin: () => Turn): void {
    this.#queue.start("high", Math.min(high, BATCH), begin);
    this.#queue.start("normal", Math.min(normal, BATCH - Math.min(high, BATCH)), begin);
  }

  /** Exchanges what ended and what waits with the shared window, one exchange at a time. */
  async #ask(shared: SharedWindow): Promise<void> {
    if (this.#isAsking || shared.isResting) return;
    this.#isAsking = true;
    for (let isMore = true; isMore; ) {
      const { high, normal, normalSince } = this.#wanted;
      // A store that failed before is tried in the background: the calls don't wait for it.
      const wanted = shared.isUsable
        ? { high: Math.min(high, BATCH), normal: Math.min(normal, BATCH), normalSince }
        : { high: 0, normal: 0, normalSince: undefined };
      const granted = await shared.exchange(this.#finished.splice(0), wanted, () => this.#queue.size > 0);
      if (!granted) {
        // A failure that kept nobody waiting is no outage; whoever came since then finds out.
        isMore = shared.isUsable && this.#queue.size > 0;
        continue;
      }
      this.#startGranted(granted);
      const isStuck = granted.high + granted.normal === 0 && this.#queue.size <= high + normal;
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
    const now = this.#clock.monotonic();
    let next = first;
    const begin = () => this.#begin(now, next++);
    this.#queue.start("high", high, begin);
    this.#queue.start("normal", normal, begin);
    // Calls that were given up in the meantime leave their turns.
    for (; next < first + high + normal; next += 1) this.#finished.push({ number: next, told: undefined });
    this.#restIfEmpty();
  }

  /** Lets the calls wait that couldn't start, and looks again after `pollInMs`, if no response comes first. */
  #wait({ moreInMs, blockedMs, pollInMs }: Outlook): void {
    if (blockedMs !== undefined) this.#queue.reject(blockedMs, this.#clock.monotonic(), this.#maxWaitMs);
    if (this.#restIfEmpty()) return;
    if (pollInMs !== undefined) this.#wakeIn(pollInMs);
    // Last: who is told may give up, and what then waits for nobody has to stop.
    this.#queue.tell(moreInMs);
  }

  /** Looks at the waiting calls after so many milliseconds, unless it does so earlier. */
  #wakeIn(ms: number): void {
    const at = this.#clock.monotonic() + ms;
    if (this.#alarm && this.#alarm.at <= at) return;
    this.#alarm?.stop.abort();
    const alarm = { at, stop: new AbortController() };
    this.#alarm = alarm;
    const wake = async () => {
      await this.#clock.sleep(ms, alarm.stop.signal);
      // A clock that stands still would wake without end, and no timer of the runtime could ever fire in between.
      if (this.#clock.monotonic() < at) await new Promise((resolve) => setTimeout(resolve));
      if (this.#alarm !== alarm) return;
      this.#alarm = undefined;
      this.#serve();
    };
    // What stops the alarm ends its sleep.
    wake().catch(() => undefined);
  }

  /** While no call waits, no timer is left behind. */
  #restIfEmpty(): boolean {
    if (this.#queue.size > 0) return false;
    this.#alarm?.stop.abort();
    this.#alarm = undefined;
    return true;
  }
}
