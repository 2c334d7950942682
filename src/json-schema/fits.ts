import { isLongInteger, isObject, isString, type Json } from "../shared/json.js";
import { isNullable } from "./keywords.js";
import type { Resolve } from "./references.js";
import { spend } from "./work.js";

/** Whether a value fits. */
export type Test = (value: unknown) => boolean;

/** Creates the test of some keywords; `undefined` if a schema has none of them. */
export type TestMaker = (schema: Json, fitting: Fitting) => Test | undefined;

/** Nothing decides: a pattern can't be matched in linear time, for example. */
export class Undecided extends Error {}

export interface FittingOptions {
  /** @throws {Undecided} for a reference that can't be followed, unless it accepts everything. */
  readonly resolve: Resolve;
  readonly makers: readonly TestMaker[];
  /** Maximum depth of values and combinators. The stack lasts longer, and real values stay below. */
  readonly deepest: number;
  /** Whether the digits of an integer that no number can hold are a number. */
  readonly takesLongIntegers: boolean;
  /**
   * The answer for a schema that refers to itself at the same value.
   *
   * @throws {Undecided} if the loop decides nothing.
   */
  readonly loop: () => boolean;
}

/** Everything fits. */
export const always: Test = () => true;
const never: Test = () => false;

/**
 * Decides whether values fit schemas of one document, without saying why not. A decision ends at the first keyword that
 * isn't satisfied, and at the first branch that is. Each schema is read when a value first meets it. It's for one
 * check: what is known about a value is kept.
 */
export class Fitting {
  readonly options: FittingOptions;
  readonly #tests = new Map<Json, Test>();
  #depth = 0;

  constructor(options: FittingOptions) {
    this.options = options;
  }

  /**
   * @throws {Error} if the value or the schema is nested too deeply.
   * @throws {Undecided} if nothing decides.
   */
  fits(schema: unknown, value: unknown): boolean {
    this.#depth = 0;
    return this.test(schema)(value);
  }

  test(schema: unknown): Test {
    if (!isObject(schema)) return schema === false ? never : always;
    const known = this.#tests.get(schema);
    if (known) return known;
    const test = this.#made(schema);
    this.#tests.set(schema, test);
    return test;
  }

  #made(schema: Json): Test {
    const tests: Test[] = [];
    for (const make of this.options.makers) {
      const test = make(schema, this);
      if (test) tests.push(test);
    }
    const takesNull = isNullable(schema);
    // An empty string instead of a file means no file. Assumption A11.
    const takesEmpty = schema["file_uploadable"] === true;
    const [only] = tests;
    if (!takesNull && !takesEmpty && (!only || (tests.length === 1 && isFlat(schema)))) return only ?? always;
    return (value) => {
      spend();
      if ((takesNull && value === null) || (takesEmpty && value === "")) return true;
      if (this.#depth > this.options.deepest)
        throw new Error("The schema or the value is nested too deeply, or the schema refers to itself endlessly.");
      this.#depth += 1;
      let index = 0;
      while (index < tests.length && tests[index]?.(value)) index += 1;
      this.#depth -= 1;
      return index === tests.length;
    };
  }
}

/** Whether a schema has only one keyword that decides, and this one doesn't look into values. */
function isFlat(schema: Json): boolean {
  return "type" in schema || "const" in schema || "enum" in schema;
}

/** Tests of schemas, which are made when they are first used. */
export function lazily(schemas: readonly unknown[], fitting: Fitting): () => readonly Test[] {
  let tests: readonly Test[] | undefined;
  return () => {
    tests ??= schemas.map((schema) => fitting.test(schema));
    return tests;
  };
}

const OF_TYPE: ReadonlyMap<unknown, Test> = new Map<unknown, Test>([
  ["string", isString],
  ["number", (value) => typeof value === "number"],
  ["integer", Number.isInteger],
  ["boolean", (value) => typeof value === "boolean"],
  ["null", (value) => value === null],
  ["array", Array.isArray],
  ["object", isObject],
]);

/** The test of `type`; `undefined` for a list with an unknown type, which is not tested. */
export function typeTest({ type }: Json, { options }: Fitting): Test | undefined {
  const types: readonly unknown[] = [type ?? []].flat();
  const tests = types.flatMap((name) => OF_TYPE.get(name) ?? []);
  if (tests.length < types.length || types.length === 0) return undefined;
  const isNumeric = types.includes("integer") || types.includes("number");
  if (isNumeric && options.takesLongIntegers) tests.push(isLongInteger);
  const [only = always] = tests;
  return tests.length === 1 ? only : (value) => tests.some((test) => test(value));
}

export function valueTest(schema: Json): Test | undefined {
  const lists: (readonly unknown[])[] = [];
  if ("const" in schema) lists.push([schema["const"]]);
  if (Array.isArray(schema["enum"])) lists.push(schema["enum"]);
  if (lists.length === 0) return undefined;
  const values = lists.map((list) => new ValueSet(list));
  return (value) => values.every((set) => set.has(value));
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
  if (typeof value === "string") spend(value.length / 16);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`;
}
