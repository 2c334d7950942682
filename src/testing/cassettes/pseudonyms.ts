import { writtenOut } from "../../shared/redact.js";
import { base64Forms, coresOf, SCRUBBED_BASE64, scrubFound } from "./base64.js";

/**
 * The replacements of values, numbered in order of appearance: `scrubbed-user-1`, `scrubbed-secret-2`. An underscore
 * separates one from a digit or an underscore that follows it.
 */
export const PSEUDONYM = /scrubbed-(?:user|secret)-\d+(?:_(?=[\d_]))?/g;

/** The replacements of values before the file is written. They end with an underscore. */
const REPLACED = new RegExp(`${SCRUBBED_BASE64}|scrubbed-[\\da-f]{8}-(?:user|secret)-\\d+_`, "g");

/** How the service shows credentials in responses. */
const MASKED = /^(.{4}\.\.\.|REDACTED)$/s;

/** A value that is replaced wherever it occurs, with what a haystack is searched for. */
export interface Needle {
  readonly value: string;
  readonly mark: string;
  readonly plain: readonly string[];
  readonly base64: readonly string[];
}

/** The values found so far, each with its mark: a pseudonym that isn't numbered yet. */
export class Pseudonyms {
  /** No recorded text contains it by chance. */
  readonly #nonce = crypto.randomUUID().slice(0, 8);
  readonly #mark = new RegExp(`scrubbed-${this.#nonce}-(user|secret)-\\d+_(?=([\\d_])?)`, "g");
  readonly #byValue = new Map<string, string>();
  readonly #anywhere = new Map<string, Needle>();

  /** Values that are replaced wherever they occur, oldest first. */
  get needles(): readonly Needle[] {
    return [...this.#anywhere.values()];
  }

  /** The mark of a value at a place that says what it is. */
  at(kind: "user" | "secret", value: string): string {
    // Masked by the service, or replaced before.
    if (MASKED.test(value) || value.replace(REPLACED, "") === "") return value;
    const key = `${kind} ${value}`;
    const known = this.#byValue.get(key);
    if (known !== undefined) return known;
    const mark = `scrubbed-${this.#nonce}-${kind}-${this.#byValue.size}_`;
    this.#byValue.set(key, mark);
    if (isTelling(kind, value) && !this.#anywhere.has(value)) this.#anywhere.set(value, needleOf(value, mark));
    return mark;
  }

  /** Numbers the marks in a file in order of appearance. */
  numbered(text: string): string {
    const numbers = new Map<string, number>();
    const counts = { user: 0, secret: 0 };
    return text.replace(this.#mark, (mark, kind: "user" | "secret", next: string | undefined) => {
      const number = numbers.get(mark) ?? ++counts[kind];
      numbers.set(mark, number);
      return `scrubbed-${kind}-${number}${next === undefined ? "" : "_"}`;
    });
  }
}

/** A function that replaces values, however they are encoded. Those that it replaced before stay. */
export function replacing(needles: readonly Needle[]): (text: string) => string {
  if (needles.length === 0) return (text) => text;
  // The longest first: one value may be the beginning of another.
  const order = [...needles].sort((one, other) => other.value.length - one.value.length);
  const written = new RegExp([REPLACED.source, ...order.map(({ value }) => `(${formsOf(value)})`)].join("|"), "gi");
  const base64 = new RegExp([REPLACED.source, ...order.map(({ value }) => base64Forms(value))].join("|"), "g");
  const replaceWritten = (text: string) =>
    text.replace(written, (match: string, ...groups: unknown[]) => {
      const found = groups.findIndex((group) => typeof group === "string");
      return order[found]?.mark ?? match;
    });
  const replaceBase64 = (text: string): string =>
    text.replace(base64, (match) => {
      if (match.startsWith("scrubbed-")) return match;
      const { piece, rest } = scrubFound(match, replaceWritten);
      return piece + replaceBase64(rest);
    });
  return (text) => replaceWritten(replaceBase64(text));
}

function needleOf(value: string, mark: string): Needle {
  const latin1 = Buffer.from(value).toString("latin1").toLowerCase();
  return { value, mark, plain: [plain(value), latin1], base64: coresOf(value) };
}

/** Whether a value is replaced wherever it occurs. Short values and plain words would blank out others. */
function isTelling(kind: "user" | "secret", value: string): boolean {
  if (kind === "user") return value.length >= 4 && !/^[a-z]+$/i.test(value);
  return value.length >= 6 && !/^https?:\/\/[^/]*\/?$/.test(value);
}

/** The source of a pattern that finds a value however it's encoded, except in base64. */
function formsOf(value: string): string {
  const parts = value.match(/[\0-\x7f]+|[^\0-\x7f]/gu) ?? [];
  return parts.map((part) => (/[^\0-\x7f]/.test(part) ? anyForm(part) : writtenOut(part))).join("");
}

/**
 * A character beyond ASCII as it is, as `\\u00e9`, as percent-encoded UTF-8, as an HTML entity, or as UTF-8 that was
 * read as Latin-1. As with ASCII, the first two encodings may have been applied several times.
 */
function anyForm(character: string): string {
  const bytes = Buffer.from(character);
  const hexOf = (code: number, digits: number) => code.toString(16).padStart(digits, "0");
  const units = [...character.split("")].map((unit) => `\\\\{1,8}u${hexOf(unit.charCodeAt(0), 4)}`).join("");
  const percent = [...bytes].map((byte) => `%(?:25){0,3}${hexOf(byte, 2)}`).join("");
  const code = character.codePointAt(0) ?? 0;
  const entity = `&(?:amp;){0,2}#(?:0{0,4}${code}|x0{0,4}${code.toString(16)});?`;
  return `(?:\\\\{0,7}${character}|${units}|${percent}|${entity}|${bytes.toString("latin1")})`;
}

/** Content in which values can be found quickly. Patterns of thousands of values would take seconds. */
export class Haystack {
  readonly #decoded: string;
  readonly #base64: string;

  constructor(text: string) {
    this.#decoded = plain(text);
    this.#base64 = text.replace(/-|%2b/gi, "+").replace(/_|%2f/gi, "/");
  }

  /** Whether a value may be in it. False only if it isn't, in no encoding. */
  mayContain({ plain: forms, base64 }: Needle): boolean {
    return forms.some((form) => this.#decoded.includes(form)) || base64.some((core) => this.#base64.includes(core));
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** A text without escapes, decoded as often as it was encoded, in lowercase. */
export function plain(text: string): string {
  let decoded = text.toLowerCase();
  for (let before = ""; before !== decoded; ) {
    before = decoded;
    decoded = decoded
      .replace(/(?:%[0-9a-f]{2})+/g, (escapes) => decoder.decode(Buffer.from(escapes.replaceAll("%", ""), "hex")))
      .replace(/\\*(?:u([0-9a-f]{4})|x([0-9a-f]{2}))/g, (all, four?: string, two?: string) =>
        all.startsWith("\\") ? String.fromCharCode(Number.parseInt(four ?? two ?? "", 16)) : all,
      )
      .replace(
        /&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|(amp|lt|gt|quot|apos));?/g,
        (all, code?: string, hex?: string, name?: string) => {
          if (name !== undefined) return ENTITIES[name] ?? all;
          return String.fromCharCode(code === undefined ? Number.parseInt(hex ?? "", 16) : Number(code));
        },
      )
      .toLowerCase();
  }
  // A line break may be an escape, too.
  return decoded.replace(/\\+[nrt]|[\n\r\t]/g, "").replaceAll("\\", "");
}

const decoder = new TextDecoder();
