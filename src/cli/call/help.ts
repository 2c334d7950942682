import { CREDENTIALS } from "../../core/endpoint.js";
import { alternatives, type Callable, type Field, itemsOf, kindsOf, type Schema } from "./callable.js";

/** The help of one operation, from the contract. */
export function operationHelp({ endpoint, params, fields, hasBody }: Callable): string[] {
  const { name, method, path, auth, deprecated } = endpoint;
  const keys = auth.map((kind) => CREDENTIALS[kind].variable ?? "the session cookie, which can't be passed");
  return [
    [`svc-sdk call ${name}`, ...params.map((param) => `<${param}>`), "[options]"].join(" "),
    "",
    `  ${method} ${path}`,
    `  Key: ${keys.length > 0 ? keys.join(", or ") : "none"}`,
    ...(deprecated?.includes("operation") ? ["  Deprecated."] : []),
    ...section(
      "Query",
      fields.filter(({ place }) => place === "query"),
    ),
    ...section(
      "Body",
      fields.filter(({ place }) => place === "body"),
    ),
    "",
    "Options",
    ...(hasBody ? [line("--body <json>", "the whole body; other options replace its fields")] : []),
    line("--api-version <v3.1|v3>", "API version to use (default v3.1)"),
    line("--verbose", "log every request and error details to standard error"),
    line("-h, --help", "show this help"),
    "",
    "Values are strings or JSON; @file reads a file, @- reads standard input.",
  ];
}

function section(title: string, fields: readonly Field[]): string[] {
  if (fields.length === 0) return [];
  const sorted = [...fields].sort((one, other) => rank(one) - rank(other));
  return ["", title, ...sorted.map(fieldLine)];
}

function rank({ isRequired, isDeprecated }: Field): number {
  return Number(!isRequired) + 2 * Number(isDeprecated);
}

function fieldLine({ name, place, schema, isRequired, isDeprecated }: Field): string {
  const words = [isRequired ? "required" : "", isDeprecated ? "deprecated" : "", ...limitsOf(schema)];
  // --body alone is the whole body.
  const option = name === "body" ? `--${place}.body` : `--${name}`;
  return line(`${option} <${typeName(schema)}>`, words.filter((word) => word !== "").join(", "));
}

function line(option: string, words: string): string {
  return `  ${option.padEnd(WIDTH)} ${words}`.trimEnd();
}

const WIDTH = 40;
const MOST_VALUES = 8;

/** The type of a value in one word, or its values. */
function typeName(schema: Schema): string {
  const values = valuesOf(schema);
  if (values.length > 0 && values.length <= MOST_VALUES) return values.join("|");
  const kinds = [...kindsOf(schema)].filter((kind) => kind !== "null");
  return kinds.length > 3 ? "json" : kinds.join("|");
}

function limitsOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, format } = schema;
  const open = knownValuesOf(schema);
  return [
    range(minimum, maximum, ""),
    range(minLength, maxLength, " characters"),
    range(minItems, maxItems, " items"),
    typeof format === "string" && /^[a-z-]+$/.test(format) ? format : "",
    kindsOf(schema).has("object") ? partsOf(schema) : "",
    open.length > 0 ? `such as ${open.slice(0, MOST_VALUES).join(", ")}` : "",
    kindsOf(schema).has("array") ? "can be repeated" : "",
  ].filter((words) => words !== "");
}

/** The names in an object; a question mark follows those that may be missing. */
function partsOf({ properties, required }: Schema): string {
  const names = Object.keys(Object(properties)).slice(0, MOST_VALUES);
  const shown = names.map((name) => (Array.isArray(required) && required.includes(name) ? name : `${name}?`));
  return shown.length > 0 ? `{ ${shown.join(", ")} }` : "";
}

/** Limits near the largest safe integer only say that it's an integer. */
function range(least: unknown, most: unknown, unit: string): string {
  const [from, to] = [least, most].map((limit) => (Math.abs(Number(limit)) < 1e15 ? String(limit) : undefined));
  if (from !== undefined && to !== undefined) return `${from} to ${to}${unit}`;
  if (from !== undefined) return `at least ${from}${unit}`;
  return to === undefined ? "" : `at most ${to}${unit}`;
}

function valuesOf(schema: Schema): string[] {
  const { enum: values } = schema;
  const shapes = alternatives(schema).filter((shape) => !(kindsOf(shape).size === 1 && kindsOf(shape).has("null")));
  if (shapes.length === 1) return shapes.flatMap(valuesOf);
  return Array.isArray(values) ? values.map(String) : [];
}

/** The values that a service is known to use, next to others; of an array, those of its items. */
function knownValuesOf(schema: Schema): string[] {
  const { "x-known-values": known } = schema;
  if (Array.isArray(known)) return known.map(String);
  const items = itemsOf(schema);
  return Object.keys(items).length > 0 ? [...knownValuesOf(items), ...valuesOf(items)] : [];
}
