import { child, isObject } from "../shared/json.js";
import { spend } from "./work.js";

export function isSame(left: unknown, right: unknown): boolean {
  spend();
  if (Object.is(left, right) || left === right) return true;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) && left.length === right.length && left.every((item, index) => isSame(item, right[index]))
    );
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSame(child(left, key), child(right, key)))
  );
}

export const contains = (values: readonly unknown[], value: unknown) => values.some((known) => isSame(known, value));

/** JSON values, each once. Scalars are found at once, however many there are. */
export class Values {
  readonly #scalars = new Set<unknown>();
  readonly #others: unknown[] = [];

  constructor(values: readonly unknown[] = []) {
    for (const value of values) this.add(value);
  }

  /** Adds a value; false if it is known. */
  add(value: unknown): boolean {
    spend();
    if (this.has(value)) return false;
    if (Object(value) === value) this.#others.push(value);
    else this.#scalars.add(value);
    return true;
  }

  has(value: unknown): boolean {
    return this.#scalars.has(value) || (Object(value) === value && contains(this.#others, value));
  }
}

export function haveCommon(left: readonly unknown[], right: readonly unknown[]): boolean {
  const others = new Values(right);
  return left.some((value) => others.has(value));
}
