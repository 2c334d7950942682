import { untilAborted } from "../../shared/timers.js";
import type { ExecutionRecord, ExecutionStore } from "../execution-store.js";
import { digestIn, type RecordedEnding, type Refusal } from "./execution-record.js";
import { CallStart, findCall, finishCall } from "./start-once.js";

/** The calls of each store that this process runs now or sends next: by stamp, and by id and digest. */
const running = new WeakMap<ExecutionStore, Map<string, Promise<unknown>>>();

/** The record of one call in the store of executions, by which it runs at most once. */
export class CallRecord {
  /** Of the tool and the arguments that the model wrote. */
  readonly digest: string;
  readonly #store: ExecutionStore;
  /** The call's id in its conversation. */
  readonly #id: string;
  readonly #key: string;
  /** Ends its waits, but for those that record an end. */
  readonly #signal: AbortSignal | undefined;

  constructor(store: ExecutionStore, id: string, digest: string, signal: AbortSignal | undefined) {
    this.#store = store;
    this.#id = id;
    this.digest = digest;
    this.#key = `${id} ${digest}`;
    this.#signal = signal;
  }

  /**
   * The stored record, or `undefined` if nothing of the call has run. Waits if this process sends the same call: one
   * that waits for the rate limit has no record yet, and a second one must not count against budgets. Doesn't wait for
   * one that is still decided: a person may take hours, and this one may have the token.
   */
  async find(): Promise<ExecutionRecord | undefined> {
    await untilAborted(this.#signal, Promise.resolve(running.get(this.#store)?.get(this.#key)));
    const found = await untilAborted(this.#signal, findCall(this.#store, this.#id));
    return found && this.ended(found);
  }

  /**
   * The stored record after the call's run, or `undefined` if nothing of it ran. Waits if the same call runs in this
   * process: a second click must not read that its outcome is unknown. Another call with its id, such as one that a
   * running local tool makes, doesn't wait.
   *
   * @param found - The record as it was found.
   */
  async ended(found: ExecutionRecord): Promise<ExecutionRecord | undefined> {
    const end = digestIn(found.stamp) === this.digest ? running.get(this.#store)?.get(found.stamp) : undefined;
    if (!end) return found;
    await untilAborted(this.#signal, end);
    return untilAborted(this.#signal, findCall(this.#store, this.#id));
  }

  /** A start of the call, which isn't recorded yet. */
  start(refusal?: Refusal): CallStart {
    return new CallStart(this.#store, this.#id, this.digest, refusal);
  }

  /** Remembers the call's run until it has ended: another run of it in this process waits for its result. */
  keepRunning(stamp: string, end: Promise<unknown>): void {
    const calls = running.get(this.#store) ?? new Map<string, Promise<unknown>>();
    running.set(this.#store, calls);
    const keys = [stamp, this.#key];
    const ended = end
      .catch(() => undefined)
      .then(() => {
        for (const key of keys) if (calls.get(key) === ended) calls.delete(key);
      });
    for (const key of keys) calls.set(key, ended);
  }

  /** Records how an earlier run of the call ended; `undefined` if it provably didn't run. */
  finish(stamp: string, ended: RecordedEnding | undefined): Promise<void> {
    return finishCall(this.#store, this.#id, stamp, ended);
  }

  /**
   * Records that the call never runs, unless it has a record.
   *
   * @returns The earlier record. It decides.
   */
  async refuse(refusal: Refusal, text: string): Promise<ExecutionRecord | undefined> {
    const start = this.start(refusal);
    await start.record(this.#signal);
    if (!start.earlier) await start.finish({ status: "not_run", text });
    return start.earlier;
  }
}
