import type { SharedRateLimit } from "../client/options/options.js";
import type { QueuedCalls, WaitTimes } from "../client/pacing/grant.js";
import { Pacer, type PacerSettings, type RateLimitState, type Slot } from "../client/pacing/pacer.js";
import type { RateLimitReport } from "../client/pacing/rate-window.js";
import * as option from "../errors/option-rules.js";
import { type Finished, type Grant, SharedWindow } from "./shared-rate-window.js";
import type { RateLimitStore } from "./stored-rate-window.js";

/** Options of {@link sharedRateLimit}. */
export interface SharedRateLimitOptions {
  /**
   * Called once per outage of the store.
   * @default console.warn
   */
  onOutage?: ((problem: string) => void) | undefined;
}

const SHARED_RATE_LIMIT_OPTIONS = {
  onOutage: { ...option.FUNCTION, default: (problem: string) => console.warn(`svc-sdk: ${problem}`) },
} as const satisfies option.Rules<SharedRateLimitOptions>;

/**
 * Keeps one rate limit for several processes in a store: `sharedRateLimit` of every client.
 *
 * @throws {ConfigError} if the store has no `read` or no `compareAndSwap`, and for an unknown or invalid option.
 */
export function sharedRateLimit(store: RateLimitStore, options: SharedRateLimitOptions = {}): SharedRateLimit {
  option.check("sharedRateLimit", "the store", store, option.withMethods(["read", "compareAndSwap"]));
  const { onOutage } = option.checkAll("sharedRateLimit", options, SHARED_RATE_LIMIT_OPTIONS);
  return {
    open: (settings) => {
      const { clock, maxRetryDelayMs } = settings;
      return new SharedPacer(settings, new SharedWindow(store, clock, maxRetryDelayMs, onOutage));
    },
  };
}

/** How many calls request their slots together. */
const BATCH = 500;
const NOTHING: QueuedCalls = { high: 0, normal: 0, normalSince: undefined };

/** A 429 that an exchange may have lost, with what is left of its wait. */
function rejectedFor(waitMs: number): Finished {
  return { number: undefined, report: { rateLimit: undefined, isServed: false, isRejected: true, waitMs } };
}

/** Throttles a client by the window it shares with others. While that can't be reached, the client's own applies. */
class SharedPacer extends Pacer {
  readonly #window: SharedWindow;
  /** Calls that ended and aren't reported to the shared window yet. */
  #finished: Finished[] = [];
  #isSyncing = false;
  /** The time until which a 429 asked this client to wait. */
  #blockedUntil = 0;
  /** The last exchange failed, so the store may not know of that wait. */
  #isUntold = false;

  constructor(settings: PacerSettings, window: SharedWindow) {
    super(settings);
    this.#window = window;
  }

  override get state(): RateLimitState {
    return Object.freeze({ ...super.state, isShared: this.#window.isUsable });
  }

  override takeNow(): Slot | undefined {
    return this.#window.isUsable ? undefined : super.takeNow();
  }

  override done(slot: Slot, report: RateLimitReport | undefined): void {
    if (report?.isRejected && report.waitMs) {
      this.#blockedUntil = Math.max(this.#blockedUntil, this.clock.monotonic() + report.waitMs);
    }
    this.#finished.push({ number: slot.shared, report });
    super.done(slot, report);
    // Also with an empty queue: other processes wait for this slot.
    this.serve();
  }

  protected override get resets(): number | undefined {
    // It may have reset since this client read it.
    return this.#window.isUsable ? undefined : super.resets;
  }

  protected override serve(): void {
    void this.#sync();
    if (!this.#window.isUsable) super.serve();
  }

  /** Reports ended calls to the shared window and requests slots for queued ones, one exchange at a time. */
  async #sync(): Promise<void> {
    const window = this.#window;
    if (this.#isSyncing || window.isPaused) return;
    this.#isSyncing = true;
    for (let isMore = true; isMore; ) {
      const { high, normal, normalSince } = this.queue;
      // A store that failed before is tried in the background: the calls don't wait for it.
      const queuedCalls =
        window.isUsable && this.#blockedMs === 0
          ? { high: Math.min(high, BATCH), normal: Math.min(normal, Math.max(0, BATCH - high)), normalSince }
          : NOTHING;
      const finished = this.#finished.splice(0);
      if (this.#isUntold && this.#blockedMs > 0) finished.push(rejectedFor(this.#blockedMs));
      const granted = await window.exchange(finished, queuedCalls, () => this.queue.size > 0);
      this.#isUntold = granted === undefined;
      if (!granted) {
        // A failure that kept no call waiting isn't an outage. Calls queued since then try again.
        isMore = window.isUsable && this.queue.size > 0;
        continue;
      }
      this.#start(granted);
      this.queue.setSince(window.resets);
      const isStuck = granted.high + granted.normal === 0 && this.queue.size <= high + normal;
      if (isStuck) this.keepQueued(this.#afterBlock(granted));
      isMore = this.#finished.length > 0 || (this.queue.size > 0 && !isStuck);
    }
    this.#isSyncing = false;
    if (window.isUsable) return;
    this.#finished = [];
    super.serve();
  }

  get #blockedMs(): number {
    return Math.max(0, this.#blockedUntil - this.clock.monotonic());
  }

  #afterBlock(times: WaitTimes): WaitTimes {
    const ownBlockMs = this.#blockedMs;
    if (ownBlockMs === 0) return times;
    const { moreInMs = 0, blockedMs = 0, pollInMs } = times;
    return { moreInMs: Math.max(moreInMs, ownBlockMs), blockedMs: Math.max(blockedMs, ownBlockMs), pollInMs };
  }

  #start({ first, high, normal }: Grant): void {
    const now = this.clock.monotonic();
    let next = first;
    const begin = (queuedAt: number) => this.begin(now, queuedAt, next++);
    if (this.#blockedMs === 0) {
      this.queue.start("high", high, begin);
      this.queue.start("normal", normal, begin);
    }
    // Calls that were aborted or blocked in the meantime return their slots.
    for (; next < first + high + normal; next += 1) this.#finished.push({ number: next, report: undefined });
  }
}
