import { isString } from "../shared/json.js";

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

/** A frozen copy of a value as JSON writes it. For JSON that is faster than `structuredClone`. */
export function frozenCopy(value: unknown) {
  const copy = JSON.parse(JSON.stringify(value) ?? "null");
  // Without recursion: a value may be nested deeply.
  const left: unknown[] = [copy];
  while (left.length > 0) {
    const inner = left.pop();
    if (typeof inner !== "object" || inner === null) continue;
    Object.freeze(inner);
    for (const member of Object.values(inner)) left.push(member);
  }
  return copy;
}
