import { isObject, type Json } from "../json.js";

/** What an error body says, whichever of the service's shapes it has. Absent means the body did not say it. */
export interface ErrorEnvelope {
  readonly message: string | undefined;
  readonly code: number | string | undefined;
  readonly slug: string | undefined;
  readonly requestId: string | undefined;
  readonly suggestedFix: string | undefined;
  readonly errors: readonly string[];
  /** The parsed body, or its text where it is not JSON, or `undefined` where there is none. */
  readonly body: unknown;
}

const MAX_MESSAGE = 1_000;
const MAX_TEXT_BODY = 16_384;

/**
 * Reads an error body. Cannot throw: a status must never be lost because a body is odd.
 *
 * The shapes: `{ error: {…} }` of the spec and its older forms, flat `{ message, code }`, the rate limiter's bare
 * `{ message }`, an empty object, HTML of a proxy in between, plain text, nothing.
 */
export function readEnvelope(text: string): ErrorEnvelope {
  const body = parse(text);
  const source = pickSource(body);
  if (source === undefined) {
    return {
      message: typeof body === "string" ? messageFromText(body) : undefined,
      code: undefined,
      slug: undefined,
      requestId: undefined,
      suggestedFix: undefined,
      errors: [],
      body: typeof body === "string" ? body.slice(0, MAX_TEXT_BODY) : body,
    };
  }
  const code = numberOrText(source["code"]) ?? numberOrText(source["error_code"]);
  // Some gates put their name into `code` and send no slug.
  const slug = nonBlank(source["slug"]) ?? (typeof code === "string" ? code : undefined);
  return {
    message: nonBlank(source["message"])?.slice(0, MAX_MESSAGE),
    code,
    slug,
    requestId: nonBlank(source["request_id"]),
    suggestedFix: nonBlank(source["suggested_fix"]) ?? nonBlank(source["suggestedFix"]),
    errors: Array.isArray(source["errors"]) ? source["errors"].filter((entry) => typeof entry === "string") : [],
    body,
  };
}

function parse(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    // A body that was encoded twice is a text that holds the real body.
    const body: unknown = typeof value === "string" && value.startsWith("{") ? JSON.parse(value) : value;
    // Nested so deeply that it cannot be written again, it would break whoever logs the error.
    JSON.stringify(body);
    return body;
  } catch {
    // Not JSON is one of the shapes, not a failure: HTML of a proxy, plain text, a truncated body.
    return text;
  }
}

function pickSource(body: unknown): Json | undefined {
  if (!isObject(body)) return undefined;
  // What the inner object leaves out may stand beside it.
  if (isObject(body["error"])) return { ...body, ...body["error"] };
  // An error that is a text is the message, where there is no other.
  return { ...body, message: body["message"] ?? body["error"] };
}

function messageFromText(text: string): string | undefined {
  const looksLikeMarkup = /^\s*</.test(text);
  if (looksLikeMarkup) return "an HTML page instead of the API's JSON: something between you and the service answered";
  const line = text.trim().slice(0, 200);
  return line === "" ? undefined : line;
}

function nonBlank(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function numberOrText(value: unknown): number | string | undefined {
  return typeof value === "number" ? value : nonBlank(value);
}
