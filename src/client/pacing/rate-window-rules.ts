// The rules of a window. Each exported one resets the window first, if that is due, so no caller has to.

import type { RateLimitReport, RateWindow } from "./rate-window.js";

/** Calls in flight at the start of an unknown window, and the fraction of a known limit that is equally safe. */
const CAUTIOUS = { calls: 16, part: 0.25 };
/** The window's assumed length before the service reports one. */
const USUAL_WINDOW_MS = 60_000;
/**
 * The service counts a call within this time, or this fraction of a short window, however late it responds.
 * Assumption A12.
 */
const COUNTED_WITHIN = { ms: 3_000, part: 0.25 };
/** However much of the last window others used, this fraction of the remaining count may be used immediately. */
const LEAST_SHARE = 0.25;
/** How long a 429 without a requested wait blocks, doubled each time: the shortest backoff. */
const BACKOFF_MS = { first: 250, most: 4_000 };
/** The fraction of a window reserved for high-priority calls, and the lowest limit that has a reserve. */
const RESERVE = { part: 0.02, leastLimit: 20 };
/** After so many milliseconds without a window's first response, as many more calls may start: tools can be slow. */
export const FIRST_RESPONSE_MS = 500;
/** The fraction of a window after which any call may use the reserve, so that it isn't lost. */
const RESERVE_ENDS = 0.5;

/**
 * When the window has certainly reset, or `undefined` if that isn't known. A requested wait takes precedence.
 *
 * A window started before its first response arrived. A slow call's response shows that late, so the time it was sent
 * counts.
 */
function endOf(window: RateWindow): number | undefined {
  if (window.blockedUntil !== undefined) return window.blockedUntil;
  const windowMs = window.reported?.windowMs ?? (window.isAnswered ? undefined : USUAL_WINDOW_MS);
  if (windowMs === undefined || window.openedAt === undefined) return undefined;
  const latestStart = window.openedAt + countedWithin(windowMs);
  return Math.min(latestStart, window.answeredAt ?? latestStart) + windowMs;
}

function countedWithin(windowMs: number): number {
  return Math.min(COUNTED_WITHIN.ms, windowMs * COUNTED_WITHIN.part);
}

/** Starts a new window if it's time for one, as cautiously as the first, so that its reset doesn't cause a stampede. */
function resetIfDue(window: RateWindow, now: number): void {
  if (now >= window.carriedUntil) window.carried = 0;
  const end = endOf(window);
  if (end === undefined || now < end) return;
  // The share of the window that ends, so before its numbers change.
  window.share = shareOf(window);
  window.resets += 1;
  window.firstBefore = window.first;
  window.first = window.started;
  // Older ones were counted long ago, and calls of a process that died never end.
  window.carried = window.inFlight;
  window.carriedUntil = end + countedWithin(window.reported?.windowMs ?? USUAL_WINDOW_MS);
  window.inFlight = 0;
  window.rejected = 0;
  window.isAnswered = false;
  window.remaining = undefined;
  window.openedAt = undefined;
  window.answeredAt = undefined;
  window.unansweredSince = undefined;
  window.blockedUntil = undefined;
}

/** When the window resets, or a requested wait ends. `undefined` if that isn't known. */
export function resetsAt(window: RateWindow, now: number): number | undefined {
  resetIfDue(window, now);
  return endOf(window);
}

/** Whether a call that has begun may still be sent: no 429 blocks it, and the window hasn't reset since. */
export function isCurrent(window: RateWindow, now: number, number: number): boolean {
  resetIfDue(window, now);
  return number >= window.first && window.blockedUntil === undefined;
}

/** How many calls may be in flight at the start of a window. A limit known before still applies. Assumption A13. */
function firstBatch({ reported, share, backoffs }: RateWindow): number {
  // A 429 despite the known limit shows that there is another one.
  const known = backoffs > 0 ? 0 : (reported?.limit ?? 0) * CAUTIOUS.part;
  return Math.ceil(Math.max(CAUTIOUS.calls, known) * share);
}

function shareOf({ resets, reported, remaining, started, first, rejected }: RateWindow): number {
  const used = (reported?.limit ?? 0) - (remaining ?? Number.POSITIVE_INFINITY);
  // Others may have used the first window before this client started, unless it got a 429.
  return used > 0 && resets + rejected > 0
    ? Math.min(Math.max((started - first - rejected) / used, LEAST_SHARE), 1)
    : 1;
}

/** Starts calls, and returns the number of the first. */
export function beginCalls(window: RateWindow, now: number, count: number): number {
  resetIfDue(window, now);
  const number = window.started;
  window.started += count;
  window.inFlight += count;
  if (count > 0) {
    window.openedAt ??= now;
    window.unansweredSince ??= now;
  }
  return number;
}

/** Ends a call. `report` is `undefined` without a response; `maxWaitMs` is the longest time to wait. */
export function endCall(
  window: RateWindow,
  now: number,
  number: number,
  report: RateLimitReport | undefined,
  maxWaitMs: number,
): void {
  resetIfDue(window, now);
  leave(window, now, number, report !== undefined);
  if (!report) return;
  if (report.isServed) window.backoffs = 0;
  // The response to a call that was in flight when the ban started doesn't show that it ended.
  if (number >= window.first && window.blockedUntil === undefined) window.isBanned = false;
  learn(window, now, number, report);
  if (!report.isServed && report.isRejected) block(window, now, number, report, maxWaitMs);
}

