import { remember } from "../../shared/bounded-memory.js";
import { untilAborted } from "../../shared/timers.js";
import type { ExecutionRecord, ExecutionStore } from "../execution-store.js";
import {
  checkedRecord,
  digestIn,
  type RecordedEnding,
  type Refusal,
  refusalOf,
  stampOf,
  startRecord,
} from "./execution-record.js";

/** The calls of each store that this process runs now or sends next: by stamp, and by id and digest. */
const running = new WeakMap<ExecutionStore, Map<string, Promise<unknown>>>();

const MOST_UNUSED = 10_000;

/** A stamp of a call that this process started and that provably didn't run. */
interface UnusedStart {
  readonly stamp: string;
  /** Whether the store was asked to remove its record. It may still get that request. */
  readonly isEnded: boolean;
}

/** Unused starts, by store and by id. */
const unused = new WeakMap<ExecutionStore, Map<string, UnusedStart>>();

/** The record of one call in the store of executions, by which it runs at most once. */
export class CallRecord {
  /** Of the tool and the arguments that the model wrote. */
  readonly digest: string;
  readonly store: ExecutionStore;
  /** The call's id in its conversation. */
  readonly id: string;
  readonly #key: string;
  /** Ends its waits, but for those that record an end. */
  readonly #signal: AbortSignal | undefined;

  constructor(store: ExecutionStore, id: string, digest: string, signal: AbortSignal | undefined) {
    this.store = store;
    this.id = id;
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
    await untilAborted(this.#signal, Promise.resolve(running.get(this.store)?.get(this.#key)));
    const found = await untilAborted(this.#signal, this.#stored());
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
    const end = digestIn(found.stamp) === this.digest ? running.get(this.store)?.get(found.stamp) : undefined;
    if (!end) return found;
    await untilAborted(this.#signal, end);
    return untilAborted(this.#signal, this.#stored());
  }

  async #stored(): Promise<ExecutionRecord | undefined> {
    const record = checkedRecord(await this.store.find(this.id));
    const ours = unused.get(this.store)?.get(this.id);
    // The store may have failed before it recorded that the call must not run.
    if (ours && refusalOf(ours)) return record ?? { stamp: ours.stamp, result: undefined };
    return record && record.stamp === ours?.stamp ? undefined : record;
  }

  /** Remembers the call's run until it has ended: another run of it in this process waits for its result. */
  keepRunning(stamp: string, end: Promise<unknown>): void {
    const calls = running.get(this.store) ?? new Map<string, Promise<unknown>>();
    running.set(this.store, calls);
    const keys = [stamp, this.#key];
    const ended = end
      .catch(() => undefined)
      .then(() => {
        for (const key of keys) if (calls.get(key) === ended) calls.delete(key);
      });
    for (const key of keys) calls.set(key, ended);
  }

  /** Records how the run with a stamp ended; `undefined` if it provably didn't run. */
  async finish(stamp: string, ended: RecordedEnding | undefined): Promise<void> {
    const { store, id } = this;
    const { status, text, labels, policy } = ended ?? {};
    for (let attempt = 1; ; attempt++) {
      try {
        return await (ended
          ? store.finish(id, stamp, JSON.stringify({ status, text, labels, policy }))
          : store.finish(id, stamp));
      } catch (error) {
        if (attempt === 1) continue;
        if (!ended) this.keepUnused({ stamp, isEnded: true });
        throw error;
      }
    }
  }

  /** Finishes the record after a run. A run that was aborted doesn't wait for it. Never rejects. */
  async end(stamp: string, ended: RecordedEnding | undefined, onFailure: (error: unknown) => void): Promise<void> {
    const finished = this.finish(stamp, ended).catch(onFailure);
    await untilAborted(this.#signal, finished).catch(() => undefined);
  }

  /** Keeps a start that provably didn't run: the store may have its record, or get it later. */
  keepUnused(start: UnusedStart): void {
    const stamps = unused.get(this.store) ?? new Map<string, UnusedStart>();
    // Of a store that fails for hours. A forgotten call is reported as `unknown`.
    remember(stamps, this.id, start, MOST_UNUSED);
    unused.set(this.store, stamps);
  }

  /**
   * Records that the call never runs, unless it has a record.
   *
   * @returns The earlier record. It decides.
   */
  async refuse(refusal: Refusal, text: string): Promise<ExecutionRecord | undefined> {
    const start = new CallStart(this, refusal);
    await start.record(this.#signal);
    if (!start.earlier) await this.finish(start.stamp, { status: "not_run", text });
    return start.earlier;
  }
}

/** A start of a call: its stamp, which the call's request carries, and its record. */
export class CallStart {
  readonly stamp: string;
  readonly #call: CallRecord;
  /** The unused start that it takes over, of which the store may have a record. */
  readonly #ours: UnusedStart | undefined;
  #recording: Promise<void> | undefined;
  /** Whether the call may run: the store has this start. */
  isRecorded = false;
  /** The record of an earlier start, which decides. */
  earlier: ExecutionRecord | undefined;

  constructor(call: CallRecord, refusal?: Refusal) {
    const { store, id, digest } = call;
    const ours = unused.get(store)?.get(id);
    // Two starts of this process must not have the same one.
    unused.get(store)?.delete(id);
    const isKept = ours && !ours.isEnded && digestIn(ours.stamp) === digest && refusalOf(ours) === refusal;
    this.stamp = isKept ? ours.stamp : stampOf(digest, refusal);
    this.#call = call;
    this.#ours = ours;
  }

  /** Whether the start was to be recorded. */
  get isTried(): boolean {
    return this.#recording !== undefined;
  }

  /**
   * Records the start, once, and sets what came of it. If the store fails, or doesn't answer until the call is aborted,
   * the record may be there, and the next start recognizes it.
   *
   * @throws the store's error, or the signal's reason.
   */
  record(signal: AbortSignal | undefined): Promise<void> {
    this.#recording ??= this.#record(signal);
    return this.#recording;
  }

  /** Waits until the start is recorded or can't be, if it was to be recorded. Never rejects. */
  async settled(): Promise<void> {
    await this.#recording?.catch(() => undefined);
  }

  async #record(signal: AbortSignal | undefined): Promise<void> {
    const { stamp } = this;
    const ours = this.#ours;
    // Nothing may run under a stamp whose record a late request could still remove.
    if (ours && ours.stamp !== stamp) await this.#call.finish(ours.stamp, undefined);
    try {
      const record = await startRecord(this.#call.store, this.#call.id, stamp, signal);
      this.isRecorded = !record || record.stamp === stamp;
      if (!this.isRecorded) this.earlier = record;
    } catch (error) {
      this.#call.keepUnused({ stamp, isEnded: false });
      throw error;
    }
  }

  /** Keeps no note that the call didn't run: it has run, although the store may lack its record. */
  forget(): void {
    unused.get(this.#call.store)?.delete(this.#call.id);
  }

  /** Keeps the start that it took over, if it isn't recorded because nothing is sent. */
  leave(): void {
    if (this.#ours && !this.isTried) this.#call.keepUnused(this.#ours);
  }
}
