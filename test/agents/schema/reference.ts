import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import { atPointer } from "../../../src/json-schema/references.js";
import { isObject, type Json } from "../../../src/shared/json.js";

const SCHEMAS =
  "items additionalItems contains additionalProperties propertyNames not if then else unevaluatedProperties".split(" ");
const LISTS = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];
const MAPS = ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions", "dependencies"];

/**
 * A schema of any draft in the words of 2020-12, for the validator. Written apart from the compiler, to test it:
 * references stay references, combinators stay combinators. References without a target accept everything.
 */
export function referenceSchema(root: unknown): Json {
  const convert = (schema: unknown): unknown => {
    if (!isObject(schema)) return schema;
    const copy: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (LISTS.includes(keyword) && Array.isArray(value)) copy[keyword] = value.map(convert);
      else if (SCHEMAS.includes(keyword)) copy[keyword] = convert(value);
      else if (MAPS.includes(keyword) && isObject(value)) {
        copy[keyword] = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, convert(member)]));
      } else copy[keyword] = value;
    }
    if (typeof copy["$ref"] === "string" && atPointer(root, copy["$ref"]) === undefined) delete copy["$ref"];
    if (Array.isArray(copy["items"])) {
      copy["prefixItems"] = copy["items"];
      delete copy["items"];
      if (copy["additionalItems"] !== undefined) copy["items"] = copy["additionalItems"];
    }
    delete copy["additionalItems"];
    for (const [bound, exclusive] of [
      ["minimum", "exclusiveMinimum"],
      ["maximum", "exclusiveMaximum"],
    ] as const) {
      if (copy[exclusive] === true) {
        copy[exclusive] = copy[bound];
        delete copy[bound];
      } else if (copy[exclusive] === false) delete copy[exclusive];
    }
    if (copy["nullable"] !== true) return copy;
    const { nullable: _, ...others } = copy;
    return { anyOf: [others, { type: "null" }] };
  };
  // The root of a schema document is an object, or accepts everything or nothing.
  const converted = convert(root);
  if (!isObject(converted)) return converted === false ? { not: {} } : {};
  // Below `anyOf` no reference would find its definitions.
  const { anyOf, ...rest } = converted;
  return isObject(root) && root["nullable"] === true && Array.isArray(anyOf)
    ? Object(anyOf[0])
    : { ...rest, ...(anyOf === undefined ? {} : { anyOf }) };
}

const TOO_MANY: OutputUnit = { keyword: "", keywordLocation: "#", instanceLocation: "#", error: "Too many errors." };

/** A checker of values, with every place and keyword that fails. */
export function checker(schema: Json): (value: unknown) => OutputUnit[] {
  // The validator takes any JSON as a schema.
  const validator = new Validator(schema as Schema, "2020-12", false);
  return (value) => {
    try {
      return validator.validate(value).errors;
    } catch (error) {
      // The validator passes its errors as arguments, and overflows when there are very many.
      if (error instanceof RangeError) return [TOO_MANY];
      throw error;
    }
  };
}
