import { REDACTED } from "../../shared/control-plane.js";
import { readJson } from "../../shared/json.js";
import { holdsSecrets, isSecretName, replaceInUrls, replaceSecrets } from "../../shared/secret-names.js";

/** A header's value for the log. */
export function maskHeader(name: string, value: string): string {
  // The start of these says nothing about which credential it is.
  if (/authorization|cookie/.test(name)) return REDACTED;
  return isSecretName(name) ? maskSecret(value) : replaceInUrls(value, REDACTED);
}

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
  return maskString(maskFields(text), secrets);
}

/** A string for the log, without the secrets in its URLs and these ones. */
export function maskString(text: string, secrets: Iterable<string>): string {
  let masked = replaceInUrls(text, REDACTED);
  for (const secret of secrets) if (secret !== "") masked = masked.replaceAll(secret, maskSecret(secret));
  return masked;
}

function maskFields(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    let isAny = false;
    const value = replaceSecrets(readJson(text), (secret) => {
      // By a response, or by a request that was copied from the log.
      const isMasked = secret === REDACTED || /^.{4}\.{3}$/.test(String(secret));
      isAny ||= !isMasked;
      return isMasked ? secret : maskSecret(secret);
    });
    // Otherwise, it stays as it was sent.
    return isAny ? JSON.stringify(value) : text;
  } catch {
    // Not JSON, or nested too deep. Which values are in an object of credentials isn't known then.
    const names = [...text.matchAll(/"([^"\\]*)"\s*:/g)].map(([, name = ""]) => name);
    const isAnySecret = names.some(holdsSecrets);
    return text.replace(
      /"([^"\\]*)"(\s*:\s*)("(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*)/g,
      (part, name: string, colon: string) =>
        isAnySecret || isSecretName(name) ? `"${name}"${colon}"${REDACTED}"` : part,
    );
  }
}

/** The first four characters and three dots. Up to eight, four would show too much: such values are hidden entirely. */
export function maskSecret(value: unknown): string {
  return startOrNothing(value, 9);
}

/** A secret as the service's responses show it: it hides only values of less than four characters entirely. */
export function maskAsService(value: unknown): string {
  return startOrNothing(value, 4);
}

function startOrNothing(value: unknown, leastLength: number): string {
  return typeof value === "string" && value.length >= leastLength ? `${value.slice(0, 4)}...` : REDACTED;
}
