import { ConfigError } from "../../errors/local.js";
import type { Kind } from "../../json-schema/keywords.js";
import { didYouMean } from "../../shared/nearest-name.js";
import type { Target } from "./compiled-tool.js";

/** Which names a target accepts. */
export interface NameRule {
  /** Matches a whole name that it accepts. */
  readonly legal: RegExp;
  /** Matches each character that it doesn't accept anywhere. */
  readonly illegal: RegExp;
  readonly length: number;
}

/** The keywords and forms that one target accepts. */
export interface Dialect {
  /** Of a strict target: the one to use if a schema can't be strict. */
  readonly plain?: Target;
  /**
   * `true`: all of JSON Schema 2020-12 below the root. Otherwise the constraints that it accepts next to the structural
   * ones.
   */
  readonly constraints: true | readonly string[];
  /** Matches the patterns that it can't compile. */
  readonly rejectedPatterns?: RegExp;
  /** The string formats it accepts. */
  readonly formats: readonly string[];
  /** The types whose values can be listed in `enum`. */
  readonly enums: readonly Kind[];
  /** How a value that may be null is written: as a list of types, or a branch of `anyOf`. */
  readonly nulls: "list" | "branch";
  /** Which recursive references it accepts. */
  readonly references: "all" | "below-optional" | "none";
  /** Whether combinators at the root are accepted. */
  readonly rootUnions?: true;
  /** Whether `prefixItems` is accepted. */
  readonly tuples?: true;
  /** Whether unknown keywords are kept. */
  readonly unknownKeywords?: true;
  /** The largest `minItems` that it accepts. */
  readonly mostMinItems?: number;
  /** Whether `additionalProperties` is accepted. */
  readonly rest?: true;
  /** Whether each property must be required. */
  readonly allRequired?: true;
  /** Whether `anyOf` allows no other keywords next to it. */
  readonly bareUnions?: true;
  /** Whether a list of any items has no `items`. */
  readonly bareLists?: true;
  /** Whether models may write an enum's value in the wrong case. */
  readonly ignoresCase?: true;
  readonly toolNames: NameRule;
  readonly propertyNames?: NameRule;
}

const WORDS: NameRule = { legal: /^[\w-]{1,64}$/, illegal: /[^\w-]/g, length: 64 };
const WORDS_FROM_LETTER: NameRule = { ...WORDS, legal: /^[a-z_][\w-]{0,63}$/i };
const IDENTIFIERS: NameRule = { legal: /^[a-z_]\w{0,63}$/i, illegal: /\W/g, length: 64 };
const DOTTED: NameRule = { legal: /^[\w.-]{1,64}$/, illegal: /[^\w.-]/g, length: 64 };
const DOTTED_LONG: NameRule = { legal: /^[\w.-]{1,128}$/, illegal: /[^\w.-]/g, length: 128 };

/** Look-around, references back, named groups, Unicode classes, ranges from a class: few engines take all of them. */
const DEMANDING = /\(\?[=!<P]|\\[bBkpP1-9]|\\u\{|\[[^\]]*\\[dswDSW]-[^\]]/;
/**
 * Python's `re` rejects these: unknown escapes, named groups and look-behind as JavaScript writes them, ranges with a
 * class, empty classes.
 */
const NOT_PYTHON =
  /(?<!\\)(?:\\\\)*(?:\\[^\W\d_AbBdDsSwWZafnrtvxuUN]|\\u\{|\(\?<|\[\^?\]|\[[^\]]*(?:\\[dswDSW]-[^\]]|-\\[dswDSW]))/;

/** Strict schemas are compiled by engines of both kinds. */
const NOT_FOR_STRICT = new RegExp(`${DEMANDING.source}|${NOT_PYTHON.source}`);

const STRICT_FORMATS = "date-time time date duration email hostname ipv4 ipv6 uuid".split(" ");
const NUMERIC = "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf".split(" ");

const SCALARS: readonly Kind[] = ["string", "number", "integer", "boolean"];

/** Below the root, all of JSON Schema. */
const WHOLE = { constraints: true, formats: [], enums: SCALARS, nulls: "list", references: "all" } as const;

/** The targets' rules, as of 2026-11-22. Where sources differ, the stricter one. */
export const DIALECTS: Readonly<Record<Target, Dialect>> = {
  // Both: openai 7.59.0, lib/transform, and the guides to function calling and structured outputs.
  "openai-strict": {
    plain: "openai",
    constraints: [...NUMERIC, "pattern", "format", "minItems", "maxItems"],
    rejectedPatterns: NOT_FOR_STRICT,
    formats: STRICT_FORMATS,
    enums: SCALARS,
    nulls: "list",
    references: "all",
    allRequired: true,
    toolNames: WORDS,
  },
  openai: {
    ...WHOLE,
    rejectedPatterns: NOT_PYTHON,
    toolNames: WORDS,
  },
  // Both: @anthropic-ai/sdk 1.14.0, and the guides to tool use and structured outputs.
  "anthropic-strict": {
    plain: "anthropic",
    constraints: ["pattern", "format", "minItems"],
    rejectedPatterns: NOT_FOR_STRICT,
    formats: [...STRICT_FORMATS, "uri"],
    enums: SCALARS,
    mostMinItems: 1,
    nulls: "branch",
    references: "none",
    ignoresCase: true,
    toolNames: WORDS,
    propertyNames: DOTTED,
  },
  anthropic: {
    ...WHOLE,
    toolNames: WORDS,
    propertyNames: DOTTED,
  },
  // @google/genai 3.3.0: responseJsonSchema.
  gemini: {
    constraints: ["format", "minItems", "maxItems", "minimum", "maximum"],
    formats: ["date-time", "date", "time"],
    enums: ["string", "number", "integer"],
    rest: true,
    nulls: "branch",
    references: "below-optional",
    tuples: true,
    toolNames: WORDS_FROM_LETTER,
    propertyNames: IDENTIFIERS,
  },
  // JSON Schema 2020-12; tool names of MCP 2025-11-25.
  "json-schema": {
    ...WHOLE,
    rootUnions: true,
    unknownKeywords: true,
    bareLists: true,
    toolNames: DOTTED_LONG,
  },
  // What openai, anthropic, gemini and json-schema have in common.
  portable: {
    constraints: ["format", "minItems", "maxItems", "minimum", "maximum"],
    formats: ["date-time"],
    enums: ["string", "number", "integer"],
    rest: true,
    nulls: "branch",
    references: "none",
    tuples: true,
    bareUnions: true,
    toolNames: WORDS_FROM_LETTER,
    propertyNames: IDENTIFIERS,
  },
};

/** Whether a target's libraries enforce the schema. It then takes closed objects only. */
export function isStrict({ plain }: Dialect): boolean {
  return plain !== undefined;
}

/** Whether a schema is copied for a target. Others take a part of JSON Schema, and it's written anew in their words. */
export function takesAll({ constraints }: Dialect): boolean {
  return constraints === true;
}

/** @throws {ConfigError} if a target doesn't exist. */
export function checkTarget(operation: string, target: unknown): void {
  const name = String(target);
  if (Object.hasOwn(DIALECTS, name)) return;
  const targets = Object.keys(DIALECTS);
  throw new ConfigError(
    `${operation}: unknown target ${name}.${didYouMean(name, targets, ` Pass ${targets.join(", ")}.`)}`,
  );
}
