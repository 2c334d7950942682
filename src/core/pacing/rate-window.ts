import type { RateLimit } from "../../errors/api-error.js";

/**
 * What is known of the service's rate window. Plain data: a fleet shares it as a text. Times are milliseconds of one clock.
 *
 * Calls are numbered as they begin, so that an answer's number says to which window it belongs, and whether its count can
 * be newer than the known one.
 */
export interface RateWindow {
  /** How often the window has turned. */
  turns: number;
  /** Calls begun so far: the number of the next one. */
  begun: number;
  /** Number of this window's first call. */
  first: number;
  /** Number of the first call of the window before. */
  firstBefore: number;
  /** Calls of this window that are on their way. */
  inFlight: number;
  /** Calls of the window before that are on their way: the service may still count them in this one. */
  carried: number;
  /** Until when it may. */
  carriedUntil: number;
  /** Calls of this window that the limiter turned away, and therefore did not count. */
  refused: number;
  /** Holds in a row that the service did not ask for, since it last did as it was asked. */
  holds: number;
  /** The part of the last window's requests that was ours. */
  share: number;
  /** Whether the service asked for a hold longer than calls wait. Until an answer after it, one call at a time goes. */
  isBanned: boolean;
  /** Whether an answer of this window said what remains, or showed that there is no limit. */
  isAnswered: boolean;
  /** What the service last said. */
  said?: RateLimit | undefined;
  /** The lowest count told in this window. */
  remaining?: number | undefined;
  /** Calls from this number on were sent after `remaining` was told. */
  newer: number;
  /** When the first call of this window began. */
  openedAt?: number | undefined;
  /** When the first answer of this window came. */
  answeredAt?: number | undefined;
  /** Since when calls of this window are on their way without any answer. */
  quietSince?: number | undefined;
  /** After a 429, when calls may begin again. */
  heldUntil?: number | undefined;
}

/** What an answer said about the window. */
export interface Told {
  readonly rateLimit: RateLimit | undefined;
  /** Whether the service did as it was asked. Only then does silence about a limit mean that there is none. */
  readonly isServed: boolean;
  /** Whether the platform's own limiter turned the request away. */
  readonly isRefused: boolean;
  /** How long it asked to wait, in milliseconds; 0 for no time, `undefined` if it doesn't say so readably. */
  readonly askedMs: number | undefined;
}

/** A window of which nothing is known. */
export function unknownWindow(): RateWindow {
  return {
    turns: 0,
    begun: 0,
    first: 0,
    firstBefore: 0,
    inFlight: 0,
    carried: 0,
    carriedUntil: 0,
    refused: 0,
    holds: 0,
    share: 1,
    isBanned: false,
    isAnswered: false,
    newer: 0,
  };
}
