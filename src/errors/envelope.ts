import { isObject, isString, type Json, readJson } from "../shared/json.js";

/** The fields of an error body in any of the service's shapes. Absent if the body doesn't have it. */
export interface ErrorEnvelope {
  readonly message: string | undefined;
  readonly code: number | string | undefined;
  readonly slug: string | undefined;
  readonly requestId: string | undefined;
  readonly suggestedFix: string | undefined;
  readonly errors: readonly string[];
  /** The parsed body, or its string if it isn't JSON, or `undefined` if it's empty. */
  readonly body: unknown;
}

const MAX_MESSAGE = 1_000;
const MAX_TEXT_BODY = 16_384;

/**
 * Parses an error body. Never throws: a status must not be lost because of an invalid body.
 *
 * The shapes: `{ error: {…} }` of the spec and its older forms, flat `{ message, code }`, the rate limiter's bare
 * `{ message }`, an empty object, a proxy's HTML, plain text, nothing.
 */
export function readEnvelope(text: string): ErrorEnvelope {
  const body = parse(text);
  const source = pickSource(body);
  const code = numberOrText(source["code"]) ?? numberOrText(source["error_code"]);
  return {
    message: typeof body === "string" ? messageFromText(body) : nonBlank(source["message"])?.slice(0, MAX_MESSAGE),
    code,
    // Some gateways put the name into `code` and send no slug.
    slug: nonBlank(source["slug"]) ?? (typeof code === "string" ? code : undefined),
    requestId: nonBlank(source["request_id"]),
    suggestedFix: nonBlank(source["suggested_fix"]) ?? nonBlank(source["suggestedFix"]),
    errors: Array.isArray(source["errors"]) ? source["errors"].filter(isString) : [],
    body: typeof body === "string" ? body.slice(0, MAX_TEXT_BODY) : body,
  };
}

function parse(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    const value = readJson(text);
    // A body that was encoded twice is a string that contains the real body.
    const body: unknown = typeof value === "string" && value.startsWith("{") ? readJson(value) : value;
    // If it's nested too deeply to be serialized again, logging the error would fail.
    JSON.stringify(body);
    return body;
  } catch {
    // Other content than JSON is expected: a proxy's HTML, plain text, a truncated body.
    return text;
  }
}

function pickSource(body: unknown): Json {
  if (!isObject(body)) return {};
  // Fields that the inner object omits may be next to it.
  if (isObject(body["error"])) return { ...body, ...body["error"] };
  // An error that is a string is the message, unless there is another.
  return { ...body, message: body["message"] ?? body["error"] };
}

function messageFromText(text: string): string | undefined {
  const looksLikeMarkup = /^\s*</.test(text);
  if (looksLikeMarkup) return "an HTML page instead of the API's JSON: something between you and the service responded";
  const line = text.trim().slice(0, 200);
  return line === "" ? undefined : line;
}

function nonBlank(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function numberOrText(value: unknown): number | string | undefined {
  return typeof value === "number" ? value : nonBlank(value);
}
