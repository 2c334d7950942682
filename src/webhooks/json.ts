/** A JSON object, of which nothing more is known. */
export type Json = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is a text. */
export const isText = (value: unknown): value is string => typeof value === "string";
