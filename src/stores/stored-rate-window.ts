import { RateWindow } from "../client/pacing/rate-window.js";
import { isObject, parseJson } from "../shared/json.js";

/** A shared rate limit as stored. */
export interface StoredRateLimit {
  /** The last string written; `undefined` if it's missing or has expired. */
  readonly value: string | undefined;
  /**
   * The store's own time, in milliseconds from any start, the same for every process. It shouldn't jump: if it does,
   * the window resets that much early or late.
   */
  readonly now: number;
}

/**
 * Stores one rate limit for several processes, so that together they stay within it. Pass it to `sharedRateLimit`.
 *
 * A store keeps one short string and has a clock. It doesn't need to understand the string. `redisRateLimit` from
 * `svc-sdk/stores` uses one in Redis; a Durable Object or a database row also works. A store that can't compare and
 * write in one step, such as an eventually consistent key-value store, doesn't work.
 *
 * Calls wait for it. If a method throws, rejects or takes longer than 250 ms, if the string is invalid, or if no swap
 * succeeds for a second, the client logs a warning once per outage and throttles only its own calls. It tries the store
 * again every second, as long as calls are made. A late write does no harm. Neither does a process that dies or
 * disconnects before it has reported which calls ended: its share is free again shortly after the window resets.
 *
 * All users of one string share one window. The service counts per organization, so use one string per organization,
 * across projects and API keys.
 *
 * Queued calls keep their order within a process, not between processes. Each change costs a read and a compareAndSwap,
 * and simultaneous ones are retried: designed for tens of processes, not thousands.
 */
export interface RateLimitStore {
  /** Returns the string and the time. It sees every write that was acknowledged before. */
  read(): Promise<StoredRateLimit>;
  /**
   * Writes `next` if the string is still `expected` (`undefined`: nothing is stored). Otherwise, writes nothing.
   * Atomic: of simultaneous writers with the same `expected`, only one writes.
   *
   * @param ttlMs - Minimum time to keep the string, in milliseconds.
   * @returns Whether it was written.
   */
  compareAndSwap(expected: string | undefined, next: string, ttlMs: number): Promise<boolean>;
}

/** Starts the string, so that a release with another format doesn't read it as its own. */
const VERSION = "2:";
/** How far the store's time may have jumped back since the string was written, in milliseconds. */
const JUMP_MS = 60_000;

/** The string isn't a window of this version, or its values are impossible. */
export class ForeignText extends Error {}

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
