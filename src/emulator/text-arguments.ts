import type { JsonObject } from "./definitions.js";

/**
 * Derives a tool's arguments from a text, the way the service's model would, without a model: it reads `name: value`,
 * `name=value` and `name "value"` for the names the tool takes. See assumption E5.
 */
export function deriveArguments(input: JsonObject, text: string): { found: JsonObject; missing: string[] } {
  const found: JsonObject = {};
  for (const [name, schema] of Object.entries(asObject(input["properties"]))) {
    const spoken = name.replace(/[^\w]/g, "\\$&").replaceAll("_", "[ _]");
    // One way to read each space: with two, a long row of them takes quadratic time.
    const match = new RegExp(`\\b${spoken}\\b\\s*(?:(?:[:=]|is)\\s*)?(?:"([^"]*)"|'([^']*)'|([^\\s,;]+))`, "i").exec(
      text,
    );
    const value = match?.[1] ?? match?.[2] ?? match?.[3];
    if (value !== undefined) found[name] = typed(value, asObject(schema)["type"]);
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

function asObject(value: unknown): JsonObject {
  // JSON Schema keywords hold JSON objects.
  return typeof value === "object" && value !== null ? (value as JsonObject) : {};
}
