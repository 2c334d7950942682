/** A JSON object, of which nothing more is known. */
export type Json = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is an object of fields. A promise, a list or a `Map`, taken for one, would say nothing. */
export function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !("then" in value) && !(Symbol.iterator in value);
}

/** Whether a value is a text. */
export const isText = (value: unknown): value is string => typeof value === "string";

/** What kind of JSON value it is: `null`, `array`, else what `typeof` says. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** An own property of a value, where it has it. */
export function child(value: unknown, key: PropertyKey): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

/** A property of a value that may be anything; `undefined` where it has none. */
export function field(value: unknown, name: string): unknown {
  return Reflect.get(Object(value), name);
}

/** The value that a text writes; `undefined`, which is no JSON value, where it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
