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
 * Labels of a policy, and the starts of conversations, are records that are started and never finished. They must not
 * expire either.
 *
 * A lost reply leaves open whether the store has acted, so each method may be called again with the same arguments.
 */
export interface ExecutionStore {
  /** Returns the record of a call; `undefined` if the call wasn't started. */
  find(id: string): Promise<ExecutionRecord | undefined>;
  /**
   * Records that a call starts, unless it has a record. Atomic: of simultaneous callers, one writes the record.
   *
   * @param stamp - A string that differs for each start.
   * @returns The existing record; `undefined` if this start is the first.
   */
  start(id: string, stamp: string): Promise<ExecutionRecord | undefined>;
  /**
   * Records the result of a started call. Without a result, the call provably didn't run, and the record is removed.
   * Does nothing if the call's record has another stamp.
   */
  finish(id: string, stamp: string, result?: string): Promise<void>;
}
