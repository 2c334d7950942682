import { child, isObject } from "../shared/json.js";
import { spend } from "./work.js";

export function isSame(one: unknown, other: unknown): boolean {
  spend();
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

export function haveCommon(one: readonly unknown[], other: readonly unknown[]): boolean {
  const others = new Values(other);
  return one.some((value) => others.has(value));
}
