import { coreOf, dependentBefore } from "../../shared/base64.js";

/** A character of base64 in either alphabet, as it is or percent-encoded. */
const CHARACTER = "(?:[\\w+/-]|%2[bBfF])";

/** Base64 as a cassette contains it if a value in it was replaced: its form, and its bytes with the pseudonym. */
const PIECE = /^scrubbed-base64(url)?(-unpadded)?(-escaped)?\(([\w.~-]*)\)$/;

/** The source of a pattern without groups that finds such base64. */
export const SCRUBBED_BASE64 = "scrubbed-base64(?:url)?(?:-unpadded)?(?:-escaped)?\\([\\w.~-]*\\)";

/** How bytes are written in base64. */
interface Form {
  /** Whether it's base64url. */
  readonly isUrl: boolean;
  readonly isPadded: boolean;
  /** Whether it's percent-encoded. */
  readonly isEscaped: boolean;
}

/** The parts of a value's base64 that don't depend on the bytes around it, for each of its three offsets. */
export function coresOf(value: string): string[] {
  const bytes = Buffer.from(value).toString("latin1");
  return [0, 1, 2].map((offset) => coreOf(bytes, offset));
}

/** The source of a pattern that finds base64 with a value in it, from the value's group of characters to the end. */
export function base64Forms(value: string): string {
  const forms = coresOf(value).map((core, offset) => {
    const characters = core.replace(/\+/g, "(?:[-+]|%2[bB])").replace(/\//g, "(?:[_/]|%2[fF])");
    return `${CHARACTER}{${dependentBefore(offset)}}${characters}`;
  });
  return `(?:${forms.join("|")})${CHARACTER}*(?:=|%3[dD]){0,2}`;
}

/** Replaces the values in base64 that {@link base64Forms} found, and returns it with the text after it. */
export function scrubFound(
  found: string,
  replace: (bytes: string) => string,
): { readonly piece: string; readonly rest: string } {
  const holders = endsOf(found).filter((end) => isExact(end) && scrubBase64(end, replace) !== end);
  const base64 = holders.find(isText) ?? holders[0] ?? found;
  return { piece: scrubBase64(base64, replace), rest: found.slice(base64.length) };
}

/** Where base64 may end: a slash may be the next part of a path, and other marks may separate words. */
function endsOf(found: string): string[] {
  const parts = found.split(/(?=\/|%2f)/i);
  const paths = [0, 1, 2, 3].map((cut) => parts.slice(0, Math.max(1, parts.length - cut)).join(""));
  const words = [parts[0], /^[a-z\d]*/i.exec(found)?.[0]].flatMap((word) => word ?? []);
  return [...paths, ...words, found.slice(0, found.length - (found.length % 4))];
}

/** Replaces values in the bytes of base64. */
export function scrubBase64(base64: string, replace: (bytes: string) => string): string {
  const bytes = bytesOf(base64);
  const scrubbed = replace(bytes);
  if (scrubbed === bytes) return base64;
  const { isUrl, isPadded, isEscaped } = formOf(base64);
  const form = (isUrl ? "url" : "") + (isPadded ? "" : "-unpadded") + (isEscaped ? "-escaped" : "");
  const content = scrubbed.replace(/[^\w.-]/g, (byte) => `~${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return `scrubbed-base64${form}(${content})`;
}

/** The bytes in base64 of a cassette, with pseudonyms; `undefined` for any other text. */
export function scrubbedBytes(piece: string): string | undefined {
  return PIECE.exec(piece)?.[4]?.replace(/~([\da-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Base64 of a cassette, with other bytes. */
export function restoreBase64(piece: string, bytes: string): string {
  const [, url, unpadded, escaped] = PIECE.exec(piece) ?? [];
  return toBase64(bytes, { isUrl: Boolean(url), isPadded: !unpadded, isEscaped: Boolean(escaped) });
}

/** The bytes of base64 in any form, as Latin-1. A plus sign may have become a space in a query. */
export function bytesOf(base64: string): string {
  return Buffer.from(unescaped(base64).replaceAll(" ", "+"), "base64").toString("latin1");
}

function unescaped(base64: string): string {
  return base64.replace(/%(2[bf]|3d)/gi, (code) => decodeURIComponent(code));
}

/** The form that base64 shows; otherwise, the usual one. */
function formOf(base64: string): Form {
  const characters = unescaped(base64);
  const isWhole = characters.length % 4 === 0;
  const isUrl = /[-_]/.test(characters) || (!isWhole && !/[+/]/.test(characters));
  const isPadded = characters.endsWith("=") || (isWhole && !isUrl);
  return { isUrl, isPadded, isEscaped: characters !== base64 };
}

function toBase64(bytes: string, { isUrl, isPadded, isEscaped }: Form): string {
  const padded = Buffer.from(bytes, "latin1").toString("base64");
  const characters = isPadded ? padded : padded.replace(/=+$/, "");
  const base64 = isUrl ? characters.replaceAll("+", "-").replaceAll("/", "_") : characters;
  return isEscaped ? encodeURIComponent(base64) : base64;
}

/** Whether its bytes are written the same way again. */
function isExact(base64: string): boolean {
  return toBase64(bytesOf(base64), formOf(base64)) === base64;
}

/** Whether it's the base64 of text, which may start within a character. */
function isText(base64: string): boolean {
  const bytes = bytesOf(base64).replace(/^[\x80-\xbf]{1,2}/, "");
  return Buffer.from(Buffer.from(bytes, "latin1").toString()).toString("latin1") === bytes;
}
