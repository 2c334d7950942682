import { child, kindOf } from "../json.js";

/** Names the field that a key in another spelling was meant for: `; did you mean user_id?`. Else nothing. */
export function hint(key: string, known: readonly string[]): string {
  const plain = (name: string) => name.toLowerCase().replaceAll("_", "");
  const meant = known.find((name) => plain(name) === plain(key));
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}

/** A bound in the unit of what it bounds: `1 character`, `3 items`, `5`. */
export function amount(bound: number | bigint, origin: string): string {
  const plural = Number(bound) === 1 ? "" : "s";
  if (origin === "string") return `${bound} character${plural}`;
  return origin === "array" ? `${bound} item${plural}` : String(bound);
}

/** A kind as people say it, with its article. */
export function kindName(kind: string): string {
  const plain = { int: "whole number", integer: "whole number", record: "object" }[kind] ?? kind;
  if (plain === "null") return plain;
  return /^[aeiou]/.test(plain) ? `an ${plain}` : `a ${plain}`;
}

/** A path as a mismatch carries it: `items[3].status`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");
}

/** The kind of value at a path: `string`, `null`, `missing`, … Never the value. */
export function kindAt(value: unknown, path: readonly PropertyKey[]): string {
  const found = path.reduce<unknown>(child, value);
  if (found === undefined) return "missing";
  return Number.isNaN(found) ? "NaN" : kindOf(found);
}
