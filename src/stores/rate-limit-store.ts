/** A shared rate limit as stored. */
export interface StoredRateLimit {
  /** The last string written; `undefined` if it's missing or has expired. */
  readonly value: string | undefined;
  /**
   * The store's own time, in milliseconds from any start, the same for every process. It shouldn't jump: if it does,
   * the window resets that much early or late.
   */
  readonly now: number;
}

/**
 * Stores one rate limit for several processes, so that together they stay within it. Pass it to `sharedRateLimit`.
 *
 * A store keeps one short string and has a clock. It doesn't need to understand the string. `redisRateLimit` from
 * `svc-sdk/stores/redis` uses one in Redis; a Durable Object or a database row also works. A store that can't compare
 * and write in one step, such as an eventually consistent key-value store, doesn't.
 *
 * Calls wait for it. If a method throws, rejects or takes longer than 250 ms, if the string is invalid, or if no swap
 * succeeds for a second, the client logs a warning once per outage and throttles calls on its own. It tries the store
 * again every second, as long as calls are made. A late write does no harm. Neither does a process that dies or
 * disconnects before it has reported which calls ended: its share is free again shortly after the window resets.
 *
 * All users of one string share one window. The service counts per organization (spec: Limits), so each organization
 * needs its own string, whatever projects and credentials are used.
 *
 * Queued calls keep their order within a process, not between processes. Each change costs a read and a compareAndSwap,
 * and simultaneous ones are retried: designed for tens of processes, not thousands.
 */
export interface RateLimitStore {
  /** Returns the string and the time. It sees every write that was acknowledged before. */
  read(): Promise<StoredRateLimit>;
  /**
   * Writes `next` if the string is still `expected` (`undefined`: if nothing is stored), otherwise nothing. Atomic: of
   * simultaneous writers with the same `expected`, only one writes.
   *
   * @param ttlMs - Minimum time to keep the string, in milliseconds.
   * @returns Whether it was written.
   */
  compareAndSwap(expected: string | undefined, next: string, ttlMs: number): Promise<boolean>;
}
