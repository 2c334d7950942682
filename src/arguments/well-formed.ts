import { isObject } from "../json.js";

/** A half of a surrogate pair without the other half. */
const HALF = /\p{Surrogate}/gu;

/** A copy of a JSON value with U+FFFD for each half of a surrogate pair, in names too, as UTF-8 has it. */
export function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.replace(HALF, "\ufffd");
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name.replace(HALF, "\ufffd"), wellFormed(member)]);
  return Object.fromEntries(members);
}
