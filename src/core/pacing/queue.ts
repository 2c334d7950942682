import { CallEnded } from "../call/failure.js";
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

interface Entry<Slot> {
  readonly call: Waiting;
  /** How often the window had reset when the call was queued. */
  readonly since: number;
  /** On the client's monotonic clock. */
  readonly deadlineAt: number;
  readonly start: (slot: Slot) => void;
  /** Ends the wait without a slot. */
  readonly leave: (reason: unknown) => void;
  isGone: boolean;
}

/**
 * One priority's calls in their order. Calls that left stay until they reach the front, so that removal doesn't search
 * the queue.
 */
class Line<Slot> {
  /** Number of queued calls. */
  size = 0;
  #entries: Entry<Slot>[] = [];
  #front = 0;

  add(entry: Entry<Slot>): void {
    this.#entries.push(entry);
    this.size += 1;
  }

  get oldest(): Entry<Slot> | undefined {
    while (this.#entries[this.#front]?.isGone) this.#front += 1;
    if (this.#front > 32 && this.#front * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#front);
      this.#front = 0;
    }
    return this.#entries[this.#front];
  }

  all(): Entry<Slot>[] {
    return this.#entries.slice(this.#front).filter(({ isGone }) => !isGone);
  }
}

/** The queued calls: high priority first, each priority in its order. */
export class CallQueue<Slot> implements QueuedCalls {
  /** Number of queued calls. */
  size = 0;
  readonly #lines = { high: new Line<Slot>(), normal: new Line<Slot>() };
  /** Calls queued since the last {@link CallQueue.announce}. */
  #fresh: Entry<Slot>[] = [];
  /** No deadline of a waiting call is earlier than this. */
  #earliestDeadline = Number.POSITIVE_INFINITY;

  get high(): number {
    return this.#lines.high.size;
  }

  get normal(): number {
    return this.#lines.normal.size;
  }

  get normalSince(): number | undefined {
    return this.#lines.normal.oldest?.since;
  }

  /**
   * Waits for a slot. Rejects when the call's signal aborts or {@link CallQueue.reject} ends the wait, and then calls
   * `onLeave`.
   */
  enter(priority: Priority, call: Waiting, since: number, now: number, onLeave: () => void): Promise<Slot> {
    const line = this.#lines[priority];
    const { signal } = call;
    const deadlineAt = now + call.timeLeft();
    this.#earliestDeadline = Math.min(this.#earliestDeadline, deadlineAt);
    return new Promise((resolve, reject) => {
      const end = () => {
        signal?.removeEventListener("abort", onAbort);
        entry.isGone = true;
        line.size -= 1;
        this.size -= 1;
      };
      const entry: Entry<Slot> = {
        call,
        since,
        deadlineAt,
        isGone: false,
        start: (slot) => {
          end();
          resolve(slot);
        },
        leave: (reason) => {
          end();
          onLeave();
          reject(reason);
        },
      };
      const onAbort = () => entry.leave(signal?.reason);
      signal?.addEventListener("abort", onAbort, { once: true });
      line.add(entry);
      this.size += 1;
      if (this.#fresh.length > 2 * this.size + 32) this.#fresh = this.#fresh.filter(({ isGone }) => !isGone);
      this.#fresh.push(entry);
    });
  }

  /** Starts up to `count` calls at the front of a priority. */
  start(priority: Priority, count: number, begin: () => Slot): void {
    const line = this.#lines[priority];
    for (let left = count; left > 0; left -= 1) line.oldest?.start(begin());
  }

  /**
   * Rejects calls whose deadline passes before any call may start; all calls, if that takes longer than `maxWaitMs`.
   */
  reject(blockedMs: number, now: number, maxWaitMs: number): void {
    const isBan = blockedMs > maxWaitMs;
    if (!isBan && this.#earliestDeadline > now + blockedMs) return;
    this.#earliestDeadline = Number.POSITIVE_INFINITY;
    for (const { deadlineAt, leave } of [...this.#lines.high.all(), ...this.#lines.normal.all()]) {
      if (isBan) leave(new CallEnded("limit", blockedMs));
      else if (deadlineAt <= now + blockedMs) leave(new CallEnded("deadline", blockedMs));
      else this.#earliestDeadline = Math.min(this.#earliestDeadline, deadlineAt);
    }
  }

  /** Emits `wait` for calls queued since the last time that are still queued. */
  announce(expectedMs: number | undefined): void {
    const fresh = this.#fresh;
    this.#fresh = [];
    for (const entry of fresh) if (!entry.isGone) entry.call.emit({ type: "wait", expectedMs });
  }
}
