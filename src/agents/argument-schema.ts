import { resolverOf } from "../json-schema/references.js";
import { child, isObject, isString, type Json } from "../shared/json.js";

/** The names that lead to an argument. */
export type Path = readonly [string, ...string[]];

/** Schemas that refer to themselves end somewhere. */
const DEEPEST = 32;
const MOST_PARTS = 1_000;
/** Keywords whose schemas describe the same value. */
const PARTS = ["allOf", "anyOf", "oneOf"] as const;

/**
 * A copy of a schema without an argument, in which no part requires it; `undefined` if the schema names none at this
 * path.
 */
export function withoutArgument(given: unknown, path: Path, root = given, depth = 0): Json | undefined {
  if (!isObject(given) || depth > DEEPEST) return undefined;
  const schema = referenced(given, root);
  if (isString(schema["$ref"])) return withoutArgument(schema, path, root, depth + 1);
  const [name, next, ...others] = path;
  const changes: Record<string, unknown> = {};
  const declared = child(schema["properties"], name);
  const inner = next === undefined ? undefined : withoutArgument(declared, [next, ...others], root, depth + 1);
  if (declared !== undefined && (next === undefined || inner)) {
    const { [name]: _, ...properties } = Object(schema["properties"]);
    changes["properties"] = inner ? { ...properties, [name]: inner } : properties;
  }
  // Often not beside the property: `oneOf: [{ required: ["id"] }, { required: ["name"] }]`.
  const required: unknown = schema["required"];
  if (next === undefined && Array.isArray(required) && required.includes(name)) {
    changes["required"] = required.filter((one) => one !== name);
  }
  for (const keyword of PARTS) {
    const parts: unknown = schema[keyword];
    if (!Array.isArray(parts)) continue;
    const changed = parts.map((part) => withoutArgument(part, path, root, depth + 1));
    if (changed.some((part) => part)) changes[keyword] = parts.map((part, index) => changed[index] ?? part);
  }
  return Object.keys(changes).length > 0 ? { ...schema, ...changes } : undefined;
}

/** A copy of a schema with another required argument, which every part of it knows: a part may allow no others. */
export function withArgument(given: Json, name: string, value: Json): Json {
  let left = MOST_PARTS;
  const add = (part: unknown): unknown => {
    if (!isObject(part) || left-- <= 0) return part;
    const schema = referenced(part, given);
    if (isString(schema["$ref"])) return add(schema);
    const parts = PARTS.filter((keyword) => Array.isArray(schema[keyword])).map((keyword) => [
      keyword,
      [schema[keyword]].flat().map(add),
    ]);
    return { ...schema, ...Object.fromEntries(parts), properties: { ...Object(schema["properties"]), [name]: value } };
  };
  const schema = Object(add(given));
  return { ...schema, required: [...[schema.required ?? []].flat(), name] };
}

/** A schema with what its reference refers to. */
function referenced({ $ref, ...beside }: Json, root: unknown): Json {
  return isString($ref) ? { ...Object(resolverOf(root)($ref)), ...beside } : beside;
}
