import * as option from "../errors/option-rules.js";
import { field, isObject, isString, parseJson } from "../shared/json.js";
import { remember } from "../shared/memory.js";
import { untilAborted } from "../shared/timers.js";
import type { CallResult } from "./call-result.js";

/** The record of a call that was started before. */
export interface ExecutionRecord {
  /** The stamp of the start. */
  readonly stamp: string;
  /** The call's result. `undefined` if the call never finished, so it may have run. */
  readonly result: string | undefined;
}

/**
 * Remembers which calls were started, so that a call runs once per id, across processes and crashes.
 *
 * A record of a started call isn't a lease: it must not expire while the call's id can be used again. A call that was
 * started and not finished never runs again.
 *
 * A lost reply leaves open whether the store has acted, so each method may be called again with the same arguments.
 */
export interface ExecutionStore {
  /** Returns the record of a call, or `undefined` if it wasn't started. */
  find(id: string): Promise<ExecutionRecord | undefined>;
  /**
   * Records that a call starts, unless it has a record. Atomic: of simultaneous callers, one writes the record.
   *
   * @param stamp - A string that differs for each start.
   * @returns The record that was there; `undefined` if this start is the first.
   */
  start(id: string, stamp: string): Promise<ExecutionRecord | undefined>;
  /**
   * Records the result of a started call. Without a result, the call provably didn't run, and the record is removed.
   * Does nothing if the call's record has another stamp.
   */
  finish(id: string, stamp: string, result?: string): Promise<void>;
}

/** Options of {@link memoryExecutions}. */
export interface MemoryExecutionsOptions {
  /**
   * Maximum number of stored results. Of older calls only the start is stored: called again, their outcome is
   * `unknown`.
   * @default 1_000
   */
  readonly maxResults?: number | undefined;
  /**
   * Maximum number of stored calls. Of calls that ended, older ones are forgotten: called again, they run again.
   * @default 100_000
   */
  readonly maxCalls?: number | undefined;
}

/**
 * Creates a store in this process's memory, for one process. A restart forgets; use a shared store if that matters.
 *
 * @throws {ConfigError} if an option is unknown or invalid.
 */
export function memoryExecutions(options: MemoryExecutionsOptions = {}): ExecutionStore {
  const problems = (name: string, value: unknown) =>
    option.COUNT.isFit(value) ? [] : [`${name} must be a positive integer, not ${value}.`];
  const rules = { maxResults: { problems }, maxCalls: { problems } };
  const { maxResults = 1_000, maxCalls = 100_000 } = option.checkAll("memoryExecutions", options, rules);
  const records = new Map<string, { readonly stamp: string; result: string | undefined }>();
  /** The calls that ended, in that order. */
  const ended = new Set<string>();
  /** Those with a result, the oldest first. */
  const finished: { result: string | undefined }[] = [];
  return {
    find: async (id) => records.get(id),
    start: async (id, stamp) => {
      const earlier = records.get(id);
      if (!earlier) records.set(id, { stamp, result: undefined });
      for (const oldest of ended) {
        if (records.size <= maxCalls) break;
        records.delete(oldest);
        ended.delete(oldest);
      }
      return earlier;
    },
    finish: async (id, stamp, result) => {
      const record = records.get(id);
      if (record?.stamp !== stamp) return;
      if (result === undefined) {
        // It may start again, and then it hasn't ended.
        ended.delete(id);
        return void records.delete(id);
      }
      record.result = result;
      ended.add(id);
      if (finished.push(record) > maxResults) Object.assign(finished.shift() ?? {}, { result: undefined });
    },
  };
}

const stores = new WeakMap<object, ExecutionStore>();

/**
 * The store that toolsets share by default if their clients or sessions come from the same client: one toolset per
 * request is common.
 */
export function executionsOf(source: object): ExecutionStore {
  const owner = ownerOf(source);
  const store = stores.get(owner) ?? memoryExecutions();
  stores.set(owner, store);
  return store;
}

/** The client that a client's parts and its sessions come from. */
export function ownerOf(source: object): object {
  return Object(field(field(source, "tools"), "owner") ?? field(source, "owner") ?? source);
}

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
  const record = checked(await store.find(id));
  const ours = unused.get(store)?.get(id);
  // The store may have failed before it recorded that the call must not run.
  if (ours && wasRejected(ours)) return record ?? { stamp: ours.stamp, result: undefined };
  return record && record.stamp === ours?.stamp ? undefined : record;
}

