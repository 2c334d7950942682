import { child, isObject } from "../../shared/json.js";

/** Whether two JSON values are the same. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other) || one === other) return true;
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) && one.length === other.length && one.every((item, index) => isSame(item, other[index]))
    );
  }
  if (!isObject(one) || !isObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(child(one, key), child(other, key)))
  );
}

/** Whether a list contains a JSON value. */
export const contains = (values: readonly unknown[], value: unknown) => values.some((known) => isSame(known, value));
