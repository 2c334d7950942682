import { encodePointer } from "@cfworker/json-schema";
import { isObject, isText, type Json } from "../json.js";
import { pointerSteps } from "../json-pointer.js";

const TYPES = ["null", "boolean", "object", "array", "number", "string", "integer"];
/** Keywords under which names stand, and below these schemas. */
const MAPS = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
/** Keywords under which one schema or a list of them stands. */
const SCHEMAS =
  "items prefixItems additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames not if then else anyOf oneOf allOf".split(
    " ",
  );

/**
 * A copy of a schema as the validator understands it: what older drafts, OpenAPI and the service write in ways of their own is
 * put into the words of JSON Schema.
 *
 * @throws {Error} for a type that does not exist: to refuse all values then would be wrong.
 */
export function checkableSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(checkableSchema);
  if (!isObject(schema)) return schema;
  for (const type of [schema["type"] ?? []].flat()) {
    if (!TYPES.includes(String(type)))
      throw new Error(`The schema has the type ${String(type)}, which does not exist.`);
  }
  const plain = Object.entries(schema).map(([keyword, value]) => [keyword, checkableKeyword(keyword, value)]);
  const copy: Record<string, unknown> = Object.fromEntries(plain);
  delete copy["$id"];
  delete copy["id"];
  if (!isPattern(copy["pattern"])) delete copy["pattern"];
  excludeBound(copy, "minimum", "exclusiveMinimum");
  excludeBound(copy, "maximum", "exclusiveMaximum");
  const further: Json[] = [];
  if (copy["nullable"] === true) further.push({ type: "null" });
  // An empty text instead of a file means no file. See assumption A11.
  if (copy["file_uploadable"] === true) further.push({ const: "" });
  return further.length === 0 ? copy : { anyOf: [copy, ...further] };
}

function checkableKeyword(keyword: string, value: unknown): unknown {
  if (SCHEMAS.includes(keyword)) return checkableSchema(value);
  if (keyword === "$ref" && isText(value)) return checkableReference(value);
  if (!MAPS.includes(keyword) || !isObject(value)) return value;
  const usable = Object.entries(value).filter(([name]) => keyword !== "patternProperties" || isPattern(name));
  return Object.fromEntries(usable.map(([name, schema]) => [name, checkableSchema(schema)]));
}

/** The validator knows each place by one spelling only, and a reference may have any. */
function checkableReference(reference: string): string {
  if (!reference.startsWith("#/")) return reference;
  return `#${pointerSteps(reference)
    .map((step) => `/${encodePointer(step)}`)
    .join("")}`;
}

/** In draft 4 `exclusiveMinimum: true` says how `minimum` is meant; since draft 6 it is a bound of its own. */
function excludeBound(schema: Record<string, unknown>, bound: string, exclusive: string): void {
  if (typeof schema[exclusive] !== "boolean") return;
  if (schema[exclusive] === true && typeof schema[bound] === "number") schema[exclusive] = schema[bound];
  else delete schema[exclusive];
}

/** Patterns are JavaScript's by the standard; services also write those of their own language, which cannot be checked here. */
function isPattern(value: unknown): boolean {
  if (typeof value !== "string") return value === undefined;
  try {
    new RegExp(value, "u");
    return true;
  } catch {
    return false;
  }
}
