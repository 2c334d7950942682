import type { Schema } from "./view-types.js";

/** How a form edits a value of a schema. */
export type Control = "text" | "long" | "number" | "boolean" | "choice" | "json";

/** The control for a property. Whatever has no simple one is edited as JSON. */
export function controlOf({ type, enum: choices, maxLength = 0, description = "" }: Schema): Control {
  if (choices) return "choice";
  const types = [type].flat().filter((one) => one !== "null");
  if (types.length !== 1) return "json";
  switch (types[0]) {
    case "string":
      return maxLength > 500 || /\b(body|content|message|markdown)\b/i.test(description) ? "long" : "text";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    default:
      return "json";
  }
}

/** The initial values of a form, as strings: required properties and those with a default. */
export function startOf({ properties = {}, required = [] }: Schema): Record<string, string> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => {
      const given = schema.default ?? (required.includes(name) ? exampleOf(name, schema) : undefined);
      return given === undefined ? [] : [[name, typeof given === "string" ? given : JSON.stringify(given)]];
    }),
  );
}

/** A value that fits a property, so that a form can be sent as it is. */
function exampleOf(name: string, schema: Schema): unknown {
  const [first] = schema.examples ?? schema.enum ?? [];
  if (first !== undefined) return first;
  switch (controlOf(schema)) {
    case "number":
      return 1;
    case "boolean":
      return false;
    case "json":
      return [schema.type].flat().includes("array") ? [] : {};
    default:
      return /url|uri|link/i.test(name)
        ? "https://example.com/"
        : /(time|date|_at$)/i.test(name)
          ? "2026-01-01T00:00:00Z"
          : `example ${name}`;
  }
}

/**
 * The object that a form describes; empty fields are omitted.
 *
 * @throws {Error} naming the property that isn't valid JSON.
 */
export function valuesOf(
  { properties = {} }: Schema,
  inputs: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([name, text]) => {
      const schema = properties[name];
      if (text === "" || !schema) return [];
      return [[name, parsedText(name, schema, text)]];
    }),
  );
}

function parsedText(name: string, schema: Schema, text: string): unknown {
  const control = controlOf(schema);
  if (control === "text" || control === "long") return text;
  if (control === "choice") return schema.enum?.find((choice) => String(choice) === text) ?? text;
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${name} must be ${control === "json" ? "valid JSON" : `a ${control}`}.`);
  }
}
