import type { Outlook, Wanted } from "../core/pacing/outlook.js";
import { Pacer, type PacerSettings, type RateLimitState, type Turn } from "../core/pacing/pacer.js";
import type { Priority } from "../core/pacing/queue.js";
import type { RateLimitReport } from "../core/pacing/rate-window.js";
import type { Finished, Grant, SharedWindow } from "./shared-window.js";

/** How many calls request their turns together. */
const BATCH = 500;
const NOTHING: Wanted = { high: 0, normal: 0, normalSince: undefined };

/** Throttles a client by the window it shares with others. While that can't be reached, the client's own applies. */
export class SharedPacer extends Pacer {
  readonly #window: SharedWindow;
  /** Calls that ended and aren't reported to the shared window yet. */
  #finished: Finished[] = [];
  #isAsking = false;
  /** The time until which a 429 asked this client to wait. A failing store may never get it. */
  #heldUntil = 0;

  constructor(settings: PacerSettings, window: SharedWindow) {
    super(settings);
    this.#window = window;
  }

  override get state(): RateLimitState {
    return Object.freeze({ ...super.state, isShared: this.#window.isUsable });
  }

  override takeNow(priority: Priority = "normal"): Turn | undefined {
    return this.#window.isUsable ? undefined : super.takeNow(priority);
  }

  override done(turn: Turn, report: RateLimitReport | undefined): void {
    super.done(turn, report);
    if (report?.isRefused && report.askedMs) {
      this.#heldUntil = Math.max(this.#heldUntil, this.clock.monotonic() + report.askedMs);
    }
    this.#finished.push({ number: turn.shared, report });
    this.serve();
  }

  protected override get turns(): number {
    return this.#window.isUsable ? this.#window.turns : super.turns;
  }

  protected override serve(): void {
    void this.#ask();
    if (!this.#window.isUsable) super.serve();
  }

  /** Reports ended calls to the shared window and requests turns for queued ones, one exchange at a time. */
  async #ask(): Promise<void> {
    const window = this.#window;
    if (this.#isAsking || window.isResting) return;
    this.#isAsking = true;
    for (let isMore = true; isMore; ) {
      const { high, normal, normalSince } = this.wanted;
      // A store that failed before is tried in the background: the calls don't wait for it.
      const wanted =
        window.isUsable && this.#heldMs === 0
          ? { high: Math.min(high, BATCH), normal: Math.min(normal, Math.max(0, BATCH - high)), normalSince }
          : NOTHING;
      const granted = await window.exchange(this.#finished.splice(0), wanted, () => this.queue.size > 0);
      if (!granted) {
        // A failure that kept no call waiting isn't an outage. Calls queued since then try again.
        isMore = window.isUsable && this.queue.size > 0;
        continue;
      }
      this.#start(granted);
      const isStuck = granted.high + granted.normal === 0 && this.queue.size <= high + normal;
      if (isStuck) this.wait(this.#afterHold(granted));
      isMore = this.#finished.length > 0 || (this.queue.size > 0 && !isStuck);
    }
    this.#isAsking = false;
    if (window.isUsable) return;
    this.#finished = [];
    super.serve();
  }

  get #heldMs(): number {
    return Math.max(0, this.#heldUntil - this.clock.monotonic());
  }

  #afterHold(outlook: Outlook): Outlook {
    const heldMs = this.#heldMs;
    if (heldMs === 0) return outlook;
    const { moreInMs = 0, blockedMs = 0, pollInMs } = outlook;
    return { moreInMs: Math.max(moreInMs, heldMs), blockedMs: Math.max(blockedMs, heldMs), pollInMs };
  }

  #start({ first, high, normal }: Grant): void {
    const now = this.clock.monotonic();
    let next = first;
    const begin = () => this.begin(now, next++);
    if (this.#heldMs === 0) {
      this.queue.start("high", high, begin);
      this.queue.start("normal", normal, begin);
    }
    // Calls that were aborted or blocked in the meantime return their turns.
    for (; next < first + high + normal; next += 1) this.#finished.push({ number: next, report: undefined });
    this.restIfEmpty();
  }
}
