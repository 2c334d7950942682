import type { RateLimit } from "../errors/api-error.js";
import type { CallOutcome } from "../errors/base.js";
import { ResponseError } from "../errors/connection.js";
import { RATE_LIMIT, RATE_LIMIT_LEFT, RATE_LIMIT_WINDOW, RETRY_AFTER, RETRY_AFTER_MS } from "../shared/headers.js";
import { field, isObject, kindOf, parseJson, readJson } from "../shared/json.js";
import type { Clock } from "./clock.js";
import { readRetryAfter } from "./retry-after.js";
import type { RunningCall } from "./running-call.js";

const decoder = new TextDecoder();

/** A response with as much of its body as arrived. */
export class Received {
  readonly status: number;
  readonly headers: Headers;
  readonly rateLimit: RateLimit | undefined;
  /**
   * How long a failing response asks to wait, in milliseconds from its receipt; 0 for no time, `undefined` if it
   * doesn't say.
   */
  readonly waitMs: number | undefined;
  /** When that wait ends. */
  readonly retryAt: Date | undefined;
  readonly isServed: boolean;
  readonly #response: Response;
  readonly #pieces: Uint8Array[] = [];
  #isWhole = false;

  constructor(response: Response, clock: Clock) {
    const { status, headers } = response;
    const now = status < 300 ? undefined : clock.now();
    this.status = status;
    this.headers = headers;
    this.rateLimit = readRateLimit(headers);
    this.waitMs = now === undefined ? undefined : readRetryAfter(headers, now);
    this.retryAt = now !== undefined && this.waitMs ? new Date(now + this.waitMs) : undefined;
    this.isServed = status >= 200 && status < 300;
    this.#response = response;
  }

  /** Adds a piece of the body that has arrived. */
  add(piece: Uint8Array): void {
    this.#pieces.push(piece);
  }

  /** The body has been read to its end. Part of a body proves nothing. */
  end(): void {
    this.#isWhole = true;
  }

  /** The body in one piece. @internal Older compilers have no generic `Uint8Array`. */
  get bytes(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#pieces.reduce((length, piece) => length + piece.byteLength, 0));
    let offset = 0;
    for (const { buffer, byteOffset, byteLength } of this.#pieces) {
      // An injected fetch may return views of any kind, and detach the bytes of one: then it has none.
      if (byteLength > 0) bytes.set(new Uint8Array(buffer, byteOffset, byteLength), offset);
      offset += byteLength;
    }
    return bytes;
  }