/**
 * Records that a call starts. If the store fails, or doesn't answer until the call is aborted, the record may be there,
 * and the next start recognizes it.
 *
 * @returns The stamp, or the record of an earlier start.
 */
export async function startCall(
  store: ExecutionStore,
  id: string,
  digest: string,
  signal: AbortSignal | undefined,
): Promise<string | ExecutionRecord> {
  const ours = unused.get(store)?.get(id);
  // Two starts of this process must not have the same one.
  unused.get(store)?.delete(id);
  // Nothing may run under a stamp whose record a late request could still remove.
  if (ours?.isEnded) await finishCall(store, id, ours.stamp, undefined);
  const isKept = ours && !ours.isEnded && digestIn(ours.stamp) === digest;
  const stamp = isKept ? ours.stamp : `${digest} ${crypto.randomUUID()}`;
  for (let attempt = 1; ; attempt++) {
    try {
      const starting = store.start(id, stamp);
      const record = checked(await (signal ? untilAborted(signal, starting) : starting));
      return record && record.stamp !== stamp ? record : stamp;
    } catch (error) {
      // The store may have acted although its reply was lost. Each of its methods can be repeated.
      if (attempt === 1 && !signal?.aborted) continue;
      keepUnused(store, id, { stamp, isEnded: false });
      throw error;
    }
  }
}

/** Records how a call ended; `undefined` if it provably didn't run. */
export async function finishCall(
  store: ExecutionStore,
  id: string,
  stamp: string,
  ended: Pick<CallResult, "status" | "text"> | undefined,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await (ended ? store.finish(id, stamp, JSON.stringify(ended)) : store.finish(id, stamp));
    } catch (error) {
      if (attempt === 1) continue;
      if (!ended) keepUnused(store, id, { stamp, isEnded: true });
      throw error;
    }
  }
}

/**
 * Reserves an id for the call of a turn, for services whose ids start again in each turn.
 *
 * @param id - The id, in its conversation.
 * @param call - Digest of the call.
 * @param turn - Digest of the turn. Without it, only the call itself shows whether it's the one that has the id.
 * @returns Whether the call has the id. Otherwise a call of another turn does.
 */
export async function reserveId(store: ExecutionStore, id: string, call: string, turn?: string): Promise<boolean> {
  if (turn === undefined) return (await store.find(id))?.stamp.endsWith(` ${call}`) ?? false;
  const stamp = `${turn} ${call}`;
  const earlier = checked(await store.start(id, stamp));
  // Ended, so that a store in memory can forget it.
  if (!earlier) await store.finish(id, stamp, "");
  return earlier === undefined || earlier.stamp.startsWith(`${turn} `);
}

/** The digest of a call, the first part of the stamp of its start. */
export const digestIn = (stamp: string): string => stamp.slice(0, 64);

/** The recorded end of a call. @throws {TypeError} if {@link finishCall} didn't write it. */
export function endOf(result: string): Pick<CallResult, "status" | "text"> {
  const { status, text } = Object(parseJson(result));
  if (!isString(text) || !["succeeded", "failed", "unknown"].includes(status)) throw new TypeError(ODD);
  return { status, text };
}

/** Whether the recorded call never ran, because the model didn't write it whole. */
export function wasRejected({ stamp }: Pick<ExecutionRecord, "stamp">): boolean {
  return stamp.startsWith(REJECTED, 64);
}

/** In the stamp of such a call, after the digest. */
export const REJECTED = " rejected";

function checked(record: ExecutionRecord | undefined): ExecutionRecord | undefined {
  if (record === undefined) return undefined;
  const { stamp, result }: Record<string, unknown> = isObject(record) ? { ...record } : {};
  if (!isString(stamp) || !(result === undefined || isString(result))) throw new TypeError(ODD);
  return { stamp, result };
}

const ODD = "toolset: the store of executions returned something other than a record. Check it with its contract.";

function keepUnused(store: ExecutionStore, id: string, start: UnusedStart): void {
  const stamps = unused.get(store) ?? new Map<string, UnusedStart>();
  // Of a store that fails for hours. A forgotten call is reported as `unknown`.
  remember(stamps, id, start, MOST_UNUSED);
  unused.set(store, stamps);
}
