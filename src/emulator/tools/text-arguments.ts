import { field } from "../../shared/json.js";
import type { JsonObject } from "../catalog/definitions.js";

/**
 * Derives a tool's arguments from text, as the service's model would, but by matching `name: value`, `name=value`, and
 * `name "value"` for the tool's argument names. Assumption E5.
 */
export function deriveArguments(input: JsonObject, text: string): { found: JsonObject; missing: string[] } {
  const found: JsonObject = {};
  for (const [name, schema] of Object.entries(Object(input["properties"]))) {
    const pattern = name.replace(/[^\w]/g, "\\$&").replaceAll("_", "[ _]");
    // Each space matches in only one way; otherwise a long run of them takes quadratic time.
    const match = new RegExp(`\\b${pattern}\\b\\s*(?:(?:[:=]|is)\\s*)?(?:"([^"]*)"|'([^']*)'|([^\\s,;]+))`, "i").exec(
      text,
    );
    const value = match?.[1] ?? match?.[2] ?? match?.[3];
    if (value !== undefined) found[name] = typed(value, field(schema, "type"));
  }
  const required: unknown = input["required"];
  const missing = Array.isArray(required) ? required.map(String).filter((name) => !Object.hasOwn(found, name)) : [];
  return { found, missing };
}

function typed(text: string, type: unknown): unknown {
  if ((type === "number" || type === "integer") && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === "boolean" && /^(true|false)$/.test(text)) return text === "true";
  return text;
}
