import { REFERENCES, resolverOf } from "../../json-schema/references.js";
import { isObject, isString, type Json } from "../../shared/json.js";

/** Schemas are checked many times, and the checker keeps what it knows about each. */
const cleaned = new WeakMap<Json, Json>();

/** A schema without references to missing targets. What they meant isn't known, so they accept everything. */
export function withoutDeadReferences(root: Json): Json {
  const known = cleaned.get(root);
  if (known) return known;
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (!isObject(value)) return value;
    const kept = Object.entries(value).filter(([keyword, content]) => !isDead(keyword, content));
    return Object.fromEntries(kept.map(([keyword, content]) => [keyword, copy(content)]));
  };
  const isDead = (keyword: string, content: unknown) =>
    REFERENCES.some((known) => known === keyword) && isString(content) && resolverOf(root)(content) === undefined;
  // A copy of an object is an object.
  const result = copy(root) as Json;
  cleaned.set(root, result);
  return result;
}
