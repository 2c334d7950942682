/** The record of a call that was started before. */
export interface ExecutionRecord {
  /** Digest of the tool and the arguments it was started with. */
  readonly digest: string;
  /** Its result; `undefined` if it never finished, so it may have run. */
  readonly result: string | undefined;
}

/**
 * Remembers which calls were started, so that a call runs once per id, across processes and crashes.
 *
 * A record of a started call isn't a lease: it must not expire while the call's id can come back. A call that was
 * started and not finished never runs again.
 */
export interface ExecutionStore {
  /** Returns the record of a call, or `undefined` if it wasn't started. */
  find(id: string): Promise<ExecutionRecord | undefined>;
  /**
   * Records that a call starts. Atomic: of any number of simultaneous callers, one gets `undefined`.
   *
   * @returns The record of an earlier start; `undefined` if this is the first.
   */
  start(id: string, digest: string): Promise<ExecutionRecord | undefined>;
  /** Records the result of a started call. Without a result, the call provably didn't run and its record is removed. */
  finish(id: string, result?: string): Promise<void>;
}

/** Options of {@link memoryExecutions}. */
export interface MemoryExecutionsOptions {
  /**
   * Maximum number of stored results. Of older calls only the start is stored: called again, their outcome is
   * `unknown`.
   * @default 1_000
   */
  readonly maxResults?: number | undefined;
}

/** Creates a store in this process's memory, for one process. A restart forgets; use a shared store if that matters. */
export function memoryExecutions({ maxResults = 1_000 }: MemoryExecutionsOptions = {}): ExecutionStore {
  const records = new Map<string, { readonly digest: string; result: string | undefined }>();
  /** Those with a result, the oldest first. */
  const finished: { result: string | undefined }[] = [];
  return {
    find: async (id) => records.get(id),
    start: async (id, digest) => {
      const earlier = records.get(id);
      if (!earlier) records.set(id, { digest, result: undefined });
      return earlier;
    },
    finish: async (id, result) => {
      const record = records.get(id);
      if (!record) return;
      record.result = result;
      if (result === undefined) records.delete(id);
      else if (finished.push(record) > maxResults) Object.assign(finished.shift() ?? {}, { result: undefined });
    },
  };
}
