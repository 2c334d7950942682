import { CallEnded, type Scope } from "./scope.js";

/** Who goes first. */
export type Priority = "high" | "normal";

/** What ends a call's waiting. */
export type CallBounds = Pick<Scope, "signal" | "timeLeft">;

/** A call that waits for its turn. */
export interface WaitingCall<Turn> {
  /** How often the window had turned when it came. */
  readonly since: number;
  /** Milliseconds until its deadline. */
  readonly timeLeft: () => number;
  readonly start: (turn: Turn) => void;
  /** Ends its waiting without a turn. */
  readonly leave: (reason: unknown) => void;
  /** Told once that the call has to wait, and in how many milliseconds the window gives more, where that is known. */
  readonly onWait: ((expectedMs: number | undefined) => void) | undefined;
}

/** The calls that wait for their turn: high priority first, each priority in its order. */
export class CallQueue<Turn> {
  readonly #waiting: Readonly<Record<Priority, Set<WaitingCall<Turn>>>> = { high: new Set(), normal: new Set() };
  /** Those that came since it last had to wait: neither refused nor told yet. */
  readonly #fresh = new Set<WaitingCall<Turn>>();
  #closedUntil = 0;

  get size(): number {
    return this.#waiting.high.size + this.#waiting.normal.size;
  }

  count(priority: Priority): number {
    return this.#waiting[priority].size;
  }

  /** When the oldest call of normal priority came, counted in turns of the window. */
  get normalSince(): number | undefined {
    const [oldest] = this.#waiting.normal;
    return oldest?.since;
  }

  /** Waits for a turn; rejects when the signal aborts or {@link CallQueue.refuse} says so, and then calls `onLeave`. */
  enter(
    priority: Priority,
    bounds: CallBounds,
    { since, onWait }: Pick<WaitingCall<Turn>, "since" | "onWait">,
    onLeave: () => void,
  ): Promise<Turn> {
    const queue = this.#waiting[priority];
    const { signal } = bounds;
    return new Promise((resolve, reject) => {
      const onAbort = () => leave(signal?.reason);
      const end = () => {
        signal?.removeEventListener("abort", onAbort);
        queue.delete(call);
        this.#fresh.delete(call);
      };
      const leave = (reason: unknown) => {
        end();
        onLeave();
        reject(reason);
      };
      const start = (turn: Turn) => {
        end();
        resolve(turn);
      };
      const call: WaitingCall<Turn> = { since, timeLeft: () => bounds.timeLeft(), start, leave, onWait };
      signal?.addEventListener("abort", onAbort, { once: true });
      queue.add(call);
      this.#fresh.add(call);
    });
  }

  /** Starts up to `count` calls at the head of a priority. */
  start(priority: Priority, count: number, begin: () => Turn): void {
    const queue = this.#waiting[priority];
    let left = count;
    for (const call of queue) {
      if (left === 0) return;
      left -= 1;
      call.start(begin());
    }
  }

  /**
   * Ends the waiting of those whose deadline comes before any call may begin, and of all calls if that takes longer than
   * `maxWaitMs`. If the end hasn't moved, only calls that came since are looked at.
   */
  refuse(closedMs: number | undefined, now: number, maxWaitMs: number): void {
    if (closedMs === undefined) {
      this.#closedUntil = 0;
      return;
    }
    const { high, normal } = this.#waiting;
    const hasMoved = now + closedMs > this.#closedUntil;
    if (hasMoved) this.#closedUntil = now + closedMs;
    for (const call of hasMoved ? [...high, ...normal] : this.#fresh) {
      if (closedMs > maxWaitMs) call.leave(new CallEnded("limit", closedMs));
      else if (call.timeLeft() <= closedMs) call.leave(new CallEnded("deadline", closedMs));
    }
  }

  /** Tells those that came, and still wait, that they have to. */
  tell(expectedMs: number | undefined): void {
    for (const call of this.#fresh) {
      this.#fresh.delete(call);
      call.onWait?.(expectedMs);
    }
  }
}
