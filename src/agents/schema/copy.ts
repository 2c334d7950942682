import { isTrivial } from "../../json-schema/claims.js";
import {
  ANNOTATIONS,
  isData,
  isKnown,
  LIST_KEYWORDS,
  MAP_KEYWORDS,
  modernized,
  SCHEMA_KEYWORDS,
} from "../../json-schema/drafts.js";
import { listOf } from "../../json-schema/references.js";
import { spend } from "../../json-schema/work.js";
import { isObject, isString, type Json } from "../../shared/json.js";
import { DEEPEST_SCHEMA, definitionsOf, itemPath, memberPath, valuePath, type Writing } from "./writing.js";

interface Spot {
  readonly path: string;
  /** The targets of the references that led here. */
  readonly trail: readonly unknown[];
  /** The number of targets that describe a value around this one. */
  readonly outer: number;
  readonly depth: number;
  /** Whether it describes a value, and isn't part of a condition. */
  readonly isValue: boolean;
}

/**
 * A copy of a schema for targets that take all of JSON Schema 2020-12: drafts modernized, references written out, names
 * replaced by aliases, and arrays with items. Everything else stays as it was.
 */
export function copyOf(schema: unknown, writing: Writing, path: string): unknown {
  return copied(schema, writing, { path, trail: [], outer: 0, depth: 0, isValue: true });
}

/** A copy for readers: recursive parts accept anything. */
export function copyForWords(schema: Json, writing: Writing): unknown {
  const aliases = { ...writing.aliases, areUsed: false };
  const { rejectedPatterns: _, ...dialect } = writing.dialect;
  const silent = { ...writing, dialect, aliases, note: () => {}, define: () => "" };
  return copied(schema, silent, { path: "", trail: [], outer: 0, depth: DEEPEST_SCHEMA / 2, isValue: false });
}

function copied(schema: unknown, writing: Writing, spot: Spot): unknown {
  const modern = modernized(schema);
  if (!modern) return { not: {} };
  writing.spend();
  spend();
  if (spot.depth > DEEPEST_SCHEMA) {
    writing.note(spot.path, "opened", "The schema is too deep. Anything is accepted here.");
    return {};
  }
  const copy: Record<string, unknown> = {};
  const inexact: string[] = [];
  for (const [keyword, value] of Object.entries(modern)) {
    if (keyword === "$ref") continue;
    const before = writing.widenings;
    if (isKnown(keyword)) copy[keyword] = copiedKeyword(keyword, value, writing, spot);
    else if (writing.dialect.unknownKeywords && !DECLARATIONS.includes(keyword) && isData(value)) copy[keyword] = value;
    if (writing.widenings > before && EXACT.includes(keyword)) inexact.push(keyword);
  }
  for (const keyword of inexact) loosen(copy, keyword, writing, spot);
  withoutPatterns(copy, writing, spot);
  // `modernized` leaves a list.
  const types = copy["type"] as readonly string[] | undefined;
  if (types?.length === 1) [copy["type"]] = types;
  if (types === undefined && spot.isValue) inferType(copy);
  if (types?.includes("array") || copy["type"] === "array" || copy["prefixItems"] !== undefined) copy["items"] ??= {};
  if (writing.aliases.areUsed) withoutNameRules(copy, writing, spot);
  const reference = modern["$ref"];
  return isString(reference) ? withTarget(copy, reference, writing, spot) : copy;
}

/** Keywords that accept less if what is below them accepts more. */
const EXACT = ["oneOf", "not", "if", "contains"];

function loosen(copy: Record<string, unknown>, keyword: string, writing: Writing, { path }: Spot): void {
  writing.note(path, "described", `${keyword}: the target can't check it, because a part of it can't be written.`);
  if (keyword === "oneOf") copy["allOf"] = [...[copy["allOf"] ?? []].flat(), { anyOf: copy[keyword] }];
  delete copy[keyword];
}

/** Keywords about names, which can't be checked with aliases: a schema can be about names that another one declares. */
export const NAME_RULES = ["propertyNames", "patternProperties"];

/** Moves patterns that the target can't compile into words. */
function withoutPatterns(copy: Record<string, unknown>, writing: Writing, { path }: Spot): void {
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
  if (rejected.patternProperties) copy["additionalProperties"] = {};
}

function withoutNameRules(copy: Record<string, unknown>, writing: Writing, { path }: Spot): void {
  for (const keyword of NAME_RULES) {
    if (copy[keyword] === undefined) continue;
    writing.note(path, "described", `${keyword}: the target can't check it, because names are replaced.`);
    delete copy[keyword];
    // Otherwise what the patterns accept would count as other properties.
    if (keyword === "patternProperties") copy["additionalProperties"] = {};
  }
}

