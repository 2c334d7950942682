import type { JsonObject } from "../definitions.js";

/** An object schema for arguments or results: every property is required but the named ones. */
export function objectSchema(properties: Record<string, JsonObject>, optional: readonly string[] = []): JsonObject {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required };
}

/** A text property. */
export const text = (description: string): JsonObject => ({ type: "string", description });
/** A whole-number property. */
export const whole = (description: string): JsonObject => ({ type: "integer", description });
/** A list property. */
export const list = (items: JsonObject, description: string): JsonObject => ({ type: "array", items, description });
