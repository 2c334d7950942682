import { readJson } from "../../shared/json.js";

/** A form: what the emulator makes of a JSON Schema, and what the page's own forms add. */
export interface FormSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, FormSchema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly contentMediaType?: string;
  /** Shown instead of the name. */
  readonly label?: string;
  /** Shown instead of choices. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Another property, and those of its values for which this one is shown. */
  readonly when?: readonly [name: string, values: readonly string[]];
}

/** How a form edits a value of a schema. */
type Control = "text" | "time" | "long" | "number" | "check" | "choice" | "json";

/** The control for a property. Whatever has no simple one is edited as JSON. */
export function controlOf(schema: FormSchema, isRequired: boolean): Control {
  const { type, enum: choices, maxLength = 0, description = "", contentMediaType } = schema;
  if (choices) return "choice";
  const types = [type].flat().filter((name) => name !== "null");
  if (types.length !== 1) return "json";
  switch (types[0]) {
    case "string": {
      if (contentMediaType || maxLength > 500) return "long";
      return /\b(body|content|message|markdown)\b/i.test(description) ? "long" : "text";
    }
    case "time":
      return "time";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return isRequired ? "check" : "choice";
    default:
      return "json";
  }
}

/** The fields of a form as strings, by name. */
export type Inputs = Readonly<Record<string, string>>;

/** The string in a field. A property may be called `constructor`, which every object inherits. */
export function inputIn(inputs: Inputs, name: string): string {
  return (Object.hasOwn(inputs, name) && inputs[name]) || "";
}

/** The initial values of a form: required properties and those with a default. */
export function startOf({ properties = {}, required = [] }: FormSchema): Inputs {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => {
      const given = schema.default ?? (required.includes(name) ? exampleOf(name, schema) : undefined);
      return given === undefined ? [] : [[name, typeof given === "string" ? given : JSON.stringify(given)]];
    }),
  );
}

/** A value that fits a required property, so that a form can be sent as it is. */
function exampleOf(name: string, schema: FormSchema): unknown {
  const [first] = schema.examples ?? schema.enum ?? [];
  if (first !== undefined) return first;
  switch (controlOf(schema, true)) {
    case "number":
      return 1;
    case "check":
      return false;
    case "json":
      return [schema.type].flat().includes("array") ? [] : {};
    case "time":
      return "";
    default:
      return /url|uri|link/i.test(name)
        ? "https://example.com/"
        : /(time|date|_at$)/i.test(name)
          ? "2026-01-01T00:00:00Z"
          : `example ${name}`;
  }
}

/** The properties that a form shows, required ones first. */
export function shownOf(
  { properties = {}, required = [] }: FormSchema,
  inputs: Inputs,
): [name: string, schema: FormSchema][] {
  return Object.entries(properties)
    .filter(([, { when }]) => when === undefined || when[1].includes(inputIn(inputs, when[0])))
    .sort(([left], [right]) => Number(required.includes(right)) - Number(required.includes(left)));
}

/**
 * The object that a form describes. Empty fields are omitted unless they're required.
 *
 * @throws {Error} naming the property that isn't valid JSON.
 */
export function valuesOf(schema: FormSchema, inputs: Inputs): Record<string, unknown> {
  const { required = [] } = schema;
  return Object.fromEntries(
    shownOf(schema, inputs).flatMap(([name, property]) => {
      const text = inputIn(inputs, name);
      const isRequired = required.includes(name);
      return text === "" && !isRequired ? [] : [[name, parsedText(name, property, text, isRequired)]];
    }),
  );
}

function parsedText(name: string, schema: FormSchema, text: string, isRequired: boolean): unknown {
  const control = controlOf(schema, isRequired);
  if (control === "text" || control === "long" || control === "time") return text;
  if (control === "choice" && schema.enum) return schema.enum.find((choice) => String(choice) === text) ?? text;
  try {
    return readJson(text);
  } catch {
    throw new Error(`${schema.label ?? name} must be ${control === "number" ? "a number" : "valid JSON"}.`);
  }
}
