import { coreOf } from "./base64.js";
import { isString, parseJson } from "./json.js";
import { once } from "./once.js";
import { isSecretName } from "./secret-names.js";

/** Replaces every secret in a string. */
export type Redact = (text: string) => string;

/** Creates the function that hides these secrets in everything shown. */
export function redactor(secrets: Iterable<string>): Redact {
  // No header can have other characters, and a value of a URL that has them isn't a signature.
  const sent = [...secrets].filter((secret) => /^[\0-\xff]*$/.test(secret));
  // The longest first: one secret may be the beginning of another.
  const longestFirst = sent.flatMap(piecesOf).sort((a, b) => b.length - a.length);
  const redactions = longestFirst.map(redactionOf);
  return (text) => redactions.reduce((shown, redact) => redact(shown), text);
}

const PIECE = 128;

/** An engine rejects a pattern that is too large, and quotes it. No piece is so short that it's a word. */
function piecesOf(secret: string): string[] {
  if (secret.length < 2 * PIECE) return [secret];
  // Backslashes that follow belong to it: its pattern matches any number of them.
  const end = PIECE + (/^\\+/.exec(secret.slice(PIECE))?.[0].length ?? 0);
  return [secret.slice(0, end), ...piecesOf(secret.slice(end))];
}

/** Replaces a piece. Compiles its pattern, which takes milliseconds, only for a string that has the piece's start. */
function redactionOf(piece: string): Redact {
  const start = once(() => new RegExp(patternOf(piece.slice(0, 8)), "i"));
  const whole = once(() => new RegExp(patternOf(piece), "gi"));
  return (text) => (start().test(text) ? text.replace(whole(), "***") : text);
}

/** Hides more secrets. */
export function alsoHiding(redact: Redact, secrets: Iterable<string>): Redact {
  const hide = redactor(secrets);
  return (text) => hide(redact(text));
}

/** The values of headers whose names suggest secrets. Shorter values would blank out ordinary words. */
export function secretsIn(headers: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (!isSecretName(name)) return [];
    const [scheme, ...rest] = value.trim().split(" ");
    // `Bearer abc`: what follows the scheme is the secret, and may be echoed without it.
    const secret = rest.length > 0 && /^[a-z]+$/i.test(scheme ?? "") ? rest.join(" ") : value.trim();
    // `x-llm-gateway-headers` contains headers as JSON, whose secrets may be echoed alone.
    const inner = Object.entries(Object(parseJson(value))).filter((entry): entry is [string, string] =>
      isString(entry[1]),
    );
    return [...(secret.length >= 6 ? [secret] : []), ...secretsIn(Object.fromEntries(inner))];
  });
}

/** The source of a pattern, for the flags `gi`, that finds a value however it's encoded: written out, and in base64. */
function patternOf(value: string): string {
  const cores = value.length >= 6 ? [0, 1, 2].map((offset) => coreOf(value, offset)) : [];
  return [writtenOut(value), ...cores.map((core) => core.replace(/\+/g, "[-+]").replace(/\//g, "[_/]"))].join("|");
}

/**
 * The source of a pattern that finds ASCII text as it is or escaped, without base64. Backslashes double with each
 * encoding, so any number of them matches some.
 */
function writtenOut(secret: string): string {
  return [...secret.replace(/\\+/g, "\\")]
    .map((character, index, all) =>
      character === "\\" ? "(?:\\\\|%(?:25){0,3}5c){1,16}" : anyForm(character, all[index - 1] === "\\" ? 0 : 7),
    )
    .join("");
}

const NAMED: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" };

/**
 * A character as it is, behind backslashes, as `\\u0061` or `\\x61`, as `%61`, or as an HTML entity; JSON and
 * percent-encoding even if applied several times. The limits keep matching linear.
 *
 * @param most - How many backslashes: none after a backslash of the secret, whose pattern matches them all.
 */
function anyForm(character: string, most: number): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16).padStart(2, "0");
  const named = NAMED[character] ? `|&(?:amp;){0,2}${NAMED[character]};` : "";
  return `(?:\\\\{0,${most}}(?:\\x${hex}|u00${hex}|x${hex})|%(?:25){0,3}${hex}|&#(?:0{0,4}${code}|x0{0,4}${hex});?${named})`;
}
