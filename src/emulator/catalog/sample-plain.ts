import { type Part, parsePattern } from "../../json-schema/pattern-syntax.js";
import type { SchemaObject } from "../../json-schema/schema-object.js";
import { spend } from "../../json-schema/step-limit.js";
import { child, isString } from "../../shared/json.js";

type Random = () => number;

/** How a string is made. */
interface TextOptions {
  readonly random: Random;
  /** Whether a string matches a pattern. */
  readonly matches: (pattern: string, text: string) => boolean;
}

/** A string for the property of a name that matches a shape's format, patterns, and length, if they go together. */
export function sampleText(shape: SchemaObject, name: string, options: TextOptions): string {
  const { least = 0, most = Number.POSITIVE_INFINITY } = shape.length;
  // Bounds and repetitions can ask for any length.
  spend(least);
  const { random } = options;
  const format = child(FORMATS, shape.format ?? "");
  const usual = isString(format) ? filled(format, random) : fitted(plainText(name, random), least, most);
  const patterns = shape.textPatterns;
  const fits = (text: string) =>
    text.length >= least && text.length <= most && patterns.every((pattern) => options.matches(pattern, text));
  if (patterns.length === 0 || fits(usual)) return usual;
  for (let tries = 0; tries < 40; tries += 1) {
    const extra = [0, 1, 3, least][tries % 4] ?? 0;
    const text = matching(patterns[tries % patterns.length] ?? "", extra, tries >= 10, options);
    if (fits(text)) return text;
  }
  throw new Error(`no string was found that matches ${patterns.join(" and ")}`);
}

/** A string of an allowed length. */
function fitted(text: string, least: number, most: number): string {
  return text.padEnd(least, " sample").slice(0, Math.max(least, most));
}

/** Replaces each `#` with a random digit. */
function filled(template: string, random: Random): string {
  return template.replace(/#/g, () => String(Math.floor(random() * 10)));
}

/** Examples of formats. Domains and IPs are reserved for documentation (RFC 2606, 5737, 3849). */
const FORMATS = {
  date: "2026-01-1#",
  time: "08:1#:0#Z",
  "date-time": "2026-01-1#T08:1#:0#Z",
  duration: "PT1#M",
  email: "sample.####@example.com",
  hostname: "host-####.example.com",
  ipv4: "192.0.2.1#",
  ipv6: "2001:db8::1###",
  uri: "https://example.com/sample/######",
  url: "https://example.com/sample/######",
  "uri-reference": "/sample/######",
  "uri-template": "https://example.com/{id}",
  uuid: "########-####-4###-a###-############",
  "json-pointer": "/sample",
  "relative-json-pointer": "0/sample",
  regex: "^sample$",
};

/** Formats of properties with such names, and what identifiers look like. */
const NAMED: readonly (readonly [RegExp, string])[] = [
  [/email/i, FORMATS.email],
  [/(^|_)(ur[il]|href|link)$|Ur[il]$|_url/i, FORMATS.uri],
  [/(_at|At|date|time|timestamp)$/, FORMATS["date-time"]],
  [/(^|_)(id|sha|key|hash|cursor|token)$|Id$/, "sample_########"],
];

function plainText(name: string, random: Random): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[^a-zA-Z]+/g, " ")
    .trim()
    .toLowerCase();
  const [, template = `Sample ${words === "" ? "text" : words} ##`] = NAMED.find(([names]) => names.test(name)) ?? [];
  return filled(template, random);
}

/**
 * A string that matches a pattern. Lookarounds and word boundaries are ignored; the caller checks the string.
 *
 * @param extra how many more repetitions than necessary there may be.
 * @param isVaried whether classes of characters show all their kinds, as lookaheads may require, or the likeliest.
 * @throws {Error} for a pattern that JavaScript doesn't support.
 */
function matching(pattern: string, extra: number, isVaried: boolean, { random }: TextOptions): string {
  const write = (part: Part): string => {
    switch (part.kind) {
      case "character":
        spend(5);
        return characterOf(part.source, random, isVaried);
      case "sequence":
        return part.parts.map(write).join("");
      case "choice":
        return [oneOf(part.parts, random) ?? []].flat().map(write).join("");
      case "repeat": {
        const times = part.least + Math.min(part.most - part.least, Math.ceil(random() * extra));
        spend(times);
        return Array.from({ length: times }, () => write(part.part)).join("");
      }
      default:
        return "";
    }
  };
  return write(parsePattern(pattern));
}

/** Characters to choose from, likely ones first. */
const POOLS = [
  "abcdefghijklmnopqrstuvwxyz",
  "0123456789",
  "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  `-_./:@#+=, !$%&*()?'"<>[]{}|\\^~\`;`,
  "äéßñçλжקم中あ한€\t\n\r",
];

function characterOf(source: string, random: Random, isVaried: boolean): string {
  const pattern = new RegExp(`^${source}$`, "su");
  // A character that isn't in a pool stands for itself.
  const fitting = [...POOLS, source].map((pool) => [...pool].filter((character) => pattern.test(character)));
  const pools = fitting.filter((pool) => pool.length > 0);
  return oneOf((isVaried ? oneOf(pools, random) : pools[0]) ?? [], random) ?? "";
}

function oneOf<Value>(values: readonly Value[], random: Random): Value | undefined {
  return values[Math.floor(random() * values.length)];
}

/** Width of the range if a schema has no bounds. */
const USUAL = 100;

/** A number within a shape's bounds: a multiple of its step or, without one, rather a whole number. */
export function sampleNumber({ least: lower, most: upper, step = 1 }: SchemaObject, random: Random): number {
  const width = Math.max(USUAL, step * 2);
  const least = lower?.at ?? Math.min(1, (upper?.at ?? width) - width);
  const most = upper?.at ?? Math.max(least + width, width);
  const first = Math.ceil(least / step) + (lower?.isExcluded && Math.ceil(least / step) * step <= least ? 1 : 0);
  const last = Math.floor(most / step) - (upper?.isExcluded && Math.floor(most / step) * step >= most ? 1 : 0);
  // No multiple lies between the bounds. For plain numbers, the middle does.
  if (first > last) return lower?.isExcluded || upper?.isExcluded ? (least + most) / 2 : least;
  const chosen = (first + Math.floor(random() * (Math.min(last, first + 1e6) - first + 1))) * step;
  // Without the error of the multiplication: 0.1 · 3 is 0.3.
  return Number(chosen.toPrecision(15));
}
