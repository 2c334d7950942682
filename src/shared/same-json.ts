import { child, isObject } from "./json.js";

/** Counts steps of work, one by default. */
export type Spend = (steps?: number) => void;

/**
 * Whether two JSON values are equal, whatever the order of their keys.
 *
 * @param spend Counts the steps, if their number is limited.
 */
export function sameJson(left: unknown, right: unknown, spend?: Spend): boolean {
  spend?.();
  if (Object.is(left, right) || left === right) return true;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => sameJson(item, right[index], spend))
    );
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && sameJson(child(left, key), child(right, key), spend))
  );
}
