import { SchemaObject } from "../../json-schema/schema-object.js";
import type { JsonObject } from "../../resources/schema-kit.js";
import { NUMBER } from "../engine/read-query.js";

/**
 * Derives a tool's arguments from text, as the service's model would, but by matching `name: value`, `name=value`, and
 * `name "value"` for the tool's argument names. Assumption E5.
 */
export function deriveArguments(input: JsonObject, text: string): { found: JsonObject; missing: string[] } {
  const { fields, requiredNames } = new SchemaObject(input);
  const found: JsonObject = {};
  for (const [name, schema] of fields) {
    const pattern = name.replace(/[^\w]/g, "\\$&").replaceAll("_", "[ _]");
    // Each space matches in only one way; otherwise a long run of them takes quadratic time.
    const match = new RegExp(`\\b${pattern}\\b\\s*(?:(?:[:=]|is)\\s*)?(?:"([^"]*)"|'([^']*)'|([^\\s,;]+))`, "i").exec(
      text,
    );
    const value = match?.[1] ?? match?.[2] ?? match?.[3];
    if (value !== undefined) found[name] = typed(value, schema);
  }
  return { found, missing: requiredNames.filter((name) => !Object.hasOwn(found, name)) };
}

function typed(text: string, schema: unknown): unknown {
  const { types = [] } = new SchemaObject(Object(schema));
  if (types.includes("string")) return text;
  if ((types.includes("number") || types.includes("integer")) && NUMBER.test(text)) return Number(text);
  if (types.includes("boolean") && /^(true|false)$/.test(text)) return text === "true";
  return text;
}
