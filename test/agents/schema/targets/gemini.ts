import type { Json } from "../../../../src/shared/json.js";
import { danglingReferences, names, offences, unknownKeywords, type Visit, visits } from "./walk.js";

const PROPERTY = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const OPEN_API_KEYWORDS = [
  ..."type format title description nullable enum example default items minItems maxItems properties required".split(
    " ",
  ),
  ..."propertyOrdering minProperties maxProperties minimum maximum minLength maxLength pattern anyOf".split(" "),
];
const JSON_SCHEMA_KEYWORDS = [
  ..."$id $defs $ref $anchor type format title description enum items prefixItems minItems maxItems minimum maximum".split(
    " ",
  ),
  ..."anyOf oneOf properties additionalProperties required propertyOrdering".split(" "),
];
const TYPES = ["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"];
const COUNTS = ["minItems", "maxItems", "minProperties", "maxProperties", "minLength", "maxLength"];

const namesOf = (schema: Json) =>
  names(schema).map((name) => !PROPERTY.test(name) && `property ${JSON.stringify(name)}`);

/** Names that are required but not declared. */
function undeclared(schema: Json): string | false {
  const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
  return required.some((name) => !names(schema).includes(name)) && "required names an undefined property";
}

/** The rules of `parameters`. */
export function geminiParameters(root: Json): string[] {
  return [
    ...(root["type"] === "OBJECT" ? [] : ["the root is no object"]),
    ...offences(root, ({ schema }) => {
      const { type, anyOf, enum: values } = schema;
      return [
        unknownKeywords(schema, OPEN_API_KEYWORDS),
        ...namesOf(schema),
        undeclared(schema),
        type !== undefined && !TYPES.includes(String(type)) && "unknown type",
        type === undefined && anyOf === undefined && "no type",
        anyOf !== undefined && Object.keys(schema).length > 1 && "something stands beside anyOf",
        schema["properties"] !== undefined && type !== "OBJECT" && "properties of no object",
        type === "ARRAY" && schema["items"] === undefined && "no items",
        Array.isArray(values) &&
          (type !== "STRING" || values.some((value) => typeof value !== "string" || value === "")) &&
          "enum of no texts",
        COUNTS.some((keyword) => keyword in schema && typeof schema[keyword] !== "string") && "a count that is no text",
        ["minimum", "maximum"].some((keyword) => keyword in schema && typeof schema[keyword] !== "number") &&
          "a bound that is no number",
        type === "STRING" &&
          schema["format"] !== undefined &&
          !["enum", "date-time"].includes(String(schema["format"])) &&
          "unknown format",
      ];
    }),
  ];
}

/** The rules of `parametersJsonSchema`. */
export function geminiJsonSchema(root: Json): string[] {
  return [
    ...danglingReferences(root),
    ...requiredCycles(root),
    ...(root["type"] === "object" ? [] : ["the root is no object"]),
    ...offences(root, ({ schema }) => [
      unknownKeywords(schema, JSON_SCHEMA_KEYWORDS),
      ...namesOf(schema),
      undeclared(schema),
      Array.isArray(schema["type"]) && "a list of types",
      schema["$ref"] !== undefined &&
        Object.keys(schema).some((keyword) => !keyword.startsWith("$")) &&
        "something stands beside $ref",
      Array.isArray(schema["enum"]) &&
        schema["enum"].some((value) => typeof value !== "string" && typeof value !== "number") &&
        "enum of neither texts nor numbers",
    ]),
  ];
}

/** Definitions that need themselves: a cycle must go through an optional property. */
function requiredCycles(root: Json): string[] {
  const needs = new Map(
    Object.entries(Object(root["$defs"])).map(([name, definition]) => {
      const all = visits({ $defs: { [name]: definition } });
      const optional = all.filter(({ isRequired }) => isRequired === false).map(({ path }) => path);
      const isNeeded = ({ schema, path }: Visit) =>
        schema["$ref"] !== undefined && !optional.some((above) => path === above || path.startsWith(`${above}/`));
      return [name, new Set(all.filter(isNeeded).map(({ schema }) => String(schema["$ref"]).replace("#/$defs/", "")))];
    }),
  );
  const reached = (from: string): Set<string> => {
    const found = new Set(needs.get(from));
    for (const name of found) for (const next of needs.get(name) ?? []) found.add(next);
    return found;
  };
  return [...needs.keys()].filter((name) => reached(name).has(name)).map((name) => `${name} contains itself`);
}

/** The rules that all plain targets share. */
export function portable(root: Json): string[] {
  const known =
    "type format description enum items prefixItems minItems maxItems minimum maximum anyOf properties additionalProperties required".split(
      " ",
    );
  return [
    ...(root["type"] === "object" && root["properties"] !== undefined ? [] : ["the root is no object with properties"]),
    ...geminiJsonSchema(root),
    ...offences(root, ({ schema }) => [
      unknownKeywords(schema, known),
      schema["anyOf"] !== undefined && Object.keys(schema).length > 1 && "something stands beside anyOf",
      schema["type"] === "array" && schema["items"] === undefined && "array without items",
      Array.isArray(schema["enum"]) && schema["enum"].includes("") && "empty enum value",
    ]),
  ];
}
