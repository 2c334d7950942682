import { isString } from "../../shared/json.js";
import type { WritingState } from "./writing-state.js";

/** One place in a schema that is being copied. */
export interface CopyPlace {
  readonly path: string;
  /** The targets of the references that led here. */
  readonly trail: readonly unknown[];
  /** The number of targets that describe a value around this one. */
  readonly outer: number;
  readonly depth: number;
  /** Whether it describes a value, and isn't part of a condition. */
  readonly isValue: boolean;
}

/** The keywords of one schema object while it is copied. */
export type SchemaCopy = Record<string, unknown>;

/** A step that changes the copy of one schema object. */
type Pass = (copy: SchemaCopy, writing: WritingState, place: CopyPlace) => void;

/** Keywords about names, which can't be checked with aliases: a schema can be about names that another one declares. */
export const NAME_RULES = ["propertyNames", "patternProperties"];

/** Takes out a keyword that would accept less, because what is in it accepts more. */
export function loosen(copy: SchemaCopy, keyword: string, writing: WritingState, { path }: CopyPlace): void {
  writing.note(path, "described", `${keyword}: the target can't check it, because a part of it can't be written.`);
  if (keyword === "oneOf") copy["allOf"] = [...[copy["allOf"] ?? []].flat(), { anyOf: copy[keyword] }];
  delete copy[keyword];
}

/** Moves patterns that the target can't compile into words. */
const takeOutPatterns: Pass = (copy, writing, { path }) => {
  const { rejectedPatterns } = writing.dialect;
  if (!rejectedPatterns) return;
  const { pattern, patternProperties } = copy;
  const names = Object.keys(Object(patternProperties));
  const rejected = {
    ...(isString(pattern) && rejectedPatterns.test(pattern) && { pattern }),
    ...(names.some((name) => rejectedPatterns.test(name)) && { patternProperties }),
  };
  for (const [keyword, value] of Object.entries(rejected)) {
    writing.note(path, "described", `${keyword}: the target can't compile it, so it is in the description.`);
    delete copy[keyword];
    const words = `(${keyword}: ${isString(value) ? value : JSON.stringify(value)})`;
    copy["description"] = [copy["description"], words].filter(isString).join(" ");
  }
  // Otherwise what the patterns accept would count as other properties.
  if (rejected.patternProperties) copy["additionalProperties"] = true;
};

/** Writes a list of one type as that type. */
const writeSingleType: Pass = (copy) => {
  // `modernized` leaves a list.
  const types = copy["type"] as readonly string[] | undefined;
  if (types?.length === 1) [copy["type"]] = types;
};

/** Keywords beside which a type isn't inferred. */
const TYPING = ["type", "enum", "const", "allOf", "anyOf", "oneOf", "$ref"];

/** Adds the type to which the keywords apply. */
const inferType: Pass = (copy, _, { isValue }) => {
  if (!isValue || TYPING.some((keyword) => copy[keyword] !== undefined)) return;
  if (copy["properties"] !== undefined) copy["type"] = "object";
  else if (copy["items"] !== undefined || copy["prefixItems"] !== undefined) copy["type"] = "array";
};

/** Adds `items` to lists: OpenAI rejects a list without. */
const addItems: Pass = (copy, { dialect }) => {
  const { type, prefixItems } = copy;
  if (dialect.bareLists) return;
  const isList = type === "array" || (Array.isArray(type) && type.includes("array"));
  if (isList || prefixItems !== undefined) copy["items"] ??= {};
};

const takeOutNameRules: Pass = (copy, writing, { path }) => {
  if (!writing.aliases.areUsed) return;
  for (const keyword of NAME_RULES) {
    if (copy[keyword] === undefined) continue;
    writing.note(path, "described", `${keyword}: the target can't check it, because names are replaced.`);
    delete copy[keyword];
    // Otherwise what the patterns accept would count as other properties.
    if (keyword === "patternProperties") copy["additionalProperties"] = true;
  }
};

/** The steps for a copy, in this order. */
export const PASSES: readonly Pass[] = [takeOutPatterns, writeSingleType, inferType, addItems, takeOutNameRules];

/** Those for a copy that only readers see: it keeps patterns and names. */
export const PASSES_FOR_WORDS: readonly Pass[] = [writeSingleType, inferType, addItems];
