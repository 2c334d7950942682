import { child, isObject } from "./json.js";

/** Whether two JSON values are equal, whatever the order of their keys. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (Object.is(left, right) || left === right) return true;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) && left.length === right.length && left.every((item, index) => sameJson(item, right[index]))
    );
  }
  if (!isObject(left) || !isObject(right) || Array.isArray(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && sameJson(child(left, key), child(right, key)))
  );
}
