import { WebhookVerificationError } from "../errors/webhook.js";
import { isObject, isString } from "../shared/json.js";

/**
 * Headers in any form that servers use: `Headers`, or an object with names in any case whose values are strings (Node,
 * API Gateway) or arrays of strings (Node's `headersDistinct`, API Gateway's `multiValueHeaders`).
 */
export type HeadersInput = Headers | Readonly<Record<string, string | readonly string[] | null | undefined>>;

/** The three headers of a delivery, each present once and well-formed. */
export interface SignedHeaders {
  readonly id: string;
  /** Seconds since 1970, exactly as signed. */
  readonly timestamp: string;
  /** Every entry of the signature header that starts with `v1,`, unchanged. */
  readonly signatures: readonly string[];
}

/** A timestamp as the service writes it: decimal seconds. Thirteen digits would be milliseconds. */
export const TIMESTAMP = /^[1-9]\d{0,11}$/;

// A rotation sends two. Far more are an attempt to get more guesses or use up time.
const MAX_SIGNATURES = 32;
const MAX_SIGNATURE_HEADER = 64 * 1024;

/**
 * Reads the three headers.
 *
 * @throws {WebhookVerificationError} `missing_header`, `duplicate_header`, `ambiguous_id`, `bad_timestamp`, or
 *   `no_match` if the signature header contains no usable entry.
 */
export function readSignedHeaders(headers: unknown): SignedHeaders {
  const id = readOne(headers, "webhook-id");
  const timestamp = readOne(headers, "webhook-timestamp");
  const signature = readOne(headers, "webhook-signature");
  if (id.includes(".")) {
    throw new WebhookVerificationError(
      "ambiguous_id",
      "webhook-id contains a period, which separates the signed parts, so the signature could be moved to another body. The service sends no such id.",
    );
  }
  if (!TIMESTAMP.test(timestamp)) {
    throw new WebhookVerificationError(
      "bad_timestamp",
      "webhook-timestamp isn't an integer number of seconds since 1970. Pass the header on unchanged.",
    );
  }
  return { id, timestamp, signatures: readSignatures(signature) };
}

function readSignatures(header: string): string[] {
  if (header.length > MAX_SIGNATURE_HEADER) {
    throw new WebhookVerificationError(
      "no_match",
      "webhook-signature is far longer than any real one. Pass the header on unchanged.",
    );
  }
  const signatures = header.split(" ").filter((entry) => entry.startsWith("v1,"));
  if (signatures.length === 0) {
    throw new WebhookVerificationError(
      "no_match",
      'webhook-signature contains no entry of the form "v1,<base64>". Pass the header on unchanged.',
    );
  }
  if (signatures.length > MAX_SIGNATURES) {
    throw new WebhookVerificationError(
      "no_match",
      `webhook-signature contains ${signatures.length} signatures. At most ${MAX_SIGNATURES} are accepted.`,
    );
  }
  return signatures;
}

function readOne(headers: unknown, name: string): string {
  const value = headerValue(headers, name);
  if (!value) {
    throw new WebhookVerificationError(
      "missing_header",
      `${name} is missing. A delivery has webhook-id, webhook-timestamp and webhook-signature: pass all headers of the ` +
        "request, and don't let a proxy remove any.",
    );
  }
  if (isJoined(value, name)) {
    throw new WebhookVerificationError(
      "duplicate_header",
      `${name} came more than once. A delivery has it once: find what adds to it between the service and this receiver.`,
    );
  }
  return value;
}

// Servers join the values of a repeated header with a comma. A single id or timestamp contains none; a signature has
// one after its version. Assumption W6.
function isJoined(value: string, name: string): boolean {
  return name === "webhook-signature" ? /,\s|,v1a?,/.test(value) : value.includes(",");
}

/** The value of a header. The values of a repeated header are joined, as servers do. */
function headerValue(headers: unknown, name: string): string | undefined {
  if (!isObject(headers)) return undefined;
  if (typeof headers["get"] === "function") return stringOf(headers["get"](name));
  let found: string | undefined;
  for (const key of Object.keys(headers)) {
    if (key.length !== name.length || key.toLowerCase() !== name) continue;
    const text = stringOf(headers[key]);
    if (text !== undefined) found = found === undefined ? text : `${found}, ${text}`;
  }
  return found;
}

function stringOf(value: unknown): string | undefined {
  return Array.isArray(value) ? value.filter(isString).join(", ") : isString(value) ? value : undefined;
}
