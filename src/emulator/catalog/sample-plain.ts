import type { Work } from "../../arguments/checking.js";
import { type Part, parsePattern } from "../../arguments/pattern-syntax.js";
import type { Json } from "../../shared/json.js";
import type { Shape } from "./sample-shape.js";

type Random = () => number;

/** How a string is made. */
export interface TextOptions {
  readonly random: Random;
  /** Bounds and repetitions can ask for any length. */
  readonly work: Work;
  /** Whether a string matches a pattern. */
  readonly matches: (pattern: string, text: string) => boolean;
  /** Name of the property it's for. */
  readonly name: string;
  /** Later attempts try other ways. */
  readonly attempt: number;
}

/** A string that matches a shape's format, patterns, and length, as far as they go together. */
export function sampleText(shape: Shape, options: TextOptions): string {
  const { patterns, format, minLength, maxLength } = shape;
  const least = typeof minLength === "number" ? minLength : 0;
  const most = typeof maxLength === "number" ? maxLength : Number.POSITIVE_INFINITY;
  options.work.spend(least);
  const matchesAll = (text: string) => patterns.every((source) => options.matches(source, text));
  const [pattern = "", ...others] = patterns;
  const make = typeof format === "string" && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (patterns.length > 0) {
    const formatted = make ? [make(options.random)] : [];
    const candidates = [...formatted, plainText(options)].map((text) => fitted(text, least, most));
    const fitting = candidates.find((text) => isInRange(text, least, most) && matchesAll(text));
    if (fitting !== undefined && options.attempt % 3 !== 2) return fitting;
    for (let tries = 0; tries < 30; tries += 1) {
      const chosen = [pattern, ...others][tries % patterns.length] ?? pattern;
      const text = matching(chosen, { ...options, mostExtra: tries < 10 ? tries % 4 : least, isVaried: tries >= 10 });
      if (isInRange(text, least, most) && matchesAll(text)) return text;
    }
    return matching(pattern, { ...options, mostExtra: 0, isVaried: false });
  }
  if (make) return lengthened(make(options.random), least);
  return fitted(plainText(options), least, most);
}

function isInRange({ length }: string, least: number, most: number): boolean {
  return length >= least && length <= most;
}

function fitted(text: string, least: number, most: number): string {
  const long =
    text.length >= least ? text : text + ` ${FILLER}`.repeat(Math.ceil((least - text.length) / FILLER.length));
  return long.length <= most ? long : long.slice(0, Math.max(least, Math.min(most, long.length)));
}

const FILLER = "sample";

/** Lengthens a formatted string at a place where its format allows letters. */
function lengthened(text: string, least: number): string {
  const missing = "a".repeat(Math.max(least - text.length, 0));
  if (text.includes("://")) return `${text}${missing}`;
  return /^[^@]+@/.test(text) ? `${missing}${text}` : text;
}

const digits = (count: number, random: Random, alphabet = "0123456789abcdef") =>
  Array.from({ length: count }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join("");

const dayOf = (random: Random) => new Date(Date.UTC(2026, 0, 1 + Math.floor(random() * 300))).toISOString();

const email = (random: Random) => `sample.${digits(4, random)}@example.com`;

const hostname = (random: Random) => `host-${digits(4, random)}.example.com`;

const path = (random: Random) => `/sample/${digits(6, random)}`;

const url = (random: Random) => `https://example.com${path(random)}`;

/** Examples of formats. Domains and IPs are reserved for documentation (RFC 2606, 5737, 3849). */
const FORMATS: Readonly<Record<string, (random: Random) => string>> = {
  date: (random) => dayOf(random).slice(0, 10),
  time: (random) => `${dayOf(random).slice(11, 19)}Z`,
  "date-time": (random) => dayOf(random).replace(".000", ""),
  duration: (random) => `PT${1 + Math.floor(random() * 59)}M`,
  ...{ email, "idn-email": email, hostname, "idn-hostname": hostname },
  ipv4: (random) => `192.0.2.${1 + Math.floor(random() * 250)}`,
  ipv6: (random) => `2001:db8::${digits(3, random, "123456789abcdef")}`,
  ...{ uri: url, url, iri: url, "uri-reference": path, "iri-reference": path },
  "uri-template": () => "https://example.com/{id}",
  uuid: (random) =>
    `${digits(8, random)}-${digits(4, random)}-4${digits(3, random)}-a${digits(3, random)}-${digits(12, random)}`,
  "json-pointer": () => "/sample",
  "relative-json-pointer": () => "0/sample",
  regex: () => "^sample$",
  byte: (random) => btoa(`sample ${digits(4, random)}`),
};

/** Usual contents of properties with such names. */
const NAMED: readonly (readonly [RegExp, (random: Random) => string])[] = [
  [/email/i, email],
  [/(^|_)(ur[il]|href|link)$|Ur[il]$|_url/i, url],
  [/(_at|At|date|time|timestamp)$/, dayOf],
  [/(^|_)(id|sha|key|hash|cursor|token)$|Id$/, (random) => `sample_${digits(8, random)}`],
];

function plainText({ name, random }: TextOptions): string {
  const [, make] = NAMED.find(([names]) => names.test(name)) ?? [];
  if (make) return make(random);
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[^a-zA-Z]+/g, " ")
    .trim()
    .toLowerCase();
  return `Sample ${words === "" ? "text" : words} ${1 + Math.floor(random() * 99)}`;
}

