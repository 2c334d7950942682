import { isObject, type Json, mapMembers } from "../shared/json.js";
import { DATA, MAPS } from "./references.js";

/**
 * A copy of a schema object in which each schema that it contains is converted. Data stay as they are, even those that
 * look like a schema. Keywords of others may contain schemas, too.
 */
export function mapSchemas(schema: Json, convert: (inner: Json) => unknown): Json {
  const converted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(converted);
    return isObject(value) ? convert(value) : value;
  };
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, mapMember(keyword, value, converted)]),
  );
}

/** A keyword's value in which each schema, or list of them, is converted. */
export function mapMember(keyword: string, value: unknown, convert: (schemas: unknown) => unknown): unknown {
  if (DATA.includes(keyword)) return value;
  return MAPS.includes(keyword) && isObject(value) ? mapMembers(value, convert) : convert(value);
}
