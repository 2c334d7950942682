import { type RateWindow, unknownWindow } from "../core/pacing/rate-window.js";
import { isObject, parseJson } from "../shared/json.js";

/** Begins the text, so that a release that keeps another shape does not read it as its own. */
const VERSION = "2:";
/** How far the store's time may have jumped back since the text was written, in milliseconds. */
const JUMP_MS = 60_000;

/** A text that is no window of this version, or one that cannot be true. */
export class ForeignText extends Error {}

/** A window as a store keeps it. */
export function toText(window: RateWindow): string {
  return VERSION + JSON.stringify(window);
}

/**
 * Reads what a store keeps, at the store's time. One number that is none would lift the pacing of a whole fleet, or end it.
 *
 * @throws {ForeignText}
 */
export function fromText(text: string, now: number): RateWindow {
  const window = text.startsWith(VERSION) ? parseJson(text.slice(VERSION.length)) : undefined;
  if (!isWindow(window) || !isPossible(window, now)) throw new ForeignText();
  return window;
}

const ALWAYS = Object.entries(unknownWindow());
const AT_TIMES = ["remaining", "openedAt", "answeredAt", "quietSince", "heldUntil"] satisfies (keyof RateWindow)[];

function isWindow(value: unknown): value is RateWindow {
  if (!isObject(value)) return false;
  const { said = {} } = value;
  if (!isObject(said) || !Object.values(said).every(isNumber)) return false;
  const isThere = ALWAYS.every(([name, sample]) =>
    typeof sample === "number" ? isNumber(value[name]) : typeof value[name] === typeof sample,
  );
  return isThere && AT_TIMES.every((name) => value[name] === undefined || isNumber(value[name]));
}

/** Whether its counts fit together and nothing in it began in the future: else it could keep calls waiting for ever. */
function isPossible(window: RateWindow, now: number): boolean {
  const { begun, first, firstBefore, newer, inFlight, carried, share } = window;
  const areNumbers = firstBefore <= first && first <= begun && newer <= begun && share > 0 && share <= 1;
  const areCalls = inFlight <= begun - first && carried <= first - firstBefore;
  const { openedAt = inFlight === 0 ? 0 : Number.POSITIVE_INFINITY, answeredAt = 0, carriedUntil } = window;
  return areNumbers && areCalls && Math.max(openedAt, answeredAt, carriedUntil) <= now + JUMP_MS;
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value) && Number(value) >= 0;
}