/** Characters to choose from, likely ones first. */
const POOLS = [
  "abcdefghijklmnopqrstuvwxyz",
  "0123456789",
  "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  `-_./:@#+=, !$%&*()?'"<>[]{}|\\^~\`;`,
  "äéßñçλжקم中あ한€\t\n\r",
];

/** How a string is made from a pattern. */
interface Matching extends Pick<TextOptions, "random" | "work"> {
  /** How many more repetitions than necessary there may be. */
  readonly mostExtra: number;
  /** Whether a class of characters shows all its kinds, as lookaheads may require, or only the likeliest. */
  readonly isVaried: boolean;
}

/**
 * A string that matches a pattern. Lookarounds and word boundaries are ignored; the caller checks the string.
 *
 * @throws {Error} for a pattern that JavaScript doesn't support.
 */
function matching(pattern: string, { random, work, mostExtra, isVaried }: Matching): string {
  const write = (part: Part): string => {
    switch (part.kind) {
      case "character":
        work.spend(5);
        return characterOf(part.source, random, isVaried);
      case "sequence":
        return part.parts.map(write).join("");
      case "choice":
        return write(part.parts[Math.floor(random() * part.parts.length)] ?? { kind: "sequence", parts: [] });
      case "repeat": {
        const more = Math.min(part.most - part.least, mostExtra === 0 ? 0 : Math.ceil(random() * mostExtra));
        work.spend(part.least + more);
        return Array.from({ length: part.least + more }, () => write(part.part)).join("");
      }
      default:
        return "";
    }
  };
  return write(parsePattern(pattern));
}

function characterOf(source: string, random: Random, isVaried: boolean): string {
  const pattern = new RegExp(`^${source}$`, "su");
  const one = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)];
  const pools: string[][] = [];
  for (const pool of POOLS) {
    const fitting = [...pool].filter((character) => pattern.test(character));
    if (fitting.length === 0) continue;
    pools.push(fitting);
    if (!isVaried) break;
  }
  if (pools.length > 0) return one(one(pools) ?? []) ?? "";
  for (let point = 0; point < 0xd800; point += 1) {
    const character = String.fromCodePoint(point);
    if (pattern.test(character)) return character;
  }
  return "";
}

/** Width of the range if a schema has no bounds. */
const USUAL = 100;

/** A number within a shape's bounds. */
export function sampleNumber(shape: Json, isInteger: boolean, random: () => number): number {
  const step = typeof shape["multipleOf"] === "number" && shape["multipleOf"] > 0 ? shape["multipleOf"] : undefined;
  const lower = boundOf(shape["minimum"], shape["exclusiveMinimum"], Math.max);
  const upper = boundOf(shape["maximum"], shape["exclusiveMaximum"], Math.min);
  const width = Math.max(USUAL, (step ?? 1) * 2);
  const least = lower?.at ?? Math.min(1, (upper?.at ?? width) - width);
  const most = upper?.at ?? Math.max(least + width, width);
  const unit = isInteger ? wholeUnit(step) : (step ?? 1);
  const first = Math.ceil(least / unit) + (lower?.isExcluded && Math.ceil(least / unit) * unit <= least ? 1 : 0);
  const last = Math.floor(most / unit) - (upper?.isExcluded && Math.floor(most / unit) * unit >= most ? 1 : 0);
  if (first <= last) return rounded((first + Math.floor(random() * (Math.min(last, first + 1e6) - first + 1))) * unit);
  // No multiple lies between the bounds. For plain numbers, the middle does.
  return ((lower?.isExcluded || upper?.isExcluded) ?? false) ? (least + most) / 2 : least;
}

/** The smallest integer step that is a multiple of a step. */
function wholeUnit(step: number | undefined): number {
  if (step === undefined) return 1;
  for (let times = 1; times <= 1_000; times += 1)
    if (Number.isInteger(rounded(step * times))) return rounded(step * times);
  return step;
}

/** Without the error of a multiplication: 0.1 · 3 is 0.3. */
function rounded(value: number): number {
  return Number(value.toPrecision(15));
}

interface Bound {
  readonly at: number;
  readonly isExcluded: boolean;
}

/** In draft 4, `exclusiveMinimum` is a boolean that belongs to `minimum`. */
function boundOf(plain: unknown, excluded: unknown, tighter: (...values: number[]) => number): Bound | undefined {
  const values = [plain, excluded].filter((value) => typeof value === "number");
  if (values.length === 0) return undefined;
  const at = tighter(...values);
  return { at, isExcluded: excluded === true || excluded === at };
}
