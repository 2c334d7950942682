import type { RateWindow, Told } from "./rate-window.js";

/** Calls in flight at the beginning of a window of which nothing is known, and the part of a known limit that is as safe. */
const CAUTIOUS = { calls: 16, part: 0.25 };
/** The window's length before the service has said one. Spec: Limits. */
const USUAL_WINDOW_MS = 60_000;
/** However late its answer, a call is counted within this time, or this part of a short window. See assumption A12. */
const COUNTED_WITHIN = { ms: 3_000, part: 0.25 };
/** However much of the last window others took, this part of what remains may be used at once. */
const LEAST_SHARE = 0.25;
/** How long a refusal holds that does not say so, doubled with each further one: the least that a back-off takes. */
const HOLD_MS = { first: 250, most: 4_000 };
/** The part of a window that calls of normal priority leave to those of high priority, and the least limit that has one. */
const RESERVE = { part: 0.02, leastLimit: 20 };
/** How long calls wait for a window's first answer before as many again may begin, in milliseconds: a tool may take a minute. */
export const PATIENCE_MS = 500;
/** When in a window the reserve is given to all: unused, it would be lost. */
const RESERVE_ENDS = 0.5;

/**
 * When the window has turned for certain, or `undefined` where that cannot be told. The service's own word counts most.
 *
 * A window began before the first of its answers came. A slow call's answer tells that late, so it counts as sent.
 */
export function turnsAt(window: RateWindow): number | undefined {
  if (window.heldUntil !== undefined) return window.heldUntil;
  const windowMs = window.said?.windowMs ?? (window.isAnswered ? undefined : USUAL_WINDOW_MS);
  if (windowMs === undefined || window.openedAt === undefined) return undefined;
  const latestStart = window.openedAt + countedWithin(windowMs);
  return Math.min(latestStart, window.answeredAt ?? latestStart) + windowMs;
}

function countedWithin(windowMs: number): number {
  return Math.min(COUNTED_WITHIN.ms, windowMs * COUNTED_WITHIN.part);
}

/** Begins a new window where it is time for one, cautiously like the first, so that its turn is no stampede. */
export function turnIfDue(window: RateWindow, now: number): void {
  const end = turnsAt(window);
  if (end === undefined || now < end) return;
  window.share = shareOf(window);
  window.turns += 1;
  window.firstBefore = window.first;
  window.first = window.begun;
  // Older ones were counted long ago. Those whose process died would never come back either.
  window.carried = window.inFlight;
  window.carriedUntil = end + countedWithin(window.said?.windowMs ?? USUAL_WINDOW_MS);
  window.inFlight = 0;
  window.refused = 0;
  window.isAnswered = false;
  window.remaining = undefined;
  window.openedAt = undefined;
  window.answeredAt = undefined;
  window.quietSince = undefined;
  window.heldUntil = undefined;
}

/** How many calls may be in flight at the beginning of a window. A limit that was known still holds: see assumption A13. */
function startOf({ said, share, holds }: RateWindow): number {
  if (said?.limit === undefined) return Math.ceil(CAUTIOUS.calls * share);
  // A refusal in spite of what is known shows that it is not the whole truth.
  const most = holds > 0 ? CAUTIOUS.calls : Math.max(CAUTIOUS.calls, said.limit * CAUTIOUS.part);
  return Math.min(Math.ceil(most * share), said.limit);
}

function shareOf({ turns, said, remaining, begun, first, refused }: RateWindow): number {
  // What was used of the first window may have been used before this client was there, unless they met.
  const used =
    (turns === 0 && refused === 0) || said?.limit === undefined || remaining === undefined ? 0 : said.limit - remaining;
  return used > 0 ? Math.min(Math.max((begun - first - refused) / used, LEAST_SHARE), 1) : 1;
}

/** Begins calls, and gives the number of the first. */
export function beginCalls(window: RateWindow, now: number, count: number): number {
  const number = window.begun;
  window.begun += count;
  window.inFlight += count;
  if (count > 0) {
    window.openedAt ??= now;
    window.quietSince ??= now;
  }
  return number;
}

/**
 * Ends a call, after {@link turnIfDue}. `told` is missing where no answer came; `maxWaitMs` is the longest hold that is worth it.
 */
