import { child, kindOf } from "../shared/json.js";
import { nearestName } from "../shared/nearest-name.js";

/** Suggests the field that was probably meant: ` (did you mean user_id?)`. Empty if there isn't one. */
export function hint(key: string, known: readonly string[]): string {
  const meant = nearestName(key, known);
  return meant === undefined ? "" : ` (did you mean ${meant}?)`;
}

/** The words for a field that a schema does not have. A suggestion may follow. */
export const NO_SUCH_FIELD = "no such field";

/** Whether a mismatch is a field that the schema doesn't have. */
export function isUnknownField({ expected }: { readonly expected: string }): boolean {
  return expected.startsWith(NO_SUCH_FIELD);
}

/** `expected a string, received null`, or `no such field`, whose kind doesn't matter. */
export function mismatchWords(mismatch: { readonly expected: string; readonly received: string }): string {
  const { expected, received } = mismatch;
  return isUnknownField(mismatch) ? expected : `expected ${expected}, received ${received}`;
}

/** A limit with its unit: `1 character`, `3 items`, `5`. */
export function amount(bound: number | bigint, origin: string): string {
  if (origin === "array") return counted(bound, "item");
  return origin === "string" ? counted(bound, "character") : String(bound);
}

/** A number of things: `1 item`, `3 items`. */
export function counted(count: number | bigint, noun: string): string {
  return `${count} ${noun}${Number(count) === 1 ? "" : "s"}`;
}

/** A kind with its article: `a string`, `an integer`. */
export function kindName(kind: string): string {
  if (kind === "null") return kind;
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}

/** A path as in a mismatch: `items[3].status`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");
}

/**
 * The kind of value at a path: `string`, `null`, `missing`; if the kind is right, how the value differs from what is
 * expected. Never the value.
 */
export function receivedAt(value: unknown, path: readonly PropertyKey[], expected: string): string {
  const found = path.reduce<unknown>(child, value);
  if (found === undefined) return "missing";
  if (/^(at most|less than) /.test(expected)) return "more";
  if (/^(at least|more than) /.test(expected)) return /[a-z]$/.test(expected) ? "fewer" : "less";
  if (typeof found === "string" && /^("|a valid |an absolute URL)/.test(expected)) return "another string";
  return typeof found === "number" && !Number.isFinite(found) ? String(found) : kindOf(found);
}
