import { isString } from "./json.js";

/**
 * A JSON value whose strings and names are valid Unicode. Half of a surrogate pair becomes U+FFFD, as in UTF-8: a
 * provider rejects a request with one. The same value if it has none.
 */
export function wellFormed<Value>(value: Value): Value;
export function wellFormed(value: unknown): unknown {
  return isWellFormed(value) ? value : repaired(value);
}

/** Needs no recursion: what a model or a program wrote may be nested deeply, and a program's object may be cyclic. */
function isWellFormed(whole: unknown): boolean {
  const left = [whole];
  const seen = new Set<object>();
  while (left.length > 0) {
    const value = left.pop();
    if (isString(value) && !value.isWellFormed()) return false;
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    if (Array.isArray(value)) for (const item of value) left.push(item);
    else for (const [name, member] of Object.entries(value)) left.push(name, member);
  }
  return true;
}

function repaired(value: unknown): unknown {
  if (isString(value)) return value.toWellFormed();
  if (Array.isArray(value)) return value.map(repaired);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name.toWellFormed(), repaired(member)]));
}
