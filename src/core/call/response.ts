import type { RateLimit } from "../../errors/api-error.js";
import type { Outcome } from "../../errors/base.js";
import { type CallInfo, ResponseError } from "../../errors/connection.js";
import { field, isObject, kindOf, parseJson } from "../../shared/json.js";
import type { AnyEndpoint } from "../endpoint.js";
import type { RateLimitReport } from "../pacing/rate-window.js";
import type { Redact } from "../redact.js";

/** A response with as much of its body as arrived. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly pieces: readonly Uint8Array[];
  /** Whether the body was read to its end. Part of a body proves nothing. */
  readonly isWhole: boolean;
  readonly rateLimit: RateLimit | undefined;
  /** How long a failing response asks to wait, in milliseconds from its receipt; 0 for no time, `undefined` if it doesn't say. */
  readonly askedMs: number | undefined;
  /** In milliseconds since 1970. */
  readonly receivedAt: number;
}

const decoder = new TextDecoder();

/** The bytes of a body in one piece. */
export function bytesOf(pieces: readonly ArrayBufferView[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.byteLength, 0));
  let offset = 0;
  for (const { buffer, byteOffset, byteLength } of pieces) {
    // An injected fetch may return views of any kind, and detach the bytes of one: then it has none.
    if (byteLength > 0) bytes.set(new Uint8Array(buffer, byteOffset, byteLength), offset);
    offset += byteLength;
  }
  return bytes;
}

/** A response's body as a string. Decoded as a whole: in pieces it takes runtimes several times as long. */
export function textOf({ pieces: [first, ...others] }: Received): string {
  if (first === undefined) return "";
  return decoder.decode(others.length === 0 ? first : bytesOf([first, ...others]));
}

/** Who sent a failing response. */
export interface Limit {
  /** It is provably the service's own: nothing ran. */
  readonly isServiceLimit: boolean;
  /** It blocks the client's other calls too: everything but a provider's, passed through. */
  readonly isThrottled: boolean;
}

/** Any response but a 429. */
export const NO_LIMIT: Limit = { isServiceLimit: false, isThrottled: false };

/**
 * Who a 429 comes from. The service's limiter sends `{ message }` or no body, with Retry-After or its rate limit headers, and
 * has run nothing. Any other object may be a provider's response to a tool that ran. See assumption A3.
 */
export function limitOf(received: Received): Limit {
  const { headers, rateLimit, askedMs, isWhole } = received;
  const text = textOf(received);
  const body = parseJson(text);
  const isMessage = isObject(body) && Object.keys(body).join() === "message";
  const isExact = isMessage ? typeof body["message"] === "string" : text === "" && !isOpenEnded(headers);
  const asks = (headers.get("retry-after") ?? headers.get("retry-after-ms")) !== null || rateLimit !== undefined;
  return {
    isServiceLimit: isWhole && isExact && asks,
    isThrottled: isMessage || (!isObject(body) && askedMs !== undefined),
  };
}

/** Whether an empty body could be the start of a longer one, because only the closed connection marks its end. */
function isOpenEnded(headers: Headers): boolean {
  const isFramed = (headers.get("content-length") ?? headers.get("transfer-encoding")) !== null;
  return headers.get("connection") === "close" && !isFramed;
}

/** Parts of a call that reject a response that isn't its data. */
interface Concluding {
  facts(): CallInfo;
  readonly redact: Redact;
}

/** A response's report to the pacer. */
export function reportOf({ status, rateLimit, askedMs }: Received, { isThrottled }: Limit): RateLimitReport {
  return { rateLimit, isServed: status >= 200 && status < 300, isRefused: isThrottled, askedMs };
}

/** Outcome of a call whose response isn't a success. */
export function outcomeOf({ status, isWhole }: Received, { isServiceLimit }: Limit): Outcome {
  if (status === 408 || status >= 500 || !isWhole) return "unknown";
  if (status === 429) return isServiceLimit ? "rejected" : "unknown";
  // A 2xx whose body isn't the data may mean anything. Of the redirects, these two request the same call elsewhere; the
  // others may point to the result of what was done.
  return status >= 400 || status === 307 || status === 308 ? "rejected" : "unknown";
}

/**
 * The data of a 2xx response.
 *
 * @throws {ResponseError} if it isn't the data: a redirect, HTML, nothing, broken JSON, another kind of JSON value.
 */
export function readData(endpoint: AnyEndpoint, received: Received, call: Concluding): unknown {
  const { status } = received;
  const text = textOf(received);
  const reject = (problem: string): never => {
    // Redact before cutting, or half a secret could remain at the end. Cut before that too, because bodies may be large.
    const snippet = text === "" ? undefined : call.redact(text.slice(0, 20_000)).slice(0, 200);
    throw new ResponseError(call.redact(problem), { ...call.facts(), status, snippet });
  };
  if (status < 200 || status > 299) return reject(describeRedirect(received));
  if (status === 204 && endpoint.noContent !== undefined) return endpoint.noContent;
  if (text.trim() === "") return reject(`the service responded with ${status}, but without a body.`);
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return reject(
      `the service responded with ${status}, but the body isn't JSON: ${looksLike(text, received.headers)}.`,
    );
  }
  const { responseType: wanted = "object", requiredFields } = endpoint;
  if (wanted === "array" && typeof data === "string") data = parseJson(data) ?? data;
  if (typeof data !== "object" || data === null || Array.isArray(data) !== (wanted === "array")) {
    return reject(`the service responded with ${status}, but the body is a JSON ${kindOf(data)}, not an ${wanted}.`);
  }
  // How the service fails, whatever the status. A tool's own `error` is a string.
  if (Object.keys(data).length === 1 && isObject(field(data, "error"))) {
    return reject(`the service responded with ${status}, but the body is an error object.`);
  }
  const missing = requiredFields?.find((name) => (field(data, name) ?? null) === null);
  return missing === undefined ? data : reject(`the service responded with ${status}, but the body has no ${missing}.`);
}

