import { type RateWindow, startOf, turnsAt } from "./rate-window.js";

/** The part of a window that calls of normal priority leave to those of high priority, and the least limit that has one. */
const RESERVE = { part: 0.02, leastLimit: 20 };
/** How long calls wait for a window's first answer before as many again may begin, in milliseconds: a tool may take a minute. */
const PATIENCE_MS = 500;
/** When in a window the reserve is given to all: unused, it would be lost. */
const RESERVE_ENDS = 0.5;

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

/** Whose places are counted: all, or those that are not kept for high priority. */
export type Places = "all" | "unreserved";

/**
 * How many more calls may begin now, after {@link turnIfDue}. `maxWaitMs` is the longest wait for a window that is worth
 * it: where its turn is further away or not known, one call at a time goes and asks.
 */
export function freePlaces(window: RateWindow, now: number, places: Places, maxWaitMs: number): number {
  const end = turnsAt(window);
  const least = window.heldUntil !== undefined || (end !== undefined && end - now <= maxWaitMs) ? 0 : 1;
  const carried = now < window.carriedUntil ? window.carried : 0;
  return Math.max(mostInFlight(window, now, places), least) - window.inFlight - carried;
}

function mostInFlight(window: RateWindow, now: number, places: Places): number {
  const { remaining, isAnswered, share } = window;
  if (window.heldUntil !== undefined) return 0;
  if (window.isBanned) return 1;
  if (remaining === undefined && isAnswered) return Number.POSITIVE_INFINITY;
  if (remaining === undefined) return mostUntold(window, now) - (places === "all" ? 0 : 1);
  if (places === "all") return remaining;
  return Math.min(Math.ceil(remaining * share), remaining - reserveOf(window, now));
}

/** How many may be in flight before the window's first answer. */
function mostUntold(window: RateWindow, now: number): number {
  return Math.min(startOf(window) * batches(window, now), window.said?.limit ?? Number.POSITIVE_INFINITY);
}

function batches({ quietSince = Number.POSITIVE_INFINITY }: RateWindow, now: number): number {
  return 1 + Math.max(0, Math.floor((now - quietSince) / PATIENCE_MS));
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

/** How many of the window's calls are kept for high priority at this time. */
function reserveOf(window: RateWindow, now: number): number {
  const limit = window.said?.limit ?? 0;
  const end = reserveEndsAt(window);
  if (limit < RESERVE.leastLimit || end === undefined || now >= end) return 0;
  return Math.max(1, Math.floor(limit * RESERVE.part));
}

function reserveEndsAt(window: RateWindow): number | undefined {
  const end = turnsAt(window);
  const windowMs = window.said?.windowMs;
  return end === undefined || windowMs === undefined ? undefined : end - windowMs * (1 - RESERVE_ENDS);
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
export function closedFor(window: RateWindow, now: number, maxWaitMs: number): number | undefined {
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
