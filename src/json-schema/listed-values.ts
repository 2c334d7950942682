import { isObject, type Json } from "../shared/json.js";
import { spend } from "./work.js";

/** The test of `const` and `enum`; `undefined` if a schema has neither. */
export function valueTest(schema: Json): ((value: unknown) => boolean) | undefined {
  const lists: (readonly unknown[])[] = [];
  if ("const" in schema) lists.push([schema["const"]]);
  if (Array.isArray(schema["enum"])) lists.push(schema["enum"]);
  const [first, second] = lists.map((list) => new ValueSet(list));
  if (!first) return undefined;
  return (value) => first.has(value) && (second === undefined || second.has(value));
}

/** JSON values. Most are scalars, which are found without being written. */
class ValueSet {
  readonly #scalars = new Set<unknown>();
  readonly #others = new Set<string>();

  constructor(values: readonly unknown[]) {
    spend(values.length);
    for (const value of values) {
      if (typeof value === "object" && value !== null) this.#others.add(canonical(value));
      else this.#scalars.add(value);
    }
  }

  has(value: unknown): boolean {
    if (typeof value !== "object" || value === null) return this.#scalars.has(value);
    return this.#others.size > 0 && this.#others.has(canonical(value));
  }
}

/** Returns the same string for equal JSON values, whatever the order of their fields. */
export function canonical(value: unknown): string {
  spend();
  if (typeof value === "string") spend(value.length >> 4);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`;
}