/** Keywords that name or contain schemas of this document, which are written out. */
const DECLARATIONS =
  "$rest $schema $id id $anchor $dynamicAnchor $recursiveAnchor $dynamicRef $recursiveRef $defs definitions nullable example $vocabulary".split(
    " ",
  );

function copiedKeyword(keyword: string, value: unknown, writing: Writing, spot: Spot): unknown {
  const outer = IN_PLACE.includes(keyword) ? spot.outer : spot.trail.length;
  const below = (schema: unknown, path: string, isValue = false) =>
    copied(schema, writing, { ...spot, path, outer, depth: spot.depth + 1, isValue: isValue && spot.isValue });
  const { aliasOf } = writing.aliases;
  if (SCHEMA_KEYWORDS.includes(keyword)) {
    const path =
      keyword === "items" ? itemPath(spot.path) : keyword === "additionalProperties" ? valuePath(spot.path) : spot.path;
    return typeof value === "boolean" ? booleanOf(keyword, value) : below(value, path, path !== spot.path);
  }
  if (LIST_KEYWORDS.includes(keyword) && Array.isArray(value)) {
    const path = keyword === "prefixItems" ? itemPath(spot.path) : spot.path;
    return value.map((schema) => below(schema, path, path !== spot.path));
  }
  if (MAP_KEYWORDS.includes(keyword) && isObject(value)) {
    const isProperties = keyword === "properties";
    return mapKeys(value, keyword === "patternProperties" ? (name) => name : aliasOf, (schema, name) =>
      below(schema, isProperties ? memberPath(spot.path, name) : spot.path, isProperties),
    );
  }
  const aliases = (names: unknown) => (Array.isArray(names) ? [...new Set(names.map(String))].map(aliasOf) : []);
  if (keyword === "required") return aliases(value);
  if (keyword === "dependentRequired" && isObject(value)) return mapKeys(value, aliasOf, aliases);
  return value;
}

/** Keywords whose schemas describe the same value. */
const IN_PLACE = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];

function mapKeys(
  map: Json,
  rename: (name: string) => string,
  convert: (value: unknown, name: string) => unknown,
): Json {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [rename(name), convert(value, name)]));
}

function booleanOf(keyword: string, isAccepted: boolean): unknown {
  if (isAccepted) return {};
  return keyword === "additionalProperties" || keyword.startsWith("unevaluated") || keyword === "items"
    ? false
    : { not: {} };
}

function inferType(copy: Record<string, unknown>): void {
  if (["enum", "const", "allOf", "anyOf", "oneOf", "$ref"].some((keyword) => copy[keyword] !== undefined)) return;
  if (copy["properties"] !== undefined) copy["type"] = "object";
  else if (copy["items"] !== undefined || copy["prefixItems"] !== undefined) copy["type"] = "array";
}

function withTarget(copy: Json, reference: string, writing: Writing, spot: Spot): unknown {
  const target = writing.resolve(reference);
  if (target === undefined) {
    writing.note(spot.path, "opened", `$ref: ${reference} isn't found. Anything is accepted there.`);
    return copy;
  }
  if (spot.trail.includes(target, spot.outer)) {
    writing.note(spot.path, "opened", `$ref: ${reference} leads back to itself. Anything is accepted there.`);
    return copy;
  }
  const isRecursive = spot.trail.includes(target);
  const written =
    isObject(target) && (isRecursive || writing.isSpent)
      ? referenceTo(target, writing)
      : copied(target, writing, { ...spot, trail: [...spot.trail, target], depth: spot.depth + 1 });
  const siblings = Object.keys(copy);
  if (siblings.length === 0 || isTrivial(written)) return siblings.length === 0 ? written : copy;
  const isAnnotated = siblings.every((keyword) => ANNOTATIONS.includes(keyword));
  if (isAnnotated && isObject(written) && written["$ref"] === undefined) return { ...written, ...copy };
  return { ...copy, allOf: [...listOf(copy["allOf"]), written] };
}

function referenceTo(target: Json, writing: Writing): Json {
  const name = writing.define(target);
  return name === "" ? {} : { $ref: `#/$defs/${name}` };
}

/** Copies of the parts that references point to. */
export function copiedDefinitions(writing: Writing): Json {
  const spot = { path: "", outer: 0, depth: 0, isValue: true };
  return definitionsOf(writing, (part) => Object(copied(part, writing, { ...spot, trail: [part] })));
}