export function endCall(
  window: RateWindow,
  now: number,
  number: number,
  told: Told | undefined,
  maxWaitMs: number,
): void {
  const isOfThisWindow = number >= window.first;
  if (isOfThisWindow) window.inFlight = Math.max(0, window.inFlight - 1);
  else if (number >= window.firstBefore) window.carried = Math.max(0, window.carried - 1);
  if (window.inFlight === 0) window.quietSince = undefined;
  if (!told) return;
  if (isOfThisWindow && window.inFlight > 0) window.quietSince = now;
  if (told.isServed) window.holds = 0;
  // The answer to a call that was already on its way when the ban began says nothing about its end.
  if (isOfThisWindow && window.heldUntil === undefined) window.isBanned = false;
  // What refuses, fails or stands in between may say nothing about a limit that there is.
  if (told.rateLimit !== undefined || (told.isServed && window.said === undefined)) {
    window.said = told.rateLimit;
    if (isOfThisWindow) learn(window, now, number, told);
    else learnLate(window, told.rateLimit?.remaining);
  }
  if (!told.isRefused) return;
  if (isOfThisWindow) window.refused += 1;
  if (told.askedMs) holdAsAsked(window, now, told.askedMs, maxWaitMs);
  else if (isOfThisWindow && window.heldUntil === undefined) holdUnasked(window, now, told, maxWaitMs);
}

function learn(window: RateWindow, now: number, number: number, { rateLimit, isServed }: Told): void {
  const told = rateLimit?.remaining;
  window.isAnswered ||= isServed || told !== undefined;
  window.answeredAt ??= now;
  if (told === undefined) return;
  const known = window.remaining;
  if (known !== undefined && told > known) {
    // Answers overtake each other. Only a call that was sent after the lower count came proves that a new window began.
    if (number < window.newer) return;
    window.openedAt = now;
    window.answeredAt = now;
  }
  window.remaining = told;
  window.newer = window.begun;
}

/** The answer of a call from before the turn. A new window holds no less than the one before did: see assumption A13. */
function learnLate(window: RateWindow, told: number | undefined): void {
  if (window.isAnswered || told === undefined || Math.ceil(told * window.share) <= startOf(window)) return;
  window.isAnswered = true;
  window.remaining = told;
  window.newer = window.begun;
}

/** Nothing is sent before the end of the hold, however long it is. A long one is a ban: after it, one call asks first. */
function holdAsAsked(window: RateWindow, now: number, askedMs: number, maxWaitMs: number): void {
  window.heldUntil = Math.max(window.heldUntil ?? 0, now + askedMs);
  if (askedMs > maxWaitMs) window.isBanned = true;
}

/** A refusal that asks for no wait holds until the known window turns, else for longer each time. See assumption A14. */
function holdUnasked(window: RateWindow, now: number, told: Told, maxWaitMs: number): void {
  // With requests left it was no matter of the window, and who names another time does not mean the window's turn.
  const isWindow = window.said?.windowMs !== undefined && !told.rateLimit?.remaining && told.askedMs === undefined;
  const leftMs = isWindow ? (turnsAt(window) ?? now) - now : 0;
  if (leftMs > 0 && leftMs <= maxWaitMs) {
    window.heldUntil = now + leftMs;
    return;
  }
  window.heldUntil = now + Math.min(HOLD_MS.first * 2 ** window.holds, HOLD_MS.most);
  window.holds += 1;
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
export function mostUntold(window: RateWindow, now: number): number {
  return Math.min(startOf(window) * batches(window, now), window.said?.limit ?? Number.POSITIVE_INFINITY);
}

export function batches({ quietSince = Number.POSITIVE_INFINITY }: RateWindow, now: number): number {
  return 1 + Math.max(0, Math.floor((now - quietSince) / PATIENCE_MS));
}

/** How many of the window's calls are kept for high priority at this time. */
export function reserveOf(window: RateWindow, now: number): number {
  const limit = window.said?.limit ?? 0;
  const end = reserveEndsAt(window);
  if (limit < RESERVE.leastLimit || end === undefined || now >= end) return 0;
  return Math.max(1, Math.floor(limit * RESERVE.part));
}

export function reserveEndsAt(window: RateWindow): number | undefined {
  const end = turnsAt(window);
  const windowMs = window.said?.windowMs;
  return end === undefined || windowMs === undefined ? undefined : end - windowMs * (1 - RESERVE_ENDS);
}
