import { isString } from "./json.js";

/**
 * A JSON value whose strings and names are valid Unicode. Half of a surrogate pair becomes U+FFFD, as in UTF-8: a
 * provider rejects a request with one. The same value if it has none.
 */
export function wellFormed<Value>(value: Value): Value;
export function wellFormed(value: unknown): unknown {
  if (isString(value)) return value.toWellFormed();
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => wellFormed(item));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value);
  const repaired = members.map(([name, member]) => [name.toWellFormed(), wellFormed(member)] as const);
  const isSame = repaired.every(([name, member], index) => {
    return name === members[index]?.[0] && member === members[index]?.[1];
  });
  return isSame ? value : Object.fromEntries(repaired);
}
