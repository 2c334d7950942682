import { sha256Of } from "./digest.js";
import { isObject, isString } from "./json.js";
import type { Spend } from "./same-json.js";

/**
 * A JSON value as a string that doesn't depend on the order of its keys, as RFC 8785 defines it. What RFC 8785 can't
 * write is written as `JSON.stringify` sends it: see {@link isInterchangeable}.
 */
export function canonicalJson(value: unknown): string {
  // As it will be sent: a date becomes a string, an infinite number `null`, and an absent member is omitted.
  return canonicalText(JSON.parse(JSON.stringify(value) ?? "null"));
}

/**
 * The same for what came as JSON, which needs no copy.
 *
 * @param spend Counts the steps, if their number is limited.
 */
// An object can't be rebuilt in this order: keys that look like array indexes would move to the start.
export function canonicalText(value: unknown, spend?: Spend): string {
  spend?.(isString(value) ? 1 + (value.length >> 4) : 1);
  const members: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) members.push(canonicalText(item, spend));
    return `[${members.join(",")}]`;
  }
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  // By UTF-16 code units, as RFC 8785 sorts.
  for (const name of Object.keys(value).sort()) {
    members.push(`${JSON.stringify(name)}:${canonicalText(value[name], spend)}`);
  }
  return `{${members.join(",")}}`;
}

/**
 * Whether RFC 8785 can write a value: its strings are valid Unicode, its numbers finite. Others differ between readers.
 */
export function isInterchangeable(value: unknown): boolean {
  if (isString(value)) return value.isWellFormed();
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([name, member]) => name.isWellFormed() && isInterchangeable(member));
}

/** SHA-256 of a JSON value, whatever the order of its keys, in hexadecimal. */
export async function digestOf(value: unknown): Promise<string> {
  return sha256Of(canonicalJson(value));
}
