import type { Kind } from "./drafts.js";
import type { Target } from "./types.js";

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
  /** The string formats it accepts. */
  readonly formats: readonly string[];
  /** The types whose values can be listed in `enum`. */
  readonly enums: readonly Kind[];
  /** How a value that may be null is written: as a list of types, a branch of `anyOf`, or `nullable`. */
  readonly nulls: "list" | "branch" | "nullable";
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
  /** Whether it is the OpenAPI dialect of Gemini: types in capitals, enum values and counts as strings. */
  readonly openApi?: true;
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

const STRICT_FORMATS = "date-time time date duration email hostname ipv4 ipv6 uuid".split(" ");
const NUMERIC = "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf".split(" ");

const SCALARS: readonly Kind[] = ["string", "number", "integer", "boolean"];

/** The targets' rules, as of 2026-11-22. Where sources differ, the stricter one. */
export const DIALECTS: Readonly<Record<Target, Dialect>> = {
  // Both: openai 7.57.0, lib/transform, and the guides to function calling and structured outputs.
  "openai-strict": {
    plain: "openai",
    constraints: [...NUMERIC, "pattern", "format", "minItems", "maxItems"],
    formats: STRICT_FORMATS,
    enums: SCALARS,
    nulls: "list",
    references: "all",
    allRequired: true,
    toolNames: WORDS,
  },
  openai: {
    constraints: true,
    formats: [],
    enums: SCALARS,
    nulls: "list",
    references: "all",
    toolNames: WORDS,
  },
  // Both: @anthropic-ai/sdk 1.12.0, and the guides to tool use and structured outputs.
  "anthropic-strict": {
    plain: "anthropic",
    constraints: ["pattern", "format", "minItems"],
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
    constraints: true,
    formats: [],
    enums: SCALARS,
    nulls: "list",
    references: "all",
    toolNames: WORDS,
    propertyNames: DOTTED,
  },
  // Both: @google/genai 3.1.0: Schema, and responseJsonSchema.
  "gemini-parameters": {
    constraints: [
      ..."format minItems maxItems minProperties maxProperties minimum maximum minLength maxLength pattern".split(" "),
    ],
    formats: ["date-time"],
    enums: ["string"],
    nulls: "nullable",
    references: "none",
    bareUnions: true,
    openApi: true,
    toolNames: WORDS_FROM_LETTER,
    propertyNames: IDENTIFIERS,
  },
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
    constraints: true,
    formats: [],
    enums: SCALARS,
    nulls: "list",
    references: "all",
    rootUnions: true,
    unknownKeywords: true,
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
