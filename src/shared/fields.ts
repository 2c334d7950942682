import { isRecord } from "./json.js";

/** The fields of an object. Without a prototype: every name in it is a field. */
export type Fields = Record<string, unknown>;

/**
 * Reads the fields of an object, each once: its own, hidden ones and getters included, and those it inherits. The only
 * function that reads options, so that a setting is either seen by every check, or is an unknown field.
 *
 * @param names - Read even if the object doesn't list them, as a `Proxy` may not.
 * @returns `undefined` if it isn't an object of fields, such as a `Map`, an array or a promise.
 */
export function fieldsOf(value: unknown, names: readonly string[] = []): Fields | undefined {
  if (!isRecord(value)) return undefined;
  const fields: Fields = Object.create(null);
  for (const name of Object.getOwnPropertyNames(value)) fields[name] = Reflect.get(value, name);
  let level: object | null = Object.getPrototypeOf(value);
  for (; level && !isRoot(level); level = Object.getPrototypeOf(level)) {
    for (const name of Object.getOwnPropertyNames(level)) {
      if (name in fields || name === "constructor") continue;
      const found: unknown = Reflect.get(value, name);
      // A method may use the fields of its object.
      fields[name] = typeof found === "function" ? found.bind(value) : found;
    }
  }
  for (const name of names) {
    // Not what a library has added to every object.
    if (name in fields || name in Object.prototype) continue;
    const found: unknown = Reflect.get(value, name);
    if (found !== undefined) fields[name] = found;
  }
  return fields;
}

/** Whether an object is `Object.prototype`, of any realm. */
function isRoot(value: object): boolean {
  return Object.getPrototypeOf(value) === null && Object.hasOwn(value, "hasOwnProperty");
}
