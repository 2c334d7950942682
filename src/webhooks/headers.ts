import { WebhookVerificationError } from "../errors/webhook.js";
import { isObject, isString, type Json } from "../shared/json.js";

/**
 * Headers in any form that servers use: `Headers`, or an object with names in any case whose values are strings (Node,
 * API Gateway) or arrays of strings (Node's `headersDistinct`, API Gateway's `multiValueHeaders`).
 */
export type HeadersInput = Headers | Readonly<Record<string, string | readonly string[] | null | undefined>>;

/** The three headers of a signed delivery. */
export interface WebhookHeaders {
  /** The delivery's id. */
  "webhook-id": string;
  /** Seconds since 1970. */
  "webhook-timestamp": string;
  /** `v1,` and the signature in base64. */
  "webhook-signature": string;
}

/** The three headers of a delivery, each present once and well-formed. */
export interface SignedHeaders {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** Every entry of the signature header that starts with `v1,`, unchanged. */
  readonly signatures: readonly string[];
}

/** A timestamp as the service writes it: decimal seconds. Thirteen digits would be milliseconds. */
export const TIMESTAMP = /^[1-9]\d{0,11}$/;

// Servers join the values of a repeated header with a comma. A single id or timestamp contains none; a signature has
// one after its version. Assumption W6.
const COMMA = /,/;
const JOINED_SIGNATURES = /,\s|,v1a?,/;

// A rotation sends two. Far more are an attempt to get more guesses or use up time.
const MAX_SIGNATURES = 32;
const MAX_SIGNATURE_HEADER = 64 * 1024;

/**
 * Reads and checks the three headers.
 *
 * @param toleranceSeconds how far the timestamp may be from now in either direction.
 * @throws {WebhookVerificationError} `missing_header`, `duplicate_header`, `ambiguous_id`, `bad_timestamp`, `too_old`,
 *   `too_new`, or `no_match` if the signature header contains no usable entry.
 */
export function readSignedHeaders(given: unknown, nowMs: number, toleranceSeconds: number): SignedHeaders {
  const headers = isObject(given) ? given : {};
  const id = readOne(headers, "webhook-id", COMMA);
  const timestamp = readOne(headers, "webhook-timestamp", COMMA);
  const header = readOne(headers, "webhook-signature", JOINED_SIGNATURES);
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
  if (header.length > MAX_SIGNATURE_HEADER) {
    throw new WebhookVerificationError(
      "no_match",
      "webhook-signature is far longer than any real one. Pass the header on unchanged.",
    );
  }
  const signatures: string[] = [];
  for (const entry of header.split(" ")) if (entry.startsWith("v1,")) signatures.push(entry);
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
  const seconds = Number(timestamp);
  checkAge(Math.floor(nowMs / 1000) - seconds, toleranceSeconds);
  return { id, timestamp: seconds, signatures };
}

/** The value of a header. The values of a repeated header are joined, as servers do. */
function readOne(headers: Json, name: keyof WebhookHeaders, joined: RegExp): string {
  const values: unknown[] = [];
  if (typeof headers["get"] === "function") values.push(headers["get"](name));
  else for (const key of Object.keys(headers)) if (key.toLowerCase() === name) values.push(headers[key]);
  const value = values.flat().filter(isString).join(", ");
  if (value === "") {
    throw new WebhookVerificationError(
      "missing_header",
      `${name} is missing. A delivery has webhook-id, webhook-timestamp and webhook-signature: pass all headers of the ` +
        "request, and don't let a proxy remove any.",
    );
  }
  if (joined.test(value)) {
    throw new WebhookVerificationError(
      "duplicate_header",
      `${name} came more than once. A delivery has it once: find what adds to it between the service and this receiver.`,
    );
  }
  return value;
}

const IN_TESTS = "In a test, pass the emulator's clock: now: () => emulator.clock.now().";

function checkAge(age: number, toleranceSeconds: number): void {
  if (age > toleranceSeconds) {
    throw new WebhookVerificationError(
      "too_old",
      `webhook-timestamp is ${age} s ago, and the tolerance is ${toleranceSeconds} s. Verify on receipt, not later from a queue, and check this machine's clock. ${IN_TESTS}`,
    );
  }
  if (-age > toleranceSeconds) {
    throw new WebhookVerificationError(
      "too_new",
      `webhook-timestamp is ${-age} s in the future, and the tolerance is ${toleranceSeconds} s. Check this machine's clock. ${IN_TESTS}`,
    );
  }
}
