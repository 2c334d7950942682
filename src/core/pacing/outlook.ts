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

/**
 * In how many milliseconds more calls can start at the latest; `undefined` if that isn't known. Until a window's first
 * response the calls wait for that response, which rarely takes long.
 */
export function moreIn(window: RateWindow, now: number, maxWaitMs: number): number | undefined {
  const isToldSoon = !window.isAnswered && window.heldUntil === undefined;
  const wakes = isToldSoon ? undefined : wakesAt(window, now, maxWaitMs);
  return wakes === undefined ? undefined : wakes - now;
}

/** For how many milliseconds no call may start, whatever the responses; `undefined` if a response may change that. */
export function blockedFor(window: RateWindow, now: number, maxWaitMs: number): number | undefined {
  if (freePlaces(window, now, "all", maxWaitMs) > 0) return undefined;
  // Responses to calls in flight may show a new window, but no response ends a block.
  const isUsedUp = window.remaining === 0 && window.inFlight === 0;
  const end = window.heldUntil ?? (isUsedUp ? turnsAt(window) : undefined);
  return end === undefined ? undefined : end - now;
}

/**
 * When queued calls may start without another response: calls from before the reset are counted, a response is late, the
 * reserve is released, or the window resets.
 */
export function wakesAt(window: RateWindow, now: number, maxWaitMs: number): number | undefined {
  const carriedUntil = window.carried > 0 && now < window.carriedUntil ? window.carriedUntil : undefined;
  const isKeptBack = reserveOf(window, now) > 0 && freePlaces(window, now, "all", maxWaitMs) > 0;
  const opens = isKeptBack ? reserveEndsAt(window) : turnsAt(window);
  const times = [carriedUntil, nextBatchAt(window, now), opens].filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
}

function nextBatchAt(window: RateWindow, now: number): number | undefined {
  const { quietSince, isAnswered, heldUntil, reported } = window;
  const isOpen = quietSince !== undefined && !isAnswered && heldUntil === undefined;
  if (!isOpen || mostUntold(window, now) === reported?.limit) return undefined;
  return quietSince + batches(window, now) * PATIENCE_MS;
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