/** Removes the call from the calls in flight. Its response shows that the service answers. */
function leave(window: RateWindow, now: number, number: number, isAnswered: boolean): void {
  if (number >= window.first) window.inFlight = Math.max(0, window.inFlight - 1);
  else if (number >= window.firstBefore) window.carried = Math.max(0, window.carried - 1);
  if (window.inFlight === 0) window.unansweredSince = undefined;
  else if (isAnswered) window.unansweredSince = now;
}

/** Keeps the reported limit, and the lowest remaining count. A higher count shows a new window. */
function learn(window: RateWindow, now: number, number: number, { rateLimit, isServed }: RateLimitReport): void {
  // A rejection, a failure or a proxy's response may not report a limit that exists.
  if (rateLimit === undefined && window.reported !== undefined) return;
  window.reported = rateLimit;
  const count = rateLimit?.remaining;
  if (number < window.first) {
    learnLate(window, count);
    return;
  }
  window.isAnswered ||= isServed || count !== undefined;
  window.answeredAt ??= now;
  if (count === undefined) return;
  if (count > (window.remaining ?? Number.POSITIVE_INFINITY)) {
    // Responses overtake each other. Only a call sent after the lower count arrived proves a new window.
    if (number < window.newer) return;
    window.openedAt = now;
    window.answeredAt = now;
  }
  window.remaining = count;
  window.newer = window.started;
}

/** Learns from a call sent before the reset. A new window allows no less than the previous one. Assumption A13. */
function learnLate(window: RateWindow, count: number | undefined): void {
  if (window.isAnswered || count === undefined || Math.ceil(count * window.share) <= firstBatch(window)) return;
  window.isAnswered = true;
  window.remaining = count;
  window.newer = window.started;
}

/** Blocks all calls after a 429 of the service's limiter. */
function block(window: RateWindow, now: number, number: number, report: RateLimitReport, maxWaitMs: number): void {
  window.rejected += 1;
  if (report.waitMs) {
    // Sends nothing before the requested wait ends, however long it is.
    window.blockedUntil = Math.max(window.blockedUntil ?? 0, now + report.waitMs);
    if (report.waitMs > maxWaitMs) window.isBanned = true;
  } else if (number >= window.first && window.blockedUntil === undefined) {
    blockWithoutRequest(window, now, report, maxWaitMs);
  }
}

/** A 429 without a requested wait blocks until the known window resets, otherwise longer each time. Assumption A14. */
function blockWithoutRequest(window: RateWindow, now: number, report: RateLimitReport, maxWaitMs: number): void {
  // If requests are left or another time is requested, the window isn't the reason.
  const isWindow =
    window.reported?.windowMs !== undefined && !report.rateLimit?.remaining && report.waitMs === undefined;
  const end = isWindow ? (endOf(window) ?? now) : now;
  // Times are compared, not differences: a difference may be rounded up to more than the longest wait.
  if (end > now && end <= now + maxWaitMs) {
    window.blockedUntil = end;
    return;
  }
  window.blockedUntil = now + Math.min(BACKOFF_MS.first * 2 ** window.backoffs, BACKOFF_MS.most);
  window.backoffs += 1;
}

/**
 * How many more calls may start now, with or without those reserved for high priority. `maxWaitMs` is the longest time
 * to wait for a window: if its reset is later or unknown, one call at a time is sent to probe.
 */
export function freePlaces(window: RateWindow, now: number, usesReserve: boolean, maxWaitMs: number): number {
  const end = resetsAt(window, now) ?? Number.POSITIVE_INFINITY;
  const least = window.blockedUntil !== undefined || end <= now + maxWaitMs ? 0 : 1;
  return Math.max(mostInFlight(window, now, usesReserve), least) - window.inFlight - window.carried;
}

function mostInFlight(window: RateWindow, now: number, usesReserve: boolean): number {
  const { remaining, isAnswered, share, reported } = window;
  if (window.blockedUntil !== undefined) return 0;
  if (window.isBanned) return 1;
  if (remaining === undefined && isAnswered) return Number.POSITIVE_INFINITY;
  if (remaining === undefined) {
    const most = Math.min(firstBatch(window) * batches(window, now), reported?.limit ?? Number.POSITIVE_INFINITY);
    return usesReserve ? most : most - 1;
  }
  if (usesReserve) return remaining;
  return Math.min(Math.ceil(remaining * share), remaining - reserveOf(window, now));
}

/** How many batches of calls may be in flight before the window's first response. */
export function batches(window: RateWindow, now: number): number {
  resetIfDue(window, now);
  const { unansweredSince = Number.POSITIVE_INFINITY } = window;
  return 1 + Math.max(0, Math.floor((now - unansweredSince) / FIRST_RESPONSE_MS));
}

/** How many of the window's calls are reserved for high priority now. */
export function reserveOf(window: RateWindow, now: number): number {
  const limit = window.reported?.limit ?? 0;
  if (limit < RESERVE.leastLimit || now >= reserveEndsAt(window, now)) return 0;
  return Math.max(1, Math.floor(limit * RESERVE.part));
}

/** Until when it is reserved: never, if the window's end or length isn't known. */
export function reserveEndsAt(window: RateWindow, now: number): number {
  const windowMs = window.reported?.windowMs ?? Number.POSITIVE_INFINITY;
  return (resetsAt(window, now) ?? 0) - windowMs * (1 - RESERVE_ENDS);
}
