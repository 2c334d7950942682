import { isObject } from "../../shared/json.js";
import type { RecordedMessage } from "./schema.js";

/** A header's value for the log. */
export function maskHeader(name: string, value: string): string {
  // The start of these says nothing about which credential it is.
  if (/authorization|cookie/.test(name)) return REDACTED;
  return isSecret(name) ? maskSecret(value) : maskUrls(value);
}

/** Names of fields and headers whose value is a credential. Headers for a gateway contain a model provider's key. */
const SECRET_NAME =
  /secret|password|passphrase|credential|authorization|cookie|signature|llm-gateway|(private|api|auth)[_-]?key|token$/i;

/** Names of objects whose values are all credentials. */
const SECRET_CONTAINER = /^(val|authConfig|(shared_)?credentials|(custom_)?connection_data|custom_auth_params)$/;

/** Fields in those objects that aren't credentials, and fields elsewhere whose names only look like one. */
const HARMLESS = /^(status|name|in|base_url|(next_?)?page_?token|token_type)$/i;

/**
 * A body for the log.
 *
 * @param type its media type.
 * @param secrets values to mask, whatever the name of their field.
 */
export function maskBody(text: string, type: string, secrets: Iterable<string>): string {
  if (text === "") return text;
  // The forms of the link page contain what users enter.
  if (type.includes("x-www-form-urlencoded")) return text.replace(/=[^&]*/g, `=${REDACTED}`);
  let masked = maskUrls(maskFields(text));
  for (const secret of secrets) if (secret !== "") masked = masked.replaceAll(secret, maskSecret(secret));
  return masked;
}

function maskFields(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    const masked = { any: false };
    const value = maskValue("", JSON.parse(text), false, masked);
    // Otherwise, it stays as it was sent.
    return masked.any ? JSON.stringify(value) : text;
  } catch {
    // Not JSON, or nested too deep. Which values are in an object of credentials isn't known then.
    const names = [...text.matchAll(/"([^"\\]*)"\s*:/g)].map(([, name = ""]) => name);
    const isAnySecret = names.some((name) => SECRET_CONTAINER.test(name));
    return text.replace(
      /"([^"\\]*)"(\s*:\s*)("(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*)/g,
      (part, name: string, colon: string) => (isAnySecret || isSecret(name) ? `"${name}"${colon}"${REDACTED}"` : part),
    );
  }
}

/** @param isInside whether an object around it contains credentials only. */
function maskValue(name: string, value: unknown, isInside: boolean, masked: { any: boolean }): unknown {
  if (typeof value === "string" || typeof value === "number") {
    if (value === "" || value === REDACTED || HARMLESS.test(name) || !(isInside || isSecret(name))) return value;
    masked.any = true;
    return maskSecret(value);
  }
  if (Array.isArray(value)) return value.map((item) => maskValue(name, item, isInside, masked));
  if (!isObject(value)) return value;
  const isContainer = isInside || SECRET_CONTAINER.test(name);
  // A header or parameter, as a pair of name and value.
  const isSecretPair = typeof value["name"] === "string" && isSecret(value["name"]);
  // Elsewhere, `data` is what a tool returned.
  const secretPart = isSecretPair ? "value" : name === "connection" ? "data" : undefined;
  const entries = Object.entries(value).map(([key, part]) => [
    key,
    maskValue(key, part, isContainer || key === secretPart, masked),
  ]);
  return Object.fromEntries(entries);
}

function isSecret(name: string): boolean {
  return SECRET_NAME.test(name) && !HARMLESS.test(name);
}

/** Query parameter that authorizes a signed URL. */
export const SIGNATURE_PARAMETER = "signature";

/** Hides the values of a query's parameters whose names are those of credentials. */
export function maskQuery(search: string): string {
  return search.replace(/([?&])([^=&]*)=([^&]*)/g, (part, mark: string, name: string) =>
    [...new URLSearchParams(name).keys()].some(isSecret) ? `${mark}${name}=${REDACTED}` : part,
  );
}

/** Hides the signatures of storage URLs and the passwords of URLs, because anyone who has them can use them. */
function maskUrls(text: string): string {
  return text
    .replace(/([?&]signature=)[^&\s"#\\]+/gi, `$1${REDACTED}`)
    .replace(/(https?:\/\/[^/\s:@"]*):[^/\s@"]+@/gi, `$1:${REDACTED}@`);
}

/** Replaces a value that is hidden entirely. */
export const REDACTED = "REDACTED";

/** The first four characters and three dots; shorter and other values are hidden entirely. */
export function maskSecret(value: unknown): string {
  return typeof value === "string" && value.length >= 4 ? `${value.slice(0, 4)}...` : REDACTED;
}

/**
 * Bodies of messages, noted when one is read or made: reading a copy of each for the log would cost more than many a
 * request.
 */
const bodies = new WeakMap<Request | Response, string | Uint8Array>();

/** Notes a message's body for the log, and returns the message. */
export function withBody<Message extends Request | Response>(message: Message, body: string | Uint8Array): Message {
  bodies.set(message, body);
  return message;
}

/** How many characters of a body are kept. */
export const KEPT_CHARACTERS = 16_384;

/**
 * Records a message.
 *
 * @param secrets values to mask, whatever the name of their field.
 */
export function record(original: Request | Response, secrets: readonly string[]) {
  // The message itself isn't kept, because it may have a large body.
  const { headers } = original;
  const noted = bodies.get(original) ?? "";
  const type = headers.get("content-type") ?? "";
  const text = textOf(noted, type);
  const isLong = text.length > KEPT_CHARACTERS;
  // Masking needs the whole body, so a long one is masked before it's cut.
  let body = isLong ? detached(maskBody(text, type, secrets).slice(0, KEPT_CHARACTERS)) : text;
  let isMasked = isLong;
  let bytes = isLong || typeof noted !== "string" ? byteLength(noted) : undefined;
  let shownHeaders: Readonly<Record<string, string>> | undefined;
  /** Its fields are computed when they're first read, which for most requests is never. */
  const message: RecordedMessage = {
    get headers() {
      shownHeaders ??= Object.fromEntries([...headers].map(([name, value]) => [name, maskHeader(name, value)]));
      return shownHeaders;
    },
    get body() {
      bytes ??= byteLength(body);
      if (!isMasked) body = maskBody(body, type, secrets);
      isMasked = true;
      return body;
    },
    get bytes() {
      bytes ??= byteLength(body);
      return bytes;
    },
  };
  return {
    message,
    /** The start of its body as sent, to compare it with others. */
    sent: body,
    /** Characters of its body that are kept. */
    characters: body.length,
    /** Forgets the body. */
    drop: () => {
      bytes ??= byteLength(body);
      body = "";
      isMasked = true;
    },
  };
}

/** A message for the log. */
export type Recording = ReturnType<typeof record>;

const TEXT = /^text\/|json|x-www-form-urlencoded|xml/;

/** A body as text; empty for the bytes of a file. */
function textOf(noted: string | Uint8Array, type: string): string {
  if (typeof noted === "string") return noted;
  return TEXT.test(type) || type === "" ? new TextDecoder().decode(noted) : "";
}

/** A copy, because a slice keeps the whole string in memory. */
function detached(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}

function byteLength(body: string | Uint8Array): number {
  return typeof body === "string" ? new TextEncoder().encode(body).length : body.length;
}
