/** A JSON object with unknown fields. */
export type Json = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is an object literal, of any realm, rather than an object of a class. */
export function isLiteral(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether a value is an object of fields. A promise, an array or a `Map` isn't: its fields would be ignored. */
export function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !("then" in value) && !(Symbol.iterator in value);
}

/** Whether a value is a string. */
export const isString = (value: unknown): value is string => typeof value === "string";

/** The kind of a JSON value: `null`, `array`, otherwise its `typeof`. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** An own property of a value; `undefined` if it doesn't have it. */
export function child(value: unknown, key: PropertyKey): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

/**
 * A copy of an array or object in which each item or member is converted; an item has no name. Other values are
 * returned as they are.
 */
export function mapMembers(value: unknown, convert: (member: unknown, name?: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => convert(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, convert(member, name)]));
}

/** A property of any value; `undefined` if it doesn't have it. */
export function field(value: unknown, name: PropertyKey): unknown {
  return Reflect.get(Object(value), name);
}

/** A property of any value, if it's a string; otherwise an empty string. */
export function textOf(value: unknown, name: PropertyKey): string {
  const text = field(value, name);
  return isString(text) ? text : "";
}

/** Parses a string; `undefined`, which isn't a JSON value, if it isn't JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
