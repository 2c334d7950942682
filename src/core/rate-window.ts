import type { RateLimit } from "../errors/api-error.js";

/** Calls in flight while nothing is known about the window. */
export const CAUTIOUS = 16;
/** The window's length before the service has said one. Spec: Limits. */
const USUAL_WINDOW_MS = 60_000;
/** However late its answer, a call is counted within this time, or this part of a short window. See assumption A12. */
const COUNTED_WITHIN = { ms: 3_000, part: 0.25 };
/** However much of the last window others took, this part of what remains may be used at once. */
const LEAST_SHARE = 0.25;

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
  /** The part of the last window's requests that was ours. */
  share: number;
  /** Whether a call of this window was answered. */
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
  /** After a 429, when the service said the window turns. */
  heldUntil?: number | undefined;
}

/** What an answer said about the window. */
export interface Told {
  readonly rateLimit: RateLimit | undefined;
  /** How long a 429 asked everyone to wait, in milliseconds. */
  readonly holdMs: number | undefined;
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
    share: 1,
    isAnswered: false,
    newer: 0,
  };
}

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

/** Begins a new window where it is time for one, as cautiously as the first, so that its turn is no stampede. */
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
  window.heldUntil = undefined;
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
  window.openedAt ??= now;
  return number;
}

/** Ends a call, after {@link turnIfDue}. `told` is missing where no answer came. */
export function endCall(window: RateWindow, now: number, number: number, told: Told | undefined): void {
  const isOfThisWindow = number >= window.first;
  if (isOfThisWindow) window.inFlight = Math.max(0, window.inFlight - 1);
  else if (number >= window.firstBefore) window.carried = Math.max(0, window.carried - 1);
  if (!told) return;
  if (told.holdMs !== undefined) {
    window.heldUntil = Math.max(window.heldUntil ?? 0, now + told.holdMs);
    if (isOfThisWindow) window.refused += 1;
  }
  // A proxy in between says nothing about a window that the service speaks of: its answer opens nothing.
  if (told.rateLimit === undefined && window.said !== undefined) return;
  window.said = told.rateLimit;
  if (isOfThisWindow) learn(window, now, number, told.rateLimit?.remaining);
  else learnLate(window, told.rateLimit?.remaining);
}

function learn(window: RateWindow, now: number, number: number, told: number | undefined): void {
  window.isAnswered = true;
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
  if (window.isAnswered || told === undefined || told <= CAUTIOUS) return;
  window.isAnswered = true;
  window.remaining = told;
  window.newer = window.begun;
}
