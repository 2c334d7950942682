import { canonicalText } from "../shared/canonical-json.js";
import { sameJson } from "../shared/same-json.js";
import { spend } from "./step-limit.js";

/** Whether two JSON values are equal, whatever the order of their fields. */
export const isSame = (left: unknown, right: unknown): boolean => sameJson(left, right, spend);

export const contains = (values: readonly unknown[], value: unknown) => values.some((known) => isSame(known, value));

/** The same string for equal JSON values, whatever the order of their fields. */
export const canonical = (value: unknown): string => canonicalText(value, spend);

/** JSON values, each once. Most are scalars, which are found without being written. */
export class Values {
  readonly #scalars = new Set<unknown>();
  readonly #others = new Set<string>();

  constructor(values: readonly unknown[] = []) {
    for (const value of values) this.add(value);
  }

  /** Adds a value; false if it is known. */
  add(value: unknown): boolean {
    spend();
    const isScalar = typeof value !== "object" || value === null;
    const known: Set<unknown> = isScalar ? this.#scalars : this.#others;
    const before = known.size;
    known.add(isScalar ? value : canonical(value));
    return known.size > before;
  }

  has(value: unknown): boolean {
    if (typeof value !== "object" || value === null) return this.#scalars.has(value);
    return this.#others.size > 0 && this.#others.has(canonical(value));
  }
}

export function haveCommon(left: readonly unknown[], right: readonly unknown[]): boolean {
  const others = new Values(right);
  return left.some((value) => others.has(value));
}
