import type { RateWindow } from "./rate-window.js";
import { batches, freePlaces, mostUntold, PATIENCE_MS, reserveEndsAt, reserveOf, turnsAt } from "./window.js";

/** Calls that ask for turns. */
export interface Wanted {
  readonly high: number;
  readonly normal: number;
  /** How often the window had turned when the oldest of normal priority came. */
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
  // Calls that have waited for a whole turn, and fit into the reserve, would else be all that is left of a burst.
  const isLast = wanted.normalSince !== window.turns && wanted.normal <= reserveOf(window, now);
  const free = freePlaces(window, now, isLast ? "all" : "unreserved", maxWaitMs) - high;
  return { high, normal: clamp(free, 0, wanted.normal) };
}

/**
 * In how many milliseconds the window gives more turns at the latest; `undefined` where that is not known. Until a window's
 * first answer the calls wait for that, which is seldom long.
 */
export function moreIn(window: RateWindow, now: number, maxWaitMs: number): number | undefined {
  const isToldSoon = !window.isAnswered && window.heldUntil === undefined;
  const wakes = isToldSoon ? undefined : wakesAt(window, now, maxWaitMs);
  return wakes === undefined ? undefined : wakes - now;
}

/** For how many milliseconds no call may begin, whatever is answered; `undefined` where an answer may change that. */
export function blockedFor(window: RateWindow, now: number, maxWaitMs: number): number | undefined {
  if (freePlaces(window, now, "all", maxWaitMs) > 0) return undefined;
  // Answers that are on their way may tell of a new window, but no answer ends a hold.
  const isUsedUp = window.remaining === 0 && window.inFlight === 0;
  const end = window.heldUntil ?? (isUsedUp ? turnsAt(window) : undefined);
  return end === undefined ? undefined : end - now;
}

/**
 * When calls that have to wait may begin without another answer: those from before the turn are counted, an answer is late, the
 * reserve is given out, or the window turns.
 */
export function wakesAt(window: RateWindow, now: number, maxWaitMs: number): number | undefined {
  const carriedUntil = window.carried > 0 && now < window.carriedUntil ? window.carriedUntil : undefined;
  const isKeptBack = reserveOf(window, now) > 0 && freePlaces(window, now, "all", maxWaitMs) > 0;
  const opens = isKeptBack ? reserveEndsAt(window) : turnsAt(window);
  const times = [carriedUntil, nextBatchAt(window, now), opens].filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
}

function nextBatchAt(window: RateWindow, now: number): number | undefined {
  const { quietSince, isAnswered, heldUntil, said } = window;
  const isOpen = quietSince !== undefined && !isAnswered && heldUntil === undefined;
  if (!isOpen || mostUntold(window, now) === said?.limit) return undefined;
  return quietSince + batches(window, now) * PATIENCE_MS;
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
