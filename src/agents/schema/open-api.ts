import { isObject, isString, type Json } from "../../shared/json.js";

const COUNTS = "minItems maxItems minProperties maxProperties minLength maxLength".split(" ");

/** A schema as Gemini's `Schema` message has it: types in capitals, 64-bit counts as strings. */
export function toOpenApi(schema: Json): Json {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === "type" && isString(value)) return [keyword, value.toUpperCase()];
      if (COUNTS.includes(keyword)) return [keyword, String(value)];
      if (keyword === "items" && isObject(value)) return [keyword, toOpenApi(value)];
      if (keyword === "anyOf" && Array.isArray(value))
        return [keyword, value.map((branch) => toOpenApi(Object(branch)))];
      if (keyword !== "properties" || !isObject(value)) return [keyword, value];
      return [
        keyword,
        Object.fromEntries(Object.entries(value).map(([name, property]) => [name, toOpenApi(Object(property))])),
      ];
    }),
  );
}
