import type { RateWindow } from "./rate-window.js";
import { batches, FIRST_RESPONSE_MS, freePlaces, reserveEndsAt, reserveOf, resetsAt } from "./rate-window-rules.js";

/** Queued calls that want slots. */
export interface QueuedCalls {
  readonly high: number;
  readonly normal: number;
  /**
   * How often the window had reset when the oldest normal-priority call was queued. `undefined` without one, and if it
   * was queued since the window was last read.
   */
  readonly normalSince: number | undefined;
}

/** How many calls of each priority may start now. `maxWaitMs` as in {@link freePlaces}. */
export function grant(
  window: RateWindow,
  now: number,
  queuedCalls: QueuedCalls,
  maxWaitMs: number,
): { readonly high: number; readonly normal: number } {
  const high = clamp(freePlaces(window, now, true, maxWaitMs), 0, queuedCalls.high);
  // Otherwise the last calls of a burst, few enough for the reserve, would wait through another window.
  const { normalSince = window.resets } = queuedCalls;
  const isLast = normalSince !== window.resets && queuedCalls.normal <= reserveOf(window, now);
  const free = freePlaces(window, now, isLast, maxWaitMs) - high;
  return { high, normal: clamp(free, 0, queuedCalls.normal) };
}

/** When slots will be available, in milliseconds from now. */
export interface WaitTimes {
  /** When more are available at the latest; `undefined` if that isn't known. */
  readonly moreInMs: number | undefined;
  /** For how long none are available to any call, whatever the responses; `undefined` if a response may change that. */
  readonly blockedMs: number | undefined;
  /** When to check again, if calls are still queued: some may start without another response. */
  readonly pollInMs: number | undefined;
}

/** When queued calls can expect slots. `maxWaitMs` as in {@link freePlaces}. */
export function waitTimes(window: RateWindow, now: number, maxWaitMs: number): WaitTimes {
  const isFree = freePlaces(window, now, true, maxWaitMs) > 0;
  const end = resetsAt(window, now);
  const { blockedUntil, isAnswered, remaining, inFlight, unansweredSince } = window;
  // Responses to calls in flight may show a new window, but no response ends a block.
  const blockEndsAt = blockedUntil ?? (remaining === 0 && inFlight === 0 ? end : undefined);
  // Until a window's first response the calls wait for that response, which rarely takes long.
  const isReportedSoon = !isAnswered && blockedUntil === undefined;
  const changes = [
    // Calls from before the reset are counted.
    window.carried > 0 ? window.carriedUntil : undefined,
    // A response is so late that more calls start.
    isReportedSoon && unansweredSince !== undefined
      ? unansweredSince + batches(window, now) * FIRST_RESPONSE_MS
      : undefined,
    isFree && reserveOf(window, now) > 0 ? reserveEndsAt(window, now) : end,
  ].filter((time) => time !== undefined);
  const pollInMs = changes.length === 0 ? undefined : changes.reduce((left, right) => Math.min(left, right)) - now;
  return {
    moreInMs: isReportedSoon ? undefined : pollInMs,
    blockedMs: isFree || blockEndsAt === undefined ? undefined : blockEndsAt - now,
    pollInMs,
  };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