function looksLike(text: string, headers: Headers): string {
  if (/^\s*</.test(text)) return "it looks like an HTML page, so something between you and the service responded";
  if (/^\s*[[{]/.test(text)) return "it starts like JSON, but is cut off or malformed";
  return `its content type is ${headers.get("content-type")?.slice(0, 100) ?? "missing"}`;
}

/** A redirect is never followed: the key would be sent along. */
function describeRedirect({ status, headers }: Received): string {
  const location = headers.get("location");
  const target = location !== null && URL.canParse(location) ? new URL(location) : undefined;
  // A URL like `javascript:` has no origin.
  const where = target ? ` to ${target.origin === "null" ? target.protocol : target.origin}` : "";
  const what = status === 0 ? "The service redirects" : `the service responded with ${status}, a redirect${where}`;
  return `${what}. Redirects aren't followed, because the key would be sent along. Check baseUrl.`;
}

/** `60s`, or a bare `60`. */
const WINDOW_SIZE = "x-ratelimit-window-size";

/** The rate limit a response reports. Spec: Limits. */
export function readRateLimit(headers: Headers): RateLimit | undefined {
  const limit = integerIn(headers, "x-ratelimit", 15);
  const remaining = integerIn(headers, "x-ratelimit-remaining", 15);
  const seconds = integerIn(headers, WINDOW_SIZE, 9);
  if (limit === undefined && remaining === undefined && seconds === undefined) return undefined;
  return Object.freeze({ limit, remaining, windowMs: seconds === undefined ? undefined : seconds * 1_000 });
}

/** The integer in a header, with or without a unit of seconds. */
function integerIn(headers: Headers, name: string, maxDigits: number): number | undefined {
  const text = headers.get(name);
  if (text === null) return undefined;
  const digits = name === WINDOW_SIZE && text.endsWith("s") ? text.slice(0, -1) : text;
  return /^\d+$/.test(digits) && digits.length <= maxDigits ? Number(digits) : undefined;
}

// The three date forms of RFC 9110, 5.6.7. `Date.parse` accepts far more and differs between runtimes.
const IMF_FIXDATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{2}) (\w{3}) (\d{4}) ([\d:]{8}) GMT$/;
const RFC850 = /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d{2})-(\w{3})-(\d{2}) ([\d:]{8}) GMT$/;
const ASCTIME = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (\w{3}) ([ \d]\d) ([\d:]{8}) (\d{4})$/;
/** A comma that separates two values, and not the day from its date. */
const BETWEEN_VALUES = /(?<!Mon|Tue|Wed|Thu|Fri|Sat|Sun|day),/;
/** A delay as servers write it: `30`, `+30`, `30.5`, `30s`. */
const DELAY = /^\+?(\d+(?:\.\d+)?)s?$/;

/** Some thirty thousand years. A longer wait isn't a date anymore. */
const LONGEST_MS = 1e15;

/**
 * How long a response asks to wait, in milliseconds from its receipt. `undefined` if it doesn't say so readably; 0 if it asks
 * for no time, or for one in the past.
 *
 * If it asks more than once, the longest wait counts: to come back too late does no harm. A date is compared to the response's
 * own `Date`, because the two clocks may differ. See assumption A15.
 */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const sentAt = parseHttpDate(headers.get("date") ?? "", now);
  const from = Number.isNaN(sentAt) ? now : sentAt;
  const waits = [
    ...valuesOf(headers, "retry-after-ms").map((value) => delayIn(value, 1)),
    ...valuesOf(headers, "retry-after").map((value) => delayIn(value, 1_000) ?? parseHttpDate(value, now) - from),
  ].flatMap((wait) => (Number.isFinite(wait) ? Number(wait) : []));
  return waits.length === 0 ? undefined : Math.min(Math.max(0, ...waits), LONGEST_MS);
}

/** The values of a header that may have been sent more than once. */
function valuesOf(headers: Headers, name: string): string[] {
  const values = headers.get(name)?.split(BETWEEN_VALUES) ?? [];
  return values.map((value) => value.trim());
}

/** Fractions are rounded up: a wait is never shorter than requested. */
function delayIn(value: string, unitMs: number): number | undefined {
  const [, amount] = DELAY.exec(value) ?? [];
  return amount === undefined ? undefined : Math.ceil(Number(amount) * unitMs);
}

/** An HTTP date of RFC 9110 in milliseconds since 1970; NaN if it isn't one. */
function parseHttpDate(text: string, now: number): number {
  const [, day, month, year, time] = IMF_FIXDATE.exec(text) ?? [];
  if (day) return utc(day, month, year, time);
  const asctime = ASCTIME.exec(text);
  if (asctime) return utc(asctime[2]?.replace(" ", "0"), asctime[1], asctime[4], asctime[3]);
  const rfc850 = RFC850.exec(text);
  if (!rfc850) return Number.NaN;
  // A two-digit year more than 50 years ahead means the past century.
  const thisYear = new Date(now).getUTCFullYear();
  const sameCentury = Math.floor(thisYear / 100) * 100 + Number(rfc850[3]);
  return utc(rfc850[1], rfc850[2], sameCentury > thisYear + 50 ? sameCentury - 100 : sameCentury, rfc850[4]);
}

function utc(day?: string, month?: string, year?: string | number, time?: string): number {
  const date = `${day} ${month} ${year} ${time} GMT`;
  const ms = Date.parse(date);
  // `Date.parse` may carry over: the 30th of February would become a day in March.
  return new Date(ms).toUTCString().endsWith(date) ? ms : Number.NaN;
}
