import { child, isObject, isString, type Json } from "../../shared/json.js";
import { resolverOf } from "../references.js";
import { namesOf, partsOf } from "../schema-parts.js";

/** The names that lead to an argument. */
export type Path = readonly [string, ...string[]];

const MOST_PARTS = 1_000;
/** Keywords whose schemas describe the same value, at least one of them. */
const COMBINATIONS = ["allOf", "anyOf", "oneOf"] as const;

const ABOUT_PROPERTIES = ["properties", "additionalProperties", "unevaluatedProperties"] as const;

/**
 * Whether any part of a schema names an argument.
 *
 * @param resolve - Finds what the schema refers to, if it is a part of another one.
 */
export function namesArgument(schema: unknown, path: readonly string[], resolve = resolverOf(schema)): boolean {
  const [name = "", ...rest] = path;
  for (const part of partsOf([schema], resolve, "not")) {
    const isNamed =
      rest.length > 0 ? namesArgument(child(part["properties"], name), rest, resolve) : namesOf(part).includes(name);
    if (isNamed) return true;
  }
  return false;
}

/** The names of the arguments that a schema declares. */
export const argumentNames = (schema: Json): string[] => Object.keys(Object(schema["properties"]));

/** A copy of a schema with another required argument, which every part of it knows: a part may allow no others. */
export function withArgument(given: Json, name: string, value: Json): Json {
  let left = MOST_PARTS;
  const add = (part: unknown): unknown => {
    if (!isObject(part) || left-- <= 0) return part;
    const schema = referenced(part, given);
    if (isString(schema["$ref"])) return add(schema);
    const parts = COMBINATIONS.filter((keyword) => Array.isArray(schema[keyword])).map((keyword) => [
      keyword,
      [schema[keyword]].flat().map(add),
    ]);
    return { ...schema, ...Object.fromEntries(parts), properties: { ...Object(schema["properties"]), [name]: value } };
  };
  const schema = Object(add(given));
  // A schema that lists no properties takes any. With this one, it would take no others.
  const takesAny = [...partsOf([given], resolverOf(given), "not")].every((part) =>
    ABOUT_PROPERTIES.every((keyword) => part[keyword] === undefined),
  );
  const open = takesAny && { additionalProperties: true };
  return { ...schema, ...open, required: [...[schema.required ?? []].flat(), name] };
}

/** A schema with what its reference refers to. */
function referenced({ $ref, ...beside }: Json, root: unknown): Json {
  return isString($ref) ? { ...Object(resolverOf(root)($ref)), ...beside } : beside;
}

/** A copy of a value without what the names lead to. */
export function without(value: unknown, [name = "", ...rest]: readonly string[]): unknown {
  if (!isObject(value)) return value;
  const { [name]: member, ...others } = value;
  return rest.length > 0 && member !== undefined ? { ...others, [name]: without(member, rest) } : others;
}

/** The same of each of several values. */
export function withoutEach(examples: unknown, path: readonly string[]): unknown {
  return Array.isArray(examples) ? examples.map((example) => without(example, path)) : without(examples, path);
}
