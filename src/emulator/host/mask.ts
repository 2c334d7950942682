import { CREDENTIALS } from "../../core/endpoint.js";
import { isObject } from "../../shared/json.js";

/** Headers whose value is a credential. */
const SECRET_HEADERS = new Set([
  ...Object.values(CREDENTIALS).map(({ header }) => header.toLowerCase()),
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
]);

/** A header's value for the log. */
export function maskHeader(name: string, value: string): string {
  if (!SECRET_HEADERS.has(name)) return isSecret(name) ? maskSecret(value) : maskUrls(value);
  return name.startsWith("x-") ? maskSecret(value) : REDACTED;
}

/** Names of fields whose value is a credential. */
const SECRET_NAME =
  /secret|password|passphrase|credential|authorization|cookie|signature|private[_-]?key|api[_-]?key|token$/i;

/** Names of objects whose values are all credentials. */
const SECRET_CONTAINER =
  /^(val|credentials|shared_credentials|connection_data|custom_connection_data|custom_auth_params)$/;

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
  const entries = Object.entries(value).map(([key, part]) => [
    key,
    maskValue(key, part, isContainer || (isSecretPair && key === "value"), masked),
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
