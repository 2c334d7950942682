import { isObject, type Json } from "../../../../src/shared/json.js";
import { danglingReferences, names, offences, unknownKeywords, visits } from "./walk.js";

const PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/;
const FORMATS = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid", "uri"];
const STRICT_KEYWORDS =
  "type description properties required additionalProperties items enum const anyOf allOf $ref $defs default format pattern minItems".split(
    " ",
  );

function shared(root: Json): string[] {
  const refused = ["anyOf", "oneOf", "allOf"].filter((keyword) => keyword in root);
  return [
    ...danglingReferences(root),
    ...refused.map((keyword) => `${keyword} at the root`),
    ...(root["type"] === "object" ? [] : ["the root is no object"]),
    ...offences(root, ({ schema }) =>
      names(schema).map((name) => !PROPERTY.test(name) && `property ${JSON.stringify(name)}`),
    ),
  ];
}

/** The rules of tools with `strict: true`. */
export function strictAnthropic(root: Json): string[] {
  const all = visits(root);
  const optionals = all.filter(({ isRequired }) => isRequired === false).length;
  const unions = all.filter(
    ({ isRequired, schema }) =>
      isRequired !== undefined && (schema["anyOf"] !== undefined || Array.isArray(schema["type"])),
  ).length;
  return [
    ...shared(root),
    ...(optionals > 24 ? ["too many optional parameters"] : []),
    ...(unions > 16 ? ["too many unions"] : []),
    ...offences(root, ({ schema }) => {
      const pattern = String(schema["pattern"] ?? "");
      return [
        unknownKeywords(schema, STRICT_KEYWORDS),
        schema["$ref"] !== undefined && "a reference, which recurs",
        schema["type"] === "object" && schema["additionalProperties"] !== false && "open object",
        schema["additionalProperties"] !== undefined && schema["additionalProperties"] !== false && "open object",
        schema["type"] === undefined && schema["anyOf"] === undefined && "no type",
        Number(schema["minItems"] ?? 0) > 1 && "minItems above 1",
        schema["format"] !== undefined && !FORMATS.includes(String(schema["format"])) && "unknown format",
        /\(\?[=!<]|\\b|\\[1-9]/.test(pattern) && "demanding pattern",
        Array.isArray(schema["enum"]) &&
          schema["enum"].some((value) => typeof value === "object" && value !== null) &&
          "enum of no scalars",
      ];
    }),
  ];
}

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"];

/** The rules of plain tools: draft 2020-12, as its metaschema has it. */
export function plainAnthropic(root: Json): string[] {
  return [...shared(root), ...draft2020(root)];
}

/** The parts that the metaschema of draft 2020-12 rejects. */
export function draft2020(root: Json): string[] {
  const schemas = ["items", "additionalProperties", "contains", "propertyNames", "not", "if", "then", "else"];
  const lists = ["anyOf", "oneOf", "allOf", "prefixItems"];
  const counts = ["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"];
  const numbers = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
  const isSchema = (value: unknown) => isObject(value) || typeof value === "boolean";
  return offences(root, ({ schema }) => {
    const bad = (keywords: readonly string[], isGood: (value: unknown) => boolean) =>
      keywords.filter((keyword) => keyword in schema && !isGood(schema[keyword]));
    const types = [schema["type"] ?? []].flat();
    return [
      ...bad(schemas, isSchema),
      ...bad(lists, (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema)),
      ...bad(
        ["properties", "patternProperties", "dependentSchemas"],
        (value) => isObject(value) && Object.values(value).every(isSchema),
      ),
      ...bad(counts, (value) => Number.isInteger(value) && Number(value) >= 0),
      ...bad(numbers, (value) => typeof value === "number"),
      ...bad(
        ["required"],
        (value) =>
          Array.isArray(value) &&
          new Set(value).size === value.length &&
          value.every((name) => typeof name === "string"),
      ),
      ...bad(["enum"], Array.isArray),
      ...bad(["$schema", "definitions", "id", "nullable", "additionalItems", "dependencies"], () => false),
      (types.some((type) => !TYPES.includes(String(type))) || new Set(types).size < types.length) && "type",
    ];
  });
}
