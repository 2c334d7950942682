import { untilAborted } from "../shared/timers.js";
import type { ExecutionRecord, ExecutionStore } from "./executions.js";
import { digestIn, findCall } from "./start-once.js";

/** The calls of each store that this process runs now, by the stamp of their start. */
const running = new WeakMap<ExecutionStore, Map<string, Promise<unknown>>>();

/** Remembers a call until it has ended: another run of it in this process waits for its result. */
export function keepRunning(store: ExecutionStore, stamp: string, end: Promise<unknown>): void {
  const calls = running.get(store) ?? new Map<string, Promise<unknown>>();
  running.set(store, calls);
  const ended = end.catch(() => undefined).then(() => calls.delete(stamp));
  calls.set(stamp, ended);
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
