import { child, isString, type Json } from "../../shared/json.js";
import { modernized } from "./drafts.js";

/** The most properties of an outline. */
const MOST_PROPERTIES = 200;

/** The names, types and descriptions of the properties of a schema that is too large. */
export function outlineOf(schema: unknown): Json {
  const { properties, required } = modernized(schema) ?? {};
  const kept = Object.entries(Object(properties)).slice(0, MOST_PROPERTIES);
  return {
    type: "object",
    properties: Object.fromEntries(kept.map(([name, property]) => [name, withoutDetails(property)])),
    required: (Array.isArray(required) ? required : []).filter((name) => kept.some(([known]) => known === name)),
  };
}

function withoutDetails(property: unknown): Json {
  const description = child(property, "description");
  const types = modernized(property)?.["type"];
  return { ...(types !== undefined && { type: types }), ...(isString(description) && { description }) };
}
