import { isObject, type Json } from "../../shared/json.js";
import { isNullable, UPLOAD } from "../keywords.js";
import { valueTest } from "../listed-values.js";
import { onlyReference, type Resolve } from "../references.js";
import { atMost, spend } from "../step-limit.js";
import { ANY_TYPE, hasType, typeBits } from "./type-bits.js";

/** Whether a value fits, in one check. */
export interface Test {
  (value: unknown, fitting: Fitting): boolean;
  /** The index of the first item, from one on, that isn't an object or doesn't fit: faster for lists of objects. */
  readonly fitUntil?: (items: readonly unknown[], start: number, fitting: Fitting) => number;
}

/** Creates the test of some keywords; `undefined` if a schema has none of them. */
export type TestMaker = (schema: Json, tests: SchemaTests) => Test | undefined;

/** Nothing decides: a pattern can't be matched in linear time, for example. */
export class Undecided extends Error {}

/** How a schema tests values: first their type, because most schemas have no other keyword that decides. */
export interface SchemaTest {
  readonly types: number;
  readonly more: Test | undefined;
}

export interface TestOptions {
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

/**
 * The tests of one document's schemas. Each schema is read when a value first meets it, and never again: tests know
 * nothing of the values that they have seen. Reading takes time that is linear in the schema, and isn't counted, so
 * that the same check takes the same steps each time.
 */
export class SchemaTests {
  readonly options: TestOptions;
  /** Whether the results of references are remembered. Otherwise a schema that only refers has its target's test. */
  readonly remembers: boolean;
  readonly #known = new Map<Json, SchemaTest>();
  #remembering: SchemaTests | undefined;

  constructor(options: TestOptions, remembers = false) {
    this.options = options;
    this.remembers = remembers;
  }

  /** The tests that remember the results of references. */
  get remembering(): SchemaTests {
    this.#remembering ??= new SchemaTests(this.options, true);
    return this.#remembering;
  }

  of(schema: unknown): SchemaTest {
    if (!isObject(schema)) return { types: schema === false ? 0 : ANY_TYPE, more: undefined };
    const known = this.#known.get(schema);
    if (known) return known;
    const test = atMost(Number.POSITIVE_INFINITY, () => this.#made(schema));
    this.#known.set(schema, test);
    return test;
  }

  /** The types of a schema: all if it names none, or an unknown one. */
  typesOf(schema: Json): number {
    return typeBits(schema["type"], this.options.takesLongIntegers) ?? ANY_TYPE;
  }

  #made(schema: Json): SchemaTest {
    const reference = this.remembers ? undefined : onlyReference(schema);
    if (reference !== undefined) return this.of(this.options.resolve(reference));
    const types = this.typesOf(schema);
    const values = valueTest(schema);
    const tests = this.options.makers.flatMap((make) => make(schema, this) ?? []);
    const more = inTurn(values ? [values, ...tests] : tests);
    // An empty string instead of a file means no file. Assumption A11.
    const takesEmpty = schema[UPLOAD] === true;
    const takesNull = isNullable(schema);
    if (!takesNull && !takesEmpty) return { types, more };
    const test = testOf({ types, more });
    const isTaken = (value: unknown) => (takesNull && value === null) || (takesEmpty && value === "");
    return { types: ANY_TYPE, more: (value, fitting) => isTaken(value) || test(value, fitting) };
  }
}

export function passes({ types, more }: SchemaTest, value: unknown, fitting: Fitting): boolean {
  return (types === ANY_TYPE || hasType(types, value)) && (more === undefined || more(value, fitting));
}

/** The test of all keywords of a schema. */
function inTurn(tests: readonly Test[]): Test | undefined {
  const [only] = tests;
  return tests.length < 2 ? only : (value, fitting) => leading(tests, value, fitting, true) === tests.length;
}

/** The number of tests before the first with another result. Most take half as long as a step. */
function leading(tests: readonly Test[], value: unknown, fitting: Fitting, result: boolean): number {
  let count = 0;
  while (count < tests.length && tests[count]?.(value, fitting) === result) count += 1;
  spend(1 + (count >> 1));
  return count;
}

export function testOf(test: SchemaTest): Test {
  const { types, more } = test;
  if (more && types === ANY_TYPE) return more;
  return more ? (value, fitting) => passes(test, value, fitting) : (value) => hasType(types, value);
}

/** Tests of schemas, which are made when they are first used. */
export function lazily(schemas: readonly unknown[], tests: SchemaTests): () => readonly Test[] {
  let made: readonly Test[] | undefined;
  return () => {
    made ??= schemas.map((schema) => testOf(tests.of(schema)));
    return made;
  };
}

/** Maximum steps of a decision, and of a list of mismatches: each takes less than 0.3 s. */
export const MOST_STEPS = 4_000_000;
/** Maximum steps of a decision that remembers nothing. */
const MOST_FIRST_STEPS = 1_000_000;

/**
 * Decides whether values fit schemas of one document, without saying why not. A decision ends at the first keyword that
 * isn't satisfied, and at the first branch that is. It's for one check: what is known about a value is kept.
 */
export class Fitting {
  readonly tests: SchemaTests;
  #depth = 0;
  /**
   * The first decision doesn't remember the results of references, because that costs more than most tests. If many
   * ways lead to the same values, or a schema refers to itself, the decision doesn't end, and is made again.
   */
  #isFirst = true;
  /** The results of each schema with a reference. A result is `undefined` while it is being decided. */
  #results: Map<object, Map<unknown, boolean | undefined>> | undefined;

