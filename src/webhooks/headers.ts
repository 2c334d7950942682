import { WebhookVerificationError } from "../errors/webhook.js";
import { isObject, isText } from "../json.js";

/**
 * Headers in any of the forms that servers hand out: `Headers`, or a record with names in any case whose values are texts
 * (Node, API Gateway) or lists of them (Node's `headersDistinct`, API Gateway's `multiValueHeaders`).
 */
export type HeadersInput = Headers | Readonly<Record<string, string | readonly string[] | null | undefined>>;

/** The three headers of a delivery, each present once and well formed. */
export interface SignedHeaders {
  readonly id: string;
  /** Seconds since 1970, exactly as signed. */
  readonly timestamp: string;
  /** Every entry of the signature header that begins with `v1,`, as it stands there. */
  readonly signatures: readonly string[];
}

/** A timestamp as the service writes it: decimal seconds. Thirteen digits would be milliseconds. */
export const TIMESTAMP = /^[1-9]\d{0,11}$/;

// During a rotation there are two. What is far above that is somebody buying guesses or time.
const MAX_SIGNATURES = 32;
const MAX_SIGNATURE_HEADER = 64 * 1024;

/**
 * Reads the three headers.
 *
 * @throws {WebhookVerificationError} `missing_header`, `duplicate_header`, `ambiguous_id`, `bad_timestamp`, or `no_match`
 * when the signature header holds no usable entry.
 */
export function readSignedHeaders(headers: unknown): SignedHeaders {
  const id = readOne(headers, "webhook-id");
  const timestamp = readOne(headers, "webhook-timestamp");
  const signature = readOne(headers, "webhook-signature");
  if (id.includes(".")) {
    throw new WebhookVerificationError(
      "ambiguous_id",
      "webhook-id holds a full stop, which separates the signed parts, so the signature could be moved to another body. The service sends no such id.",
    );
  }
  if (!TIMESTAMP.test(timestamp)) {
    throw new WebhookVerificationError(
      "bad_timestamp",
      "webhook-timestamp is not a whole number of seconds since 1970. Pass the header on unchanged.",
    );
  }
  return { id, timestamp, signatures: readSignatures(signature) };
}

function readSignatures(header: string): string[] {
  if (header.length > MAX_SIGNATURE_HEADER) {
    throw new WebhookVerificationError("no_match", "webhook-signature is far longer than any real one.");
  }
  const signatures = header.split(" ").filter((entry) => entry.startsWith("v1,"));
  if (signatures.length === 0) {
    throw new WebhookVerificationError(
      "no_match",
      'webhook-signature holds no entry of the form "v1,<base64>". Pass the header on unchanged.',
    );
  }
  if (signatures.length > MAX_SIGNATURES) {
    throw new WebhookVerificationError(
      "no_match",
      `webhook-signature holds ${signatures.length} signatures; more than ${MAX_SIGNATURES} are not looked at.`,
    );
  }
  return signatures;
}

function readOne(headers: unknown, name: string): string {
  const value = lookUp(headers, name);
  if (!value) {
    throw new WebhookVerificationError(
      "missing_header",
      `${name} is missing. A delivery carries webhook-id, webhook-timestamp and webhook-signature: pass all headers of the ` +
        "request, and let no proxy remove them.",
    );
  }
  if (isJoined(value, name)) {
    throw new WebhookVerificationError(
      "duplicate_header",
      `${name} came more than once. A delivery carries it once: something between the service and this receiver adds to it.`,
    );
  }
  return value;
}

// Servers that find a header twice join the values with a comma. No single id or timestamp has one; a signature has one
// after its version. See assumption W6.
function isJoined(value: string, name: string): boolean {
  return name === "webhook-signature" ? /,\s|,v1a?,/.test(value) : value.includes(",");
}

/** The value of a header. One that is there more than once is joined as servers do it. */
function lookUp(headers: unknown, name: string): string | undefined {
  if (!isObject(headers)) return undefined;
  if (typeof headers["get"] === "function") return textIn(headers["get"](name));
  let found: string | undefined;
  for (const key of Object.keys(headers)) {
    if (key.length !== name.length || key.toLowerCase() !== name) continue;
    const text = textIn(headers[key]);
    if (text !== undefined) found = found === undefined ? text : `${found}, ${text}`;
  }
  return found;
}

function textIn(value: unknown): string | undefined {
  return Array.isArray(value) ? value.filter(isText).join(", ") : isText(value) ? value : undefined;
}
