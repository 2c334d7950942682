import { canonicalJson } from "../../shared/canonical-json.js";
import { isObject, type Json, mapMembers } from "../../shared/json.js";
import { MAPS } from "../references.js";

// These lists are part of the format of lockfiles: others make other hashes.
/** Keywords whose values are data, not schemas. */
const DATA = ["const", "default", "enum", "required", "type", "dependentRequired"];
/** Arrays whose order doesn't matter. */
const SETS = ["required", "type", "enum", "anyOf", "oneOf", "allOf"];
const DOCUMENTATION = ["description", "title", "examples", "example", "$comment"];

/** A schema with the names in each `required` in order. Data that only look like a schema stay as they are. */
export function withSortedRequired(schema: unknown): unknown {
  return mapMembers(schema, (value, keyword = "") => {
    if (keyword === "required" && Array.isArray(value)) return [...value].sort();
    if (MAPS.includes(keyword)) return mapMembers(value, withSortedRequired);
    return DATA.includes(keyword) || DOCUMENTATION.includes(keyword) ? value : withSortedRequired(value);
  });
}

/** A comparison needs the strings of the same schemas again and again. */
const canonicalStrings = new WeakMap<object, string>();

/** A schema as a string that doesn't depend on order or documentation. */
export function canonicalSchema(schema: unknown): string {
  if (Array.isArray(schema)) return arrayText(schema.map(canonicalSchema));
  if (!isObject(schema)) return canonicalJson(schema);
  const known = canonicalStrings.get(schema);
  if (known !== undefined) return known;
  const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !DOCUMENTATION.includes(keyword)));
  const text = objectText(kept, keywordText);
  canonicalStrings.set(schema, text);
  return text;
}

function keywordText(keyword: string, value: unknown): string {
  if (MAPS.includes(keyword) && isObject(value)) {
    return objectText(value, (_, schema) => canonicalSchema(schema));
  }
  const textOf = DATA.includes(keyword) ? canonicalJson : canonicalSchema;
  if (!SETS.includes(keyword) || !Array.isArray(value)) return textOf(value);
  return arrayText([...new Set(value.map(textOf))].sort());
}

function arrayText(items: readonly string[]): string {
  return `[${items.join()}]`;
}

/** The members of an object as a string, in order. */
export function objectText(value: Json, textOf: (key: string, member: unknown) => string): string {
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members
    .map(([key, member]) => `${JSON.stringify(key)}:${textOf(key, member)}`)
    .sort()
    .join()}}`;
}
