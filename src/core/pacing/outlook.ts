import type { RateWindow } from "./rate-window.js";
import { batches, freePlaces, mostUntold, PATIENCE_MS, reserveEndsAt, reserveOf, turnsAt } from "./window.js";

/** Queued calls that want turns. */
export interface Wanted {
  readonly high: number;
  readonly normal: number;
  /** How often the window had reset when the oldest normal-priority call was queued. */
  readonly normalSince: number | undefined;
}

/** How many calls of each priority may begin now, after {@link turnIfDue}. `maxWaitMs` as in {@link freePlaces}. */
export function grant(
  window: RateWindow,
  now: number,
  wanted: Wanted,
  maxWaitMs: number,
): { readonly high: number; readonly normal: number } {
  const high = clamp(freePlaces(window, now, "all", maxWaitMs), 0, wanted.high);
  // Otherwise the last calls of a burst, few enough for the reserve, would wait through another window.
  const isLast = wanted.normalSince !== window.turns && wanted.normal <= reserveOf(window, now);
  const free = freePlaces(window, now, isLast ? "all" : "unreserved", maxWaitMs) - high;
  return { high, normal: clamp(free, 0, wanted.normal) };
}

/** When turns will be available, in milliseconds from now. */
export interface Outlook {
  /** When more are available at the latest; `undefined` if that isn't known. */
  readonly moreInMs: number | undefined;
  /** For how long none are available to any call, whatever the responses; `undefined` if a response may change that. */
  readonly blockedMs: number | undefined;
  /** When to check again, if calls are still queued: some may start without another response. */
  readonly pollInMs: number | undefined;
}

/** When queued calls can expect turns. `maxWaitMs` as in {@link freePlaces}. */
export function outlookOf(window: RateWindow, now: number, maxWaitMs: number): Outlook {
  const { heldUntil, isAnswered, remaining, inFlight } = window;
  const isFree = freePlaces(window, now, "all", maxWaitMs) > 0;
  const end = turnsAt(window);
  // Responses to calls in flight may show a new window, but no response ends a block.
  const blockedUntil = heldUntil ?? (remaining === 0 && inFlight === 0 ? end : undefined);
  const times = [
    // Calls from before the reset are counted.
    window.carried > 0 && now < window.carriedUntil ? window.carriedUntil : undefined,
    nextBatchAt(window, now),
    isFree && reserveOf(window, now) > 0 ? reserveEndsAt(window) : end,
  ].filter((time) => time !== undefined);
  const pollInMs = times.length === 0 ? undefined : Math.min(...times) - now;
  // Until a window's first response the calls wait for that response, which rarely takes long.
  const isToldSoon = !isAnswered && heldUntil === undefined;
  return {
    moreInMs: isToldSoon ? undefined : pollInMs,
    blockedMs: isFree || blockedUntil === undefined ? undefined : blockedUntil - now,
    pollInMs,
  };
}

/** When a response is so late that more calls start. */
function nextBatchAt(window: RateWindow, now: number): number | undefined {
  const { quietSince, isAnswered, heldUntil, reported } = window;
  const isOpen = quietSince !== undefined && !isAnswered && heldUntil === undefined;
  if (!isOpen || mostUntold(window, now) === reported?.limit) return undefined;
  return quietSince + batches(window, now) * PATIENCE_MS;
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
