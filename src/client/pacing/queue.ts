import { CallEnded } from "../running-call.js";
import type { QueuedCalls } from "./grant.js";

/** Who goes first. */
export type Priority = "high" | "normal";

/** A queued call. */
export interface Waiting {
  /** Ends the wait; it rejects with the signal's reason. */
  readonly signal: AbortSignal | undefined;
  /** Milliseconds until the call's deadline; infinite without one. */
  timeLeft(): number;
  /**
   * Called once if the call has to wait, with the milliseconds until more slots are available at the latest, if that is
   * known.
   */
  emit(waiting: { readonly type: "wait"; readonly expectedMs: number | undefined }): void;
}

interface QueueEntry<Slot> {
  readonly call: Waiting;
  /** How often the window had reset when the call was queued; `undefined` until that is known. */
  since: number | undefined;
  /** On the client's monotonic clock. */
  readonly queuedAt: number;
  readonly deadlineAt: number;
  readonly start: (slot: Slot) => void;
  /** Ends the wait without a slot. */
  readonly leave: (reason: unknown) => void;
  before?: QueueEntry<Slot> | undefined;
  after?: QueueEntry<Slot> | undefined;
}

/** One priority's calls in their order, linked so that removal doesn't search the queue. */
class Line<Slot> {
  /** Number of queued calls. */
  size = 0;
  oldest: QueueEntry<Slot> | undefined;
  #newest: QueueEntry<Slot> | undefined;

  /** Sets `since` of the newest calls, which have none. */
  setSince(resets: number): void {
    for (let entry = this.#newest; entry && entry.since === undefined; entry = entry.before) entry.since = resets;
  }

  add(entry: QueueEntry<Slot>): void {
    entry.before = this.#newest;
    if (this.#newest) this.#newest.after = entry;
    else this.oldest = entry;
    this.#newest = entry;
    this.size += 1;
  }

  remove({ before, after }: QueueEntry<Slot>): void {
    if (before) before.after = after;
    else this.oldest = after;
    if (after) after.before = before;
    else this.#newest = before;
    this.size -= 1;
  }
}

/** The queued calls: high priority first, each priority in its order. */
export class CallQueue<Slot> implements QueuedCalls {
  /** Number of queued calls. */
  size = 0;
  readonly #lines = { high: new Line<Slot>(), normal: new Line<Slot>() };
  /** Calls queued since the last {@link CallQueue.announce}. */
  readonly #fresh = new Set<QueueEntry<Slot>>();
  /** No deadline of a waiting call is earlier than this. */
  #earliestDeadline = Number.POSITIVE_INFINITY;
  readonly #onEmpty: () => void;

  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty;
  }

  get high(): number {
    return this.#lines.high.size;
  }

  get normal(): number {
    return this.#lines.normal.size;
  }

  get normalSince(): number | undefined {
    return this.#lines.normal.oldest?.since;
  }

  /** Waits for a slot. Rejects when the call's signal aborts or {@link CallQueue.reject} ends the wait. */
  enter(priority: Priority, call: Waiting, since: number | undefined, now: number): Promise<Slot> {
    const line = this.#lines[priority];
    const { signal } = call;
    const deadlineAt = now + call.timeLeft();
    this.#earliestDeadline = Math.min(this.#earliestDeadline, deadlineAt);
    return new Promise((resolve, reject) => {
      const end = () => {
        signal?.removeEventListener("abort", onAbort);
        line.remove(entry);
        this.#fresh.delete(entry);
        this.size -= 1;
        if (this.size === 0) this.#onEmpty();
      };
      const entry: QueueEntry<Slot> = {
        call,
        since,
        queuedAt: now,
        deadlineAt,
        start: (slot) => {
          end();
          resolve(slot);
        },
        leave: (reason) => {
          end();
          reject(reason);
        },
      };
      const onAbort = () => entry.leave(signal?.reason);
      signal?.addEventListener("abort", onAbort);
      line.add(entry);
      this.#fresh.add(entry);
      this.size += 1;
    });
  }

  /** Tells how often the window has reset, for calls that were queued before that was known. */
  setSince(resets: number): void {
    this.#lines.normal.setSince(resets);
  }

  /** Starts up to `count` calls at the front of a priority. */
  start(priority: Priority, count: number, begin: (queuedAt: number) => Slot): void {
    const line = this.#lines[priority];
    for (let left = count; left > 0; left -= 1) line.oldest?.start(begin(line.oldest.queuedAt));
  }

  /**
   * Rejects calls whose deadline passes before any call may start; all calls, if that takes longer than `maxWaitMs`.
   */
  reject(blockedMs: number, now: number, maxWaitMs: number): void {
    // As times: the difference of two may be rounded up to more than the longest wait.
    const isBan = now + blockedMs > now + maxWaitMs;
    if (!isBan && this.#earliestDeadline > now + blockedMs) return;
    this.#earliestDeadline = Number.POSITIVE_INFINITY;
    for (const { oldest } of Object.values(this.#lines)) {
      for (let entry = oldest; entry; entry = entry.after) {
        const isLate = entry.deadlineAt <= now + blockedMs;
        if (isBan || isLate) entry.leave(new CallEnded(isBan ? "limit" : "deadline", blockedMs));
        else this.#earliestDeadline = Math.min(this.#earliestDeadline, entry.deadlineAt);
      }
    }
  }

  /** Emits `wait` for calls queued since the last time that are still queued. */
  announce(expectedMs: number | undefined): void {
    for (const entry of this.#fresh) {
      this.#fresh.delete(entry);
      entry.call.emit({ type: "wait", expectedMs });
    }
  }
}
