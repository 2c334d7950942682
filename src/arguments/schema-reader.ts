import { resolverOf } from "../json-schema/references.js";
import { isObject } from "../shared/json.js";
import type { Work } from "./checking.js";
import { Pattern } from "./pattern.js";
import { UnsupportedPattern } from "./pattern-syntax.js";

/** The parsed parts of a schema, which is used many times. */
export class SchemaReader {
  readonly root: object;
  readonly #patterns = new Map<string, Pattern | UnsupportedPattern>();
  readonly #values = new WeakMap<object, ReadonlySet<string>>();
  /** Pattern states that can still be kept. Beyond that, patterns are built each time. */
  #spareStates = 100_000;

  constructor(root: object) {
    this.root = root;
  }

  /** The pattern, or why it is skipped. */
  pattern(source: string, work: Work): Pattern | UnsupportedPattern {
    const known = this.#patterns.get(source);
    if (known) return known;
    const fresh = compiled(source, work);
    const size = fresh instanceof Pattern ? fresh.size : 1;
    if (size > this.#spareStates) return fresh;
    this.#spareStates -= size;
    this.#patterns.set(source, fresh);
    return fresh;
  }

  /** The values of an `enum`. */
  valuesOf(list: readonly unknown[], work: Work): ReadonlySet<string> {
    const known = this.#values.get(list) ?? new Set(list.map((value) => canonical(value, work)));
    this.#values.set(list, known);
    return known;
  }

  /** The schema that a reference leads to; `undefined` if it's missing or in another document. */
  follow(reference: string, work: Work): unknown {
    work.spend(reference.length);
    return resolverOf(this.root)(reference);
  }
}

function compiled(source: string, work: Work): Pattern | UnsupportedPattern {
  try {
    work.spend(source.length);
    return new Pattern(source, work);
  } catch (error) {
    if (error instanceof UnsupportedPattern) return error;
    throw error;
  }
}

/** Returns the same string for equal JSON values, whatever the order of their fields. */
export function canonical(value: unknown, work: Work): string {
  work.spend(1);
  if (typeof value === "string") work.spend(value.length / 16);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, work)).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonical(value[name], work)}`).join()}}`;
}
