import { sha256Of } from "../shared/digest.js";
import { isObject, isString } from "../shared/json.js";

/**
 * A JSON value as a string that doesn't depend on the order of its keys, as RFC 8785 defines it. What RFC 8785 can't
 * write is written as `JSON.stringify` sends it: see {@link isInterchangeable}.
 */
export function canonicalJson(value: unknown): string {
  // As it will be sent: a date becomes a string, an infinite number `null`, and an absent member is omitted.
  return written(JSON.parse(JSON.stringify(value) ?? "null"));
}

// An object can't be rebuilt in this order: keys that look like array indexes would move to the start.
function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members: string[] = [];
  // By UTF-16 code units, as RFC 8785 sorts.
  for (const name of Object.keys(value).sort()) members.push(`${JSON.stringify(name)}:${written(value[name])}`);
  return `{${members.join(",")}}`;
}

/**
 * Converts a program's value to JSON: even a `Map`, a `Set`, a regular expression, an error, bytes and a `bigint`,
 * which `JSON.stringify` loses or rejects. A `Map` whose keys aren't all strings becomes a list of pairs.
 *
 * @throws {TypeError} if the value contains itself.
 */
export function jsonOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, member: unknown) => plain(member)) ?? "null");
}

function plain(value: unknown): unknown {
  // As in `readJson`, an integer that no number can hold is a string of its digits.
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Map) return [...value.keys()].every(isString) ? Object.fromEntries(value) : [...value];
  if (value instanceof Set || value instanceof Uint8Array) return [...value];
  return value instanceof RegExp || value instanceof Error ? String(value) : value;
}

/** A frozen copy of a value as JSON writes it. */
export function frozenCopy(value: unknown) {
  return JSON.parse(JSON.stringify(value) ?? "null", freeze);
}

const freeze = (_: string, member: unknown) => Object.freeze(member);

/**
 * Whether RFC 8785 can write a value: its strings are valid Unicode, its numbers finite. Others differ between readers.
 */
export function isInterchangeable(value: unknown): boolean {
  if (isString(value)) return isWellFormed(value);
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([name, member]) => isWellFormed(name) && isInterchangeable(member));
}

/** Whether a string has no half of a surrogate pair. */
const isWellFormed = (text: string) => !/\p{Surrogate}/u.test(text);

/** SHA-256 of a JSON value, whatever the order of its keys, in hexadecimal. */
export async function digestOf(value: unknown): Promise<string> {
  return sha256Of(new TextEncoder().encode(canonicalJson(value)));
}
