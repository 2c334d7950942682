import { RateWindow } from "../core/pacing/rate-window.js";
import { isObject, parseJson } from "../shared/json.js";

/** Starts the string, so that a release with another format doesn't read it as its own. */
const VERSION = "2:";
/** How far the store's time may have jumped back since the string was written, in milliseconds. */
const JUMP_MS = 60_000;

/** The string isn't a window of this version, or its values are impossible. */
export class ForeignText extends Error {}

/** Serializes a window for a store. */
export function toText(window: RateWindow): string {
  return VERSION + JSON.stringify(window);
}

/**
 * Parses a stored window at the store's time. One invalid number would end throttling, or all calls, in every process.
 *
 * @throws {ForeignText}
 */
export function fromText(text: string, now: number): RateWindow {
  const window = text.startsWith(VERSION) ? parseJson(text.slice(VERSION.length)) : undefined;
  if (!isWindow(window) || !isPossible(window, now)) throw new ForeignText();
  return window;
}

const ALWAYS = Object.entries(new RateWindow());
const AT_TIMES = [
  "remaining",
  "openedAt",
  "answeredAt",
  "unansweredSince",
  "blockedUntil",
] satisfies (keyof RateWindow)[];

function isWindow(value: unknown): value is RateWindow {
  if (!isObject(value)) return false;
  const { reported = {} } = value;
  if (!isObject(reported) || !Object.values(reported).every(isNumber)) return false;
  const isThere = ALWAYS.every(([name, sample]) =>
    typeof sample === "number" ? isNumber(value[name]) : typeof value[name] === typeof sample,
  );
  return isThere && AT_TIMES.every((name) => value[name] === undefined || isNumber(value[name]));
}

/** Whether its counts are consistent and nothing in it starts in the future: otherwise calls could wait forever. */
function isPossible(window: RateWindow, now: number): boolean {
  const { started, first, firstBefore, newer, inFlight, carried, share } = window;
  const areNumbers = firstBefore <= first && first <= started && newer <= started && share > 0 && share <= 1;
  const areCalls = inFlight <= started - first && carried <= first - firstBefore;
  const { openedAt = inFlight === 0 ? 0 : Number.POSITIVE_INFINITY, answeredAt = 0, carriedUntil } = window;
  return areNumbers && areCalls && Math.max(openedAt, answeredAt, carriedUntil) <= now + JUMP_MS;
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value) && Number(value) >= 0;
}
