import { readFileSync } from "node:fs";
import { kindOf, parseJson } from "../../shared/json.js";
import { UsageError } from "../command.js";
import { alternatives, type Schema } from "./callable.js";

const ANY = ["string", "number", "boolean", "null", "array", "object"];

/** The kinds of JSON values that a schema accepts. */
export function kindsOf(schema: Schema): ReadonlySet<string> {
  const shapes = alternatives(schema);
  if (shapes.length > 0) return new Set(shapes.flatMap((shape) => [...kindsOf(shape)]));
  const { type, enum: values, const: value } = schema;
  if (Array.isArray(values)) return new Set(values.map(kindOf));
  if (value !== undefined) return new Set([kindOf(value)]);
  const types = type === undefined ? ANY : [type].flat().map(String);
  return new Set(types.map((one) => (one === "integer" ? "number" : one)));
}

/**
 * The value of an option that was given once or several times.
 *
 * @param given - As written: a string, JSON, `@file`, or `@-` for standard input.
 * @throws {UsageError} if the schema accepts no such kind of value.
 */
export function readValue(option: string, schema: Schema, given: readonly string[]): unknown {
  const kinds = kindsOf(schema);
  const [first = "", ...more] = given;
  if (kinds.has("array") && (more.length > 0 || !kinds.has("string"))) {
    const whole = more.length === 0 ? parseJson(contentOf(option, first, true)) : undefined;
    return Array.isArray(whole) ? whole : given.map((text) => oneValue(option, itemsOf(schema), text));
  }
  if (more.length > 0) throw new UsageError(`${option} was given ${given.length} times, but takes one value.`);
  return oneValue(option, schema, first);
}

function oneValue(option: string, schema: Schema, text: string): unknown {
  const kinds = kindsOf(schema);
  const isTextOnly = kinds.size === 1 && kinds.has("string");
  const content = contentOf(option, text, !kinds.has("string"));
  if (isTextOnly) return content;
  const value = parseJson(content);
  if (value !== undefined && kinds.has(kindOf(value))) return value;
  if (kinds.has("string")) return content;
  const found = value === undefined ? "something that isn't JSON" : kindOf(value);
  throw new UsageError(
    `${option} must be ${[...kinds].join(" or ")}, not ${found}. JSON must be in quotes: '{"a": 1}'.`,
  );
}

/** The schema of an array's items. */
export function itemsOf(schema: Schema): Schema {
  const { items = alternatives(schema).find(({ items: some }) => some !== undefined)?.["items"] } = schema;
  return Object(items);
}

/** @param readsDash - Whether a hyphen alone means standard input; as text it may mean itself. */
export function contentOf(option: string, text: string, readsDash: boolean): string {
  if (text === "@-" || (readsDash && text === "-")) return readFileSync(0, "utf8");
  if (text.startsWith("@@")) return text.slice(1);
  if (!text.startsWith("@")) return text;
  try {
    return readFileSync(text.slice(1), "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${option}: ${reason}. A text that starts with @ is written with @@.`);
  }
}
