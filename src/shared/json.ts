// The room of small functions, such as JSON, text, timers and digests, and of names and facts that several rooms need,
// such as headers, credentials and the emulator's port. It imports no other room, and every other room may import it.
// Start here, or at the file that you need.

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

/** Whether a value is JSON: `JSON.stringify` would omit or change any other. */
export function isJson(value: unknown): boolean {
  // A gap in an array isn't visited by every().
  if (Array.isArray(value)) return [...value].every(isJson);
  if (isObject(value)) return isLiteral(value) && Object.values(value).every(isJson);
  return value === null || isString(value) || typeof value === "boolean" || Number.isFinite(value);
}

/** Whether a value is an object of fields. A promise, an array or a `Map` isn't: its fields would be ignored. */
export function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !("then" in value) && !(Symbol.iterator in value);
}

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
  for (let level = Object.getPrototypeOf(value); level; level = Object.getPrototypeOf(level)) {
    // Object.prototype, of any realm.
    if (Object.getPrototypeOf(level) === null && Object.hasOwn(level, "hasOwnProperty")) break;
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

/** 16 digits. Written out, because engines then skip characters: that is ten times as fast as `{16}`. */
const DIGITS = /\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d/;
/** Where an integer of at least 16 digits may start. One in quotes doesn't match. */
const MAY_BE_LONG = /(?:^|[:,[\s])-?[1-9]\d{15}/;
/** A character of a number, and one that ends it. Not repeated: millions of digits would overflow the stack. */
const IN_NUMBER = /[\d.eE+-]/;
const AFTER_NUMBER = /[^\d.eE+-]/;
/** Keywords of JSON Schema whose values are numbers. A test compares them with json-schema/keywords.ts. */
const BOUND = /^(?:min|max|exclusiveM|multipleOf$)/;

/**
 * Parses JSON from outside. An integer beyond ±(2^53 − 1) becomes a string of its digits: as a number it could change.
 * What `JSON.stringify` wrote in this process contains no such integer, and is parsed with `JSON.parse`.
 *
 * @param hasSchemas - Whether it contains JSON Schemas. Their bounds stay numbers, rounded, because they must be.
 * @throws {SyntaxError} if it isn't JSON.
 */
export function readJson(text: string, hasSchemas = false): unknown {
  const value: unknown = JSON.parse(text);
  return DIGITS.test(text) && MAY_BE_LONG.test(text) ? JSON.parse(withQuotedIntegers(text, hasSchemas)) : value;
}

/** As {@link readJson}; `undefined`, which isn't a JSON value, if it isn't JSON. */
export function parseJson(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is an integer that {@link readJson} kept as a string. */
export function isLongInteger(value: unknown): value is string {
  // In two steps: a pattern that repeats digits overflows the stack for millions of them.
  if (!isString(value) || !/^-?[1-9]\d{15}/.test(value) || /\D/.test(value.slice(1))) return false;
  return !Number.isSafeInteger(Number(value));
}

/** As `JSON.stringify`, and a `bigint` becomes the integer that it is. `undefined` for what isn't a JSON value. */
export function writeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Some runtimes don't have it yet, and compilers don't know it.
    const rawJson: unknown = Reflect.get(JSON, "rawJSON");
    if (typeof rawJson !== "function") throw error;
    const written = (member: unknown) => (typeof member === "bigint" ? rawJson.call(JSON, String(member)) : member);
    return JSON.stringify(value, (_, member: unknown) => written(member));
  }
}

/** Writes quotes around the long integers of valid JSON. */
function withQuotedIntegers(text: string, hasSchemas: boolean): string {
  let quoted = "";
  let name = "";
  for (let start = 0; start < text.length; ) {
    const open = text.indexOf('"', start);
    const between = text.slice(start, open === -1 ? text.length : open);
    quoted += withQuotes(between, hasSchemas && BOUND.test(name));
    if (open === -1) break;
    const end = endOfString(text, open);
    name = text.slice(open + 1, end);
    quoted += text.slice(open, end + 1);
    start = end + 1;
  }
  return quoted;
}

/** Writes quotes around the long integers between two strings; not around the first value if it is a bound. */
function withQuotes(between: string, isBound: boolean): string {
  let quoted = "";
  let rest = between;
  for (;;) {
    const found = rest.search(DIGITS);
    if (found === -1) return quoted + rest;
    let start = found;
    // Fewer than 16 digits, a sign and a point.
    while (start > 0 && IN_NUMBER.test(rest.charAt(start - 1))) start -= 1;
    const length = rest.slice(found).search(AFTER_NUMBER);
    const end = length === -1 ? rest.length : found + length;
    const digits = rest.slice(start, end);
    const isKept = (isBound && quoted === "" && rest.slice(0, start).trim() === ":") || !isLongInteger(digits);
    quoted += rest.slice(0, start) + (isKept ? digits : `"${digits}"`);
    rest = rest.slice(end);
  }
}

/** The index of the quote that ends the string which starts at `open`. */
function endOfString(text: string, open: number): number {
  for (let end = text.indexOf('"', open + 1); ; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return end;
  }
}