  /** The body as a string. Decoded as a whole: in pieces it takes runtimes several times as long. */
  get text(): string {
    return decoder.decode(this.#pieces.length === 1 ? this.#pieces[0] : this.bytes);
  }

  /** Whether it blocks the client's other calls too. A provider's 429 that is passed through doesn't. */
  get isRejected(): boolean {
    return this.status === 429 && this.#limit.isRejected;
  }

  /** Whether it is provably a 429 of the service itself: nothing ran. */
  get isServiceLimit(): boolean {
    return this.status === 429 && this.#limit.isServiceLimit;
  }

  // See assumption A3.
  /**
   * Who a 429 comes from. The service's limiter sends `{ message }` or no body, with Retry-After or its rate limit
   * headers, and has run nothing. Any other object may be a provider's response to a tool that ran.
   */
  get #limit(): { readonly isServiceLimit: boolean; readonly isRejected: boolean } {
    const { headers, rateLimit, waitMs, text } = this;
    const body = parseJson(text);
    const isMessage = isObject(body) && Object.keys(body).join() === "message";
    // An empty body proves something only if its length says so: one that was cut off, dropped by an interceptor or
    // decoded to nothing is empty too.
    const length = headers.get("content-length");
    // One that a program made has neither a URL nor a connection.
    const isReceived = Boolean(this.#response.url || headers.get("connection"));
    const isFramed = length === null ? !isReceived : Number(length) === 0;
    const hasBytes = this.#pieces.some(({ byteLength }) => byteLength > 0);
    const isEmpty = !hasBytes && isFramed && headers.get("content-encoding") === null;
    const isExact = isMessage ? typeof body["message"] === "string" : isEmpty;
    const asks = (headers.get(RETRY_AFTER) ?? headers.get(RETRY_AFTER_MS)) !== null || rateLimit !== undefined;
    return {
      isServiceLimit: this.#isWhole && isExact && asks,
      isRejected: isMessage || (!isObject(body) && waitMs !== undefined),
    };
  }

  /** Outcome of the call, if this response isn't its result. */
  get outcome(): CallOutcome {
    const { status } = this;
    // A 413 may mean that the result of what ran is too large. Assumption A21.
    if (status === 408 || status === 413 || status >= 500 || !this.#isWhole) return "unknown";
    if (status === 429) return this.isServiceLimit ? "rejected" : "unknown";
    // A 2xx whose body isn't the data may mean anything. Of the redirects, these two request the same call elsewhere;
    // the others may point to the result of what was done.
    return status >= 400 || status === 307 || status === 308 ? "rejected" : "unknown";
  }
}

/** Whether the body is an object or empty, as in the service's own errors. The page of a proxy isn't. */
export function isFromService({ text }: Received): boolean {
  return text.trim() === "" || isObject(parseJson(text));
}

/**
 * The data of a 2xx response.
 *
 * @throws {ResponseError} if it isn't the data: a redirect, HTML, nothing, broken JSON, another kind of JSON value.
 */
export function readData(received: Received, call: RunningCall): unknown {
  const { status, text } = received;
  const { responseType = "object", noContent, requiredFields, hasSchemas } = call.endpoint;
  if (!received.isServed) throw responseError(describeRedirect(received), received, call);
  if (status === 204 && noContent !== undefined) return noContent;
  if (text.trim() === "") throw dataError("without a body", received, call);
  let data: unknown;
  try {
    data = readJson(text, hasSchemas);
  } catch {
    throw dataError(`the body isn't JSON: ${looksLike(text, received.headers)}`, received, call);
  }
  if (responseType === "array" && typeof data === "string") data = parseJson(data) ?? data;
  if (typeof data !== "object" || data === null || Array.isArray(data) !== (responseType === "array")) {
    throw dataError(`the body is a JSON ${kindOf(data)}, not an ${responseType}`, received, call);
  }
  // How the service fails, whatever the status. A tool's own `error` is a string.
  if (isObject(field(data, "error")) && Object.keys(data).length === 1) {
    throw dataError("the body is an error object", received, call);
  }
  const missing = requiredFields?.find((name) => (field(data, name) ?? null) === null);
  if (missing !== undefined) throw dataError(`the body has no ${missing}`, received, call);
  return data;
}

/** The error of a success without the data. */
function dataError(problem: string, received: Received, call: RunningCall): ResponseError {
  return responseError(`the service responded with ${received.status}, but ${problem}.`, received, call);
}

function responseError(problem: string, { status, text }: Received, call: RunningCall): ResponseError {
  // Redact before cutting, or half a secret could remain at the end. Cut before that too, because bodies may be
  // large.
  const snippet = text === "" ? undefined : call.redact(text.slice(0, 20_000)).slice(0, 200);
  return new ResponseError(call.redact(problem), { ...call.facts(), status, snippet });
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
  if (status === 304)
    return "the service responded with 304, but the request wasn't conditional. Is a cache in between?";
  const what = status === 0 ? "The service redirects" : `the service responded with ${status}, a redirect${where}`;
  return `${what}. Redirects aren't followed, because the key would be sent along. Check baseUrl.`;
}

function readRateLimit(headers: Headers): RateLimit | undefined {
  const limit = integerIn(headers, RATE_LIMIT, 15);
  const remaining = integerIn(headers, RATE_LIMIT_LEFT, 15);
  const seconds = integerIn(headers, RATE_LIMIT_WINDOW, 9);
  if (limit === undefined && remaining === undefined && seconds === undefined) return undefined;
  return Object.freeze({ limit, remaining, windowMs: seconds === undefined ? undefined : seconds * 1_000 });
}

/** The integer in a header, with or without a unit of seconds. */
function integerIn(headers: Headers, name: string, maxDigits: number): number | undefined {
  const text = headers.get(name);
  if (text === null) return undefined;
  const digits = name === RATE_LIMIT_WINDOW && text.endsWith("s") ? text.slice(0, -1) : text;
  return /^\d+$/.test(digits) && digits.length <= maxDigits ? Number(digits) : undefined;
}
