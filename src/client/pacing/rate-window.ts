import type { RateLimit } from "../../errors/api-error.js";

/**
 * State of the service's rate limit window; nothing is known about a new one. Plain data: processes share it as a
 * string. Times are milliseconds of one clock.
 *
 * Calls are numbered as they start. A response's number shows which window it belongs to, and whether its count can be
 * newer than the known one.
 */
export class RateWindow {
  /** How often the window has reset. */
  resets = 0;
  /** Calls started so far: the number of the next one. */
  started = 0;
  /** Number of this window's first call. */
  first = 0;
  /** Number of the previous window's first call. */
  firstBefore = 0;
  /** Calls of this window that are in flight. */
  inFlight = 0;
  /** Calls of the previous window that are in flight: the service may still count them in this one. */
  carried = 0;
  /** Until when the service may count those. */
  carriedUntil = 0;
  /** Calls of this window that the limiter rejected, and therefore didn't count. */
  rejected = 0;
  /** Consecutive blocks without a requested wait since the last successful response. */
  backoffs = 0;
  /** The fraction of the last window's requests that this client sent. */
  share = 1;
  /**
   * Whether the service requested a wait longer than calls accept. Until a response after it, one call at a time is
   * sent.
   */
  isBanned = false;
  /** Whether a response of this window reported the remaining count, or showed that there is no limit. */
  isAnswered = false;
  /** The rate limit the service last reported. */
  declare reported?: RateLimit | undefined;
  /** The lowest count reported in this window. */
  declare remaining?: number | undefined;
  /** Calls from this number on were sent after `remaining` was reported. */
  newer = 0;
  /** When the first call of this window started. */
  declare openedAt?: number | undefined;
  /** When the first response of this window arrived. */
  declare answeredAt?: number | undefined;
  /** Since when calls of this window are in flight without a response. */
  declare unansweredSince?: number | undefined;
  /** After a 429, when calls may start again. */
  declare blockedUntil?: number | undefined;
}

/** A response's report about the window. */
export interface RateLimitReport {
  readonly rateLimit: RateLimit | undefined;
  /** Whether the response is a 2xx. Only then do missing rate limit headers mean that there is no limit. */
  readonly isServed: boolean;
  /** Whether the service's own limiter rejected the request. */
  readonly isRejected: boolean;
  /** The wait it requested, in milliseconds; 0 for none, `undefined` if it has no readable one. */
  readonly waitMs: number | undefined;
}
