import { isObject, type Json } from "../../shared/json.js";

/** Keywords of objects, for a schema that doesn't say its type. */
export const OBJECT_KEYWORDS = ["properties", "patternProperties", "additionalProperties"];
/** Keywords of arrays, for a schema that doesn't say its type. */
export const LIST_KEYWORDS = ["items", "prefixItems"];
/** Keywords that decide types. A schema without any of them only sets bounds. */
const TYPE_KEYWORDS = [
  ...["type", "enum", "const", ...OBJECT_KEYWORDS, ...LIST_KEYWORDS],
  ...["$ref", "allOf", "anyOf", "oneOf", "nullable"],
];

/** Whether the schema lists properties, but none. */
export function takesNothing({ type, properties, ...others }: Json): boolean {
  return isObject(properties) && Object.keys(properties).length === 0 && !decidesType(others);
}

/** Whether the schema limits values, but not to a type. */
export function onlySetsBounds(schema: unknown): boolean {
  if (!isObject(schema) || decidesType(schema)) return false;
  return Object.keys(schema).some((keyword) => keyword !== "description" && keyword !== "deprecated");
}

function decidesType(schema: Json): boolean {
  return TYPE_KEYWORDS.some((keyword) => keyword in schema);
}

/** The schemas of a keyword such as `properties`, by name, in the same order whatever the service sends. */
export function sorted(schemas: unknown): [name: string, schema: unknown][] {
  return Object.entries(isObject(schemas) ? schemas : {}).sort(([one], [other]) => (one < other ? -1 : 1));
}
