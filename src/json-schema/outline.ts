import { child, isString, type Json } from "../shared/json.js";
import { modernized } from "./drafts.js";
import { listOf, schemasIn } from "./references.js";

/** At least all names of properties, and of positions in tuples, that a schema has. */
export function namesIn(schema: unknown): string[] {
  return [...schemasIn(new Set([schema]))].flatMap(({ properties, required, prefixItems, items }) => [
    ...Object.keys(Object(properties)),
    ...listOf(required).map(String),
    ...[prefixItems, items].flatMap((list) => Object.keys(listOf(list))),
  ]);
}

/** The most properties of an outline. */
const MOST_PROPERTIES = 200;

/** The names, types and descriptions of the properties of a schema that is too large. */
export function outlineOf(schema: unknown): Json {
  const { properties, required } = modernized(schema) ?? {};
  const kept = Object.entries(Object(properties)).slice(0, MOST_PROPERTIES);
  return {
    type: "object",
    properties: Object.fromEntries(kept.map(([name, property]) => [name, withoutDetails(property)])),
    required: listOf(required).filter((name) => kept.some(([known]) => known === name)),
  };
}

function withoutDetails(property: unknown): Json {
  const description = child(property, "description");
  const types = modernized(property)?.["type"];
  return { ...(types !== undefined && { type: types }), ...(isString(description) && { description }) };
}
