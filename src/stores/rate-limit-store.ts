/** A shared rate window as it stands in a store. */
export interface StoredRateLimit {
  /** The text that was last written; `undefined` where there is none, or it was kept long enough. */
  readonly value: string | undefined;
  /**
   * The store's own time, in milliseconds from any start, the same for every process. It should not jump: by how far it does,
   * turns of the window come early or late.
   */
  readonly now: number;
}

/**
 * Where several processes keep one rate window, so that together they stay inside it: `sharedRateLimit` of the client.
 *
 * A store holds one short text and its time, and knows nothing of what the text means. `redisRateLimit` of
 * `svc-sdk/stores/redis` is one; a Durable Object or a row of a database make others. What cannot compare and write in one
 * step, like an eventually consistent key-value store, makes none.
 *
 * Calls wait for it. A method that throws, rejects or takes longer than 250 ms, a text that is no window, and swaps that write
 * nothing for a second are logged as a warning, once per outage, and the client paces by itself; it tries again every second, as
 * long as calls are made. A late write does no harm, and neither
 * does a process that dies, or disconnects before it has said which calls ended: what it took is free again shortly after the
 * window turns.
 *
 * Everything that uses one text shares one window. The service counts per organization (spec: Limits), so each organization
 * needs a text of its own, whatever projects and credentials are used.
 *
 * Order among waiting calls is kept within a process, not between processes. Each change costs a read and a compareAndSwap, and
 * simultaneous ones are tried again: made for tens of processes, not for thousands.
 */
export interface RateLimitStore {
  /** The text and the time. It sees every write that was answered before. */
  read(): Promise<StoredRateLimit>;
  /**
   * Writes `next` where the text still is `expected` (`undefined`: where there is none), and else nothing. Atomic: of
   * simultaneous writers with the same `expected`, one writes.
   *
   * @param ttlMs How long the text is needed at least, in milliseconds.
   * @returns Whether it was written.
   */
  compareAndSwap(expected: string | undefined, next: string, ttlMs: number): Promise<boolean>;
}
