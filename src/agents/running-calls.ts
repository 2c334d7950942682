import { untilAborted } from "../shared/timers.js";
import type { ExecutionRecord, ExecutionStore } from "./execution-store.js";
import { digestIn, findCall } from "./start-once.js";

/** The calls of each store that this process runs now or sends next: by stamp, and by id and digest. */
const running = new WeakMap<ExecutionStore, Map<string, Promise<unknown>>>();

/** Remembers a call until it has ended: another run of it in this process waits for its result. */
export function keepRunning(store: ExecutionStore, id: string, stamp: string, end: Promise<unknown>): void {
  const calls = running.get(store) ?? new Map<string, Promise<unknown>>();
  running.set(store, calls);
  const keys = [stamp, keyOf(id, digestIn(stamp))];
  const ended = end
    .catch(() => undefined)
    .then(() => {
      for (const key of keys) if (calls.get(key) === ended) calls.delete(key);
    });
  for (const key of keys) calls.set(key, ended);
}

const keyOf = (id: string, digest: string): string => `${id} ${digest}`;

/**
 * The record of a call, or `undefined` if nothing of it has run. Waits if this process already runs the same call: one
 * that waits for the rate limit has no record yet, and a second one must not count against budgets.
 */
export async function foundRecord(
  store: ExecutionStore,
  id: string,
  digest: string,
  signal: AbortSignal | undefined,
): Promise<ExecutionRecord | undefined> {
  await untilAborted(signal, Promise.resolve(running.get(store)?.get(keyOf(id, digest))));
  const found = await untilAborted(signal, findCall(store, id));
  return found && endedRecord(store, id, found, digest, signal);
}

/**
 * The record of a call after its run, or `undefined` if nothing of it ran. Waits if the same call runs in this process:
 * a second click must not read that its outcome is unknown. Another call with its id, such as one that a running local
 * tool makes, doesn't wait.
 *
 * @param record - The record as it was found.
 */
export async function endedRecord(
  store: ExecutionStore,
  id: string,
  record: ExecutionRecord,
  digest: string,
  signal: AbortSignal | undefined,
): Promise<ExecutionRecord | undefined> {
  const end = digestIn(record.stamp) === digest ? running.get(store)?.get(record.stamp) : undefined;
  if (!end) return record;
  await untilAborted(signal, end);
  return untilAborted(signal, findCall(store, id));
}
