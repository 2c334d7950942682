import { child, isString, type Json } from "../shared/json.js";
import { modernized } from "./drafts.js";
import { listOf, referencesOf, resolverOf, schemasIn } from "./references.js";
import { namesOf } from "./schema-parts.js";

/** All names of properties that a schema has, also where its references lead. */
export function namesIn(root: unknown): ReadonlySet<string> {
  const resolve = resolverOf(root);
  const places = new Set([root]);
  const names = new Set<string>();
  for (const schema of schemasIn(places)) {
    for (const name of namesOf(schema)) names.add(name);
    for (const reference of referencesOf(schema)) places.add(resolve(reference));
  }
  return names;
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
