import type { RateLimit } from "../../errors/api-error.js";

/**
 * State of the service's rate limit window. Plain data: processes share it as a string. Times are milliseconds of one
 * clock.
 *
 * Calls are numbered as they start. A response's number shows which window it belongs to, and whether its count can be
 * newer than the known one.
 */
export interface RateWindow {
  /** How often the window has reset. */
  resets: number;
  /** Calls started so far: the number of the next one. */
  started: number;
  /** Number of this window's first call. */
  first: number;
  /** Number of the previous window's first call. */
  firstBefore: number;
  /** Calls of this window that are in flight. */
  inFlight: number;
  /** Calls of the previous window that are in flight: the service may still count them in this one. */
  carried: number;
  /** Until when the service may count those. */
  carriedUntil: number;
  /** Calls of this window that the limiter rejected, and therefore didn't count. */
  rejected: number;
  /** Consecutive blocks without a requested wait since the last successful response. */
  backoffs: number;
  /** The fraction of the last window's requests that this client sent. */
  share: number;
  /**
   * Whether the service requested a wait longer than calls accept. Until a response after it, one call at a time is
   * sent.
   */
  isBanned: boolean;
  /** Whether a response of this window reported the remaining count, or showed that there is no limit. */
  isAnswered: boolean;
  /** The rate limit the service last reported. */
  reported?: RateLimit | undefined;
  /** The lowest count reported in this window. */
  remaining?: number | undefined;
  /** Calls from this number on were sent after `remaining` was reported. */
  newer: number;
  /** When the first call of this window started. */
  openedAt?: number | undefined;
  /** When the first response of this window arrived. */
  answeredAt?: number | undefined;
  /** Since when calls of this window are in flight without a response. */
  unansweredSince?: number | undefined;
  /** After a 429, when calls may start again. */
  blockedUntil?: number | undefined;
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

/** A window about which nothing is known. */
export function unknownWindow(): RateWindow {
  return {
    resets: 0,
    started: 0,
    first: 0,
    firstBefore: 0,
    inFlight: 0,
    carried: 0,
    carriedUntil: 0,
    rejected: 0,
    backoffs: 0,
    share: 1,
    isBanned: false,
    isAnswered: false,
    newer: 0,
  };
}
