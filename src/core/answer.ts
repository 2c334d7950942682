import type { RateLimit } from "../errors/api-error.js";
import { type CallFacts, ResponseError } from "../errors/connection.js";
import { field, isObject, kindOf, parseJson } from "../json.js";
import { textOf } from "./body.js";
import type { AnyEndpoint } from "./endpoint.js";
import type { Redact } from "./redact.js";
import { readRetryAfter } from "./retry-after.js";

/** What stands before an answer's body, read once at its receipt. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: Headers;
  readonly rateLimit: RateLimit | undefined;
  /** How long a failing answer asks to wait, in milliseconds from its receipt; 0 for no time, `undefined` if it doesn't say. */
  readonly askedMs: number | undefined;
  /** When it came, in milliseconds since 1970. */
  readonly receivedAt: number;
}

/** An answer with as much of its body as arrived. */
export interface Answer extends AnswerHead {
  readonly text: string;
  /** Whether the body was read to its end. What is only part of a body proves nothing. */
  readonly isWhole: boolean;
  /** Whether this 429 is provably the platform's own: nothing ran. */
  readonly isPlatformLimit: boolean;
  /** Whether this 429 holds back the client's other calls: everything but a provider's, passed through. */
  readonly isThrottled: boolean;
}

/** An answer whose body arrived, or as much of it as there was. */
export function answerOf(head: AnswerHead, pieces: readonly Uint8Array[], isWhole: boolean): Answer {
  const text = textOf(pieces);
  return { ...head, text, isWhole, ...limitOf(head, text, isWhole) };
}

/** An injected fetch may give anything, a network error dressed as a `Response` included. Neither is an answer. */
export function answered(response: Response): Response {
  if (typeof response?.headers?.get === "function" && response.type !== "error") return response;
  throw new TypeError("the fetch in use gave no answer");
}

/** Reads what stands before the body. */
export function readHead({ status, headers }: Response, receivedAt: number): AnswerHead {
  const askedMs = status < 300 ? undefined : readRetryAfter(headers, receivedAt);
  return { status, headers, rateLimit: readRateLimit(headers), askedMs, receivedAt };
}

/**
 * The data of a 2xx answer.
 *
 * @throws {ResponseError} where the answer is not the data: a redirect, HTML, nothing, a broken or another JSON value.
 */
export function readData(endpoint: AnyEndpoint, answer: Answer, facts: CallFacts, redact: Redact): unknown {
  const refuse = (problem: string) => {
    // Redacted before it is cut, or half a secret could stand at its end; and cut before that, because bodies may be large.
    const snippet = answer.text === "" ? undefined : redact(answer.text.slice(0, 20_000)).slice(0, 200);
    return new ResponseError(redact(problem), { ...facts, status: answer.status, snippet });
  };
  if (answer.status < 200 || answer.status > 299) throw refuse(describeRedirect(answer));
  if (answer.status === 204 && endpoint.noContent !== undefined) return endpoint.noContent;
  if (answer.text.trim() === "")
    throw refuse(`the service answered ${answer.status} without a body where data is due.`);
  const value = parseJson(answer.text);
  if (value === undefined)
    throw refuse(`the service answered ${answer.status}, but the body is not JSON: ${looksLike(answer)}.`);
  const wanted = endpoint.answer ?? "object";
  const data = wanted === "array" && typeof value === "string" ? parseJson(value) : value;
  if (kindOf(data) !== wanted) {
    throw refuse(
      `the service answered ${answer.status}, but the body is a JSON ${kindOf(data ?? value)} where an ${wanted} is due.`,
    );
  }
  if (isErrorObject(data)) throw refuse(`the service answered ${answer.status}, but the body is an error object.`);
  const lacking = endpoint.needs?.find((name) => (field(data, name) ?? null) === null);
  if (lacking !== undefined) throw refuse(`the service answered ${answer.status}, but the answer has no ${lacking}.`);
  return data;
}

/** `{ error: { … } }` and nothing else is how the service fails, whatever the status. A tool's own `error` is a text. */
function isErrorObject(data: unknown): boolean {
  return isObject(data) && isObject(data["error"]) && Object.keys(data).length === 1;
}

function looksLike({ text, headers }: Answer): string {
  if (/^\s*</.test(text)) return "it looks like an HTML page, so something between you and the service answered";
  if (/^\s*[[{]/.test(text)) return "it begins like JSON and breaks off or goes wrong";
  return `its content type is ${headers.get("content-type")?.slice(0, 100) ?? "not given"}`;
}

/** A redirect is never followed: the key would go along. */
function describeRedirect({ status, headers }: Answer): string {
  const location = headers.get("location");
  const address = location !== null && URL.canParse(location) ? new URL(location) : undefined;
  // An address like `javascript:` has no origin.
  const target = address ? ` to ${address.origin === "null" ? address.protocol : address.origin}` : "";
  const what = status === 0 ? "The service redirects" : `the service answered ${status}, a redirect${target}`;
  return `${what}. Redirects are not followed, because the key would go along; check baseUrl.`;
}

/** What an answer says about the rate window. Spec: Limits. */
function readRateLimit(headers: Headers): RateLimit | undefined {
  const limit = count(headers.get("x-ratelimit"));
  const remaining = count(headers.get("x-ratelimit-remaining"));
  const windowMs = duration(headers.get("x-ratelimit-window-size"));
  if (limit === undefined && remaining === undefined && windowMs === undefined) return undefined;
  return Object.freeze({ limit, remaining, windowMs });
}

function count(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** `60s`, and a bare `60`, as milliseconds. */
function duration(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}s?$/.test(text) ? Number.parseInt(text, 10) * 1_000 : undefined;
}

/**
 * Who a 429 comes from. The platform's limiter sends `{ message }` or no body, with Retry-After or its window headers, and
 * has run nothing. Any other object may be a provider's refusal of a tool that ran. See assumption A3.
 */
function limitOf(head: AnswerHead, text: string, isWhole: boolean): Pick<Answer, "isPlatformLimit" | "isThrottled"> {
  if (head.status !== 429) return { isPlatformLimit: false, isThrottled: false };
  const body = parseJson(text);
  const isMessage = isObject(body) && Object.keys(body).join() === "message";
  const asks =
    ["retry-after", "retry-after-ms"].some((name) => head.headers.get(name) !== null) || head.rateLimit !== undefined;
  const isExact = text === "" || (isMessage && typeof body["message"] === "string");
  return {
    isPlatformLimit: isWhole && isExact && asks && !isOpenEnded(head, text),
    isThrottled: isMessage || (!isObject(body) && head.askedMs !== undefined),
  };
}

/** Whether an empty body could be the beginning of a longer one: only the connection's end says where it ends. */
function isOpenEnded({ headers }: AnswerHead, text: string): boolean {
  return (
    text === "" &&
    headers.get("connection") === "close" &&
    headers.get("content-length") === null &&
    headers.get("transfer-encoding") === null
  );
}

const SHOWN_HEADERS = [
  "content-type",
  "date",
  "deprecation",
  "link",
  "retry-after",
  "retry-after-ms",
  "server",
  "sunset",
  "x-ratelimit",
  "x-ratelimit-remaining",
  "x-ratelimit-window-size",
  "x-request-id",
  "x-should-retry",
];

/** The headers an error may show. An allow-list: a header nobody thought of stays out. */
export function shownHeaders(headers: Headers, redact: Redact): Record<string, string> {
  return Object.fromEntries(
    SHOWN_HEADERS.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, redact(value)]];
    }),
  );
}
