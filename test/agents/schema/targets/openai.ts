import { isObject, type Json } from "../../../../src/shared/json.js";
import { danglingReferences, names, offences, unknownKeywords, visits } from "./walk.js";

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"];
const FORMATS = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
const STRICT_KEYWORDS = [
  ..."type description properties required additionalProperties items enum const anyOf $ref $defs pattern format".split(
    " ",
  ),
  ..."minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems".split(" "),
];

/** The rules of OpenAI's structured outputs, as its guide, its types and reported rejections have them. */
export function strictOpenAi(root: Json): string[] {
  const all = visits(root);
  const properties = all.flatMap(({ schema }) => names(schema));
  const values = all.flatMap(({ schema }) => (Array.isArray(schema["enum"]) ? schema["enum"].map(String) : []));
  const total = [...properties, ...values, ...Object.keys(Object(root["$defs"]))].join("").length;
  return [
    ...danglingReferences(root),
    ...[
      root["type"] !== "object" && "the root is no object",
      root["anyOf"] !== undefined && "the root is a union",
      properties.length > 5_000 && "too many properties",
      values.length > 1_000 && "too many enum values",
      total > 120_000 && "too many characters",
    ].flatMap((offence) => (offence ? [offence] : [])),
    ...offences(root, ({ schema, level }) => {
      const { type, enum: list, anyOf, $ref: reference } = schema;
      const types = [type ?? []].flat();
      const kinds = types.filter((kind) => kind !== "null");
      return [
        unknownKeywords(schema, STRICT_KEYWORDS),
        level > 10 && "nested too deep",
        reference !== undefined && Object.keys(schema).length > 1 && "something stands beside $ref",
        type === undefined && anyOf === undefined && reference === undefined && "no type",
        types.some((kind) => !TYPES.includes(String(kind))) && "unknown type",
        kinds.length > 1 && "several types besides null",
        types.includes("object") && !isObject(schema["properties"]) && "no properties",
        types.includes("object") && schema["additionalProperties"] !== false && "open object",
        types.includes("object") &&
          names(schema).sort().join("\0") !==
            [...(Array.isArray(schema["required"]) ? schema["required"] : [])].sort().join("\0") &&
          "not all properties are required",
        types.includes("array") && !isObject(schema["items"]) && "no items",
        Array.isArray(list) && list.length > 250 && list.map(String).join("").length > 15_000 && "enum too large",
        Array.isArray(list) &&
          (list.length === 0 || list.some((value) => typeof value === "object" && value !== null)) &&
          "enum of no scalars",
        schema["format"] !== undefined && !FORMATS.includes(String(schema["format"])) && "unknown format",
        /\(\?[=!<]/.test(String(schema["pattern"])) && "look-around",
        Array.isArray(anyOf) && sameFirstKeys(anyOf, root) && "branches with the same first key",
      ];
    }),
  ];
}

/** Two branches may start with the same key only if its values differ. */
function sameFirstKeys(branches: readonly unknown[], root: Json): boolean {
  const firsts = branches.flatMap((branch) => {
    const name = String(Object(branch).$ref ?? "").replace("#/$defs/", "");
    const target = name === "" ? branch : Reflect.get(Object(root["$defs"]), name);
    const [key, property] = Object.entries(Object(Object(target).properties))[0] ?? [];
    return key === undefined ? [] : [{ key, values: (Object(property).enum ?? []) as unknown[] }];
  });
  return firsts.some((one, index) =>
    firsts
      .slice(index + 1)
      .some(
        (other) =>
          one.key === other.key &&
          (one.values.length === 0 ||
            other.values.length === 0 ||
            one.values.some((value) => other.values.includes(value))),
      ),
  );
}

/** The rules of plain function tools: any JSON Schema below an object. */
export function plainOpenAi(root: Json): string[] {
  const refused = ["anyOf", "oneOf", "allOf", "enum", "not", "const"].filter((keyword) => keyword in root);
  return [
    ...danglingReferences(root),
    ...refused.map((keyword) => `${keyword} at the root`),
    ...(root["type"] === "object" && isObject(root["properties"]) ? [] : ["the root is no object with properties"]),
    ...offences(root, ({ schema }) => [
      ([schema["type"]].flat().includes("array") || schema["prefixItems"] !== undefined) &&
        schema["items"] === undefined &&
        "array without items",
      typeof schema["exclusiveMinimum"] === "boolean" && "draft 4",
      Array.isArray(schema["items"]) && "draft 7",
    ]),
  ];
}
