import { remember } from "../../shared/memory.js";
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

const MOST_UNUSED = 10_000;

/** A stamp of a call that this process started and that provably didn't run. */
interface UnusedStart {
  readonly stamp: string;
  /** Whether the store was asked to remove its record. It may still get that request. */
  readonly isEnded: boolean;
}

/** Unused starts, by store and by id. */
const unused = new WeakMap<ExecutionStore, Map<string, UnusedStart>>();

/** Returns the record of a call, or `undefined` if nothing of it has run. */
export async function findCall(store: ExecutionStore, id: string): Promise<ExecutionRecord | undefined> {
  const record = checkedRecord(await store.find(id));
  const ours = unused.get(store)?.get(id);
  // The store may have failed before it recorded that the call must not run.
  if (ours && refusalOf(ours)) return record ?? { stamp: ours.stamp, result: undefined };
  return record && record.stamp === ours?.stamp ? undefined : record;
}

/** A start of a call: its stamp, which the call's request carries, and its record. */
export class CallStart {
  readonly stamp: string;
  readonly #store: ExecutionStore;
  readonly #id: string;
  /** The unused start that it takes over, of which the store may have a record. */
  readonly #ours: UnusedStart | undefined;
  #recording: Promise<void> | undefined;
  /** Whether the call may run: the store has this start. */
  isRecorded = false;
  /** The record of an earlier start, which decides. */
  earlier: ExecutionRecord | undefined;

  constructor(store: ExecutionStore, id: string, digest: string, refusal?: Refusal) {
    const ours = unused.get(store)?.get(id);
    // Two starts of this process must not have the same one.
    unused.get(store)?.delete(id);
    const isKept = ours && !ours.isEnded && digestIn(ours.stamp) === digest && refusalOf(ours) === refusal;
    this.stamp = isKept ? ours.stamp : stampOf(digest, refusal);
    this.#store = store;
    this.#id = id;
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
    const store = this.#store;
    const id = this.#id;
    const ours = this.#ours;
    // Nothing may run under a stamp whose record a late request could still remove.
    if (ours && ours.stamp !== stamp) await finishCall(store, id, ours.stamp, undefined);
    try {
      const record = await startRecord(store, id, stamp, signal);
      this.isRecorded = !record || record.stamp === stamp;
      if (!this.isRecorded) this.earlier = record;
    } catch (error) {
      keepUnused(store, id, { stamp, isEnded: false });
      throw error;
    }
  }

  /** Records how the call ended; `undefined` if it provably didn't run. */
  finish(ended: RecordedEnding | undefined): Promise<void> {
    return finishCall(this.#store, this.#id, this.stamp, ended);
  }

  /** Keeps no note that the call didn't run: it has run, although the store may lack its record. */
  forget(): void {
    unused.get(this.#store)?.delete(this.#id);
  }

  /** Keeps the start that it took over, if it isn't recorded because nothing is sent. */
  leave(): void {
    if (this.#ours && !this.isTried) keepUnused(this.#store, this.#id, this.#ours);
  }
}

/** Records how a call ended; `undefined` if it provably didn't run. */
export async function finishCall(
  store: ExecutionStore,
  id: string,
  stamp: string,
  ended: RecordedEnding | undefined,
): Promise<void> {
  const { status, text, labels, policy } = ended ?? {};
  for (let attempt = 1; ; attempt++) {
    try {
      return await (ended
        ? store.finish(id, stamp, JSON.stringify({ status, text, labels, policy }))
        : store.finish(id, stamp));
    } catch (error) {
      if (attempt === 1) continue;
      if (!ended) keepUnused(store, id, { stamp, isEnded: true });
      throw error;
    }
  }
}

function keepUnused(store: ExecutionStore, id: string, start: UnusedStart): void {
  const stamps = unused.get(store) ?? new Map<string, UnusedStart>();
  // Of a store that fails for hours. A forgotten call is reported as `unknown`.
  remember(stamps, id, start, MOST_UNUSED);
  unused.set(store, stamps);
}

/**
 * Reserves an id for the call of a turn, for services whose ids start again in each turn.
 *
 * @param id - The id, in its conversation.
 * @param call - Digest of the call.
 * @param turn - Digest of the turn; an empty string if it isn't known. Then an equal call is taken for the same one.
 * @returns Whether the call has the id. Otherwise a call of another turn does.
 */
export async function reserveId(store: ExecutionStore, id: string, call: string, turn: string): Promise<boolean> {
  // The stamp of a reserved id: the digests of its turn and of its call.
  const stamp = `${turn} ${call}`;
  const earlier = checkedRecord(await store.start(id, stamp));
  if (earlier) {
    const [earlierTurn, earlierCall] = earlier.stamp.split(" ");
    return turn && earlierTurn ? earlierTurn === turn : earlierCall === call;
  }
  // Ended: it isn't a call that may have run.
  await store.finish(id, stamp, "");
  return true;
}