  constructor(tests: SchemaTests) {
    this.tests = tests;
  }

  /**
   * The first decision of a check has its own steps, later ones those of the list that they are for.
   *
   * @throws {Error} if the value or the schema is nested too deeply.
   * @throws {TooMuchWork} if the decision takes too long.
   * @throws {Undecided} if nothing decides.
   */
  fits(schema: unknown, value: unknown): boolean {
    if (!this.#isFirst) {
      this.#depth = 0;
      return passes(this.tests.remembering.of(schema), value, this);
    }
    this.#isFirst = false;
    try {
      return atMost(MOST_FIRST_STEPS, () => passes(this.tests.of(schema), value, this));
    } catch {
      // The second decision fails, too, or ends.
      return atMost(MOST_STEPS, () => this.fits(schema, value));
    }
  }

  /** Goes a level deeper: into a schema in a schema, or in a value. */
  enter(): void {
    if (this.#depth > this.tests.options.deepest)
      throw new Error("The schema or the value is nested too deeply, or the schema refers to itself endlessly.");
    this.#depth += 1;
  }

  leave(): void {
    this.#depth -= 1;
  }

  all(tests: readonly Test[], value: unknown): boolean {
    this.enter();
    const fits = leading(tests, value, this, true) === tests.length;
    this.leave();
    return fits;
  }

  some(tests: readonly Test[], value: unknown): boolean {
    this.enter();
    const fits = leading(tests, value, this, false) < tests.length;
    this.leave();
    return fits;
  }

  /** Whether a value fits the target of a reference. */
  inside(target: SchemaTest, value: unknown): boolean {
    spend();
    this.enter();
    const fits = passes(target, value, this);
    this.leave();
    return fits;
  }

  /** The same, and remembers it. */
  remembered(schema: object, target: SchemaTest, value: unknown): boolean {
    this.#results ??= new Map();
    const results = this.#results.get(schema) ?? new Map<unknown, boolean | undefined>();
    this.#results.set(schema, results);
    if (results.has(value)) {
      spend();
      return results.get(value) ?? this.tests.options.loop();
    }
    results.set(value, undefined);
    const fits = this.inside(target, value);
    results.set(value, fits);
    return fits;
  }
}
