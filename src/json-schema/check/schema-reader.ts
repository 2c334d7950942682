import { hint, NO_SUCH_FIELD } from "../../errors/mismatch-words.js";
import { isObject, type Json, kindOf } from "../../shared/json.js";
import { SchemaTests, Undecided } from "../fit/schema-tests.js";
import { Values } from "../json-equal.js";
import { isNullable, UPLOAD } from "../keywords.js";
import { UnsupportedPattern } from "../pattern-syntax.js";
import { resolverOf } from "../references.js";
import { spend } from "../step-limit.js";
import { type CheckedPlace, type Compared, type Evaluated, type Issue, unionIssues } from "./checking.js";
import { allMakers } from "./fit-tests.js";
import { Pattern } from "./pattern.js";

/** Maximum depth. Real values stay below, the stack lasts longer. */
const DEEPEST = 300;

function undecided(): never {
  throw new Undecided();
}

/** The parsed parts of a schema, which is used many times. */
export class SchemaReader {
  readonly root: object;
  readonly #patterns = new Map<string, Pattern | UnsupportedPattern>();
  readonly #values = new WeakMap<object, Values>();
  /** Pattern states that can still be kept. Beyond that, patterns are built each time. */
  #spareStates = 100_000;

  /** The tests of all schemas. A reference that can't be followed decides nothing. */
  readonly strict: SchemaTests;
  /** The same, but a reference that can't be followed accepts everything. */
  readonly lenient: SchemaTests;

  constructor(root: object) {
    this.root = root;
    const resolve = resolverOf(root);
    const known = (reference: string) => {
      const found = resolve(reference);
      if (found === undefined) throw new Undecided();
      return found;
    };
    const matches = (source: string, text: string) => {
      const pattern = this.pattern(source);
      if (pattern instanceof Error) throw new Undecided();
      return pattern.matches(text);
    };
    const options = { makers: allMakers(matches), deepest: DEEPEST, takesLongIntegers: true, loop: undecided };
    this.strict = new SchemaTests({ ...options, resolve: known });
    this.lenient = new SchemaTests({ ...options, resolve });
  }

  /** The pattern, or why it is skipped. */
  pattern(source: string): Pattern | UnsupportedPattern {
    const known = this.#patterns.get(source);
    if (known) return known;
    const fresh = compiled(source);
    const size = fresh instanceof Pattern ? fresh.size : 1;
    if (size > this.#spareStates) return fresh;
    this.#spareStates -= size;
    this.#patterns.set(source, fresh);
    return fresh;
  }

  /** The values of an `enum`. */
  valuesOf(list: readonly unknown[]): Values {
    const known = this.#values.get(list) ?? new Values(list);
    this.#values.set(list, known);
    return known;
  }
}

function compiled(source: string): Pattern | UnsupportedPattern {
  try {
    spend(source.length);
    return new Pattern(source);
  } catch (error) {
    if (error instanceof UnsupportedPattern) return error;
    throw error;
  }
}

/** The requirements of some keywords of a schema. */
export interface KeywordRule {
  readonly keywords: readonly string[];
  /** The kind of values that the keywords apply to; without one, all. */
  readonly kind?: string;
  /** The validation errors of a value of that kind. */
  issues(check: Check, compared: Compared): Issue[];
}

const NONE: Issue[] = [];

/** Maximum number of names that are compared with all others. */
const MOST_HINTS = 5;

/** Whether a value fits a schema for certain. */
export type Fits = (schema: unknown, value: unknown) => boolean;

/** One comparison of a value with a schema. */
export class Check {
  readonly reader: SchemaReader;
  readonly #fits: Fits;
  readonly #rulesOf: (schema: Json) => readonly KeywordRule[];
  readonly #acceptsDeadReferences: boolean;
  readonly unchecked = new Set<string>();
  #depth = 0;
  #hints = 0;
  /** Number of times a pattern was skipped. */
  #doubts = 0;

  constructor(
    reader: SchemaReader,
    fits: Fits,
    rulesOf: (schema: Json) => readonly KeywordRule[],
    acceptsDeadReferences: boolean,
  ) {
    this.reader = reader;
    this.#fits = fits;
    this.#rulesOf = rulesOf;
    this.#acceptsDeadReferences = acceptsDeadReferences;
  }

  /** The schema that a reference leads to; `undefined` if it's missing. */
  target(reference: string): unknown {
    spend(reference.length);
    return resolverOf(this.reader.root)(reference);
  }

  /** Validation errors of a place. Only what doesn't fit is read, unless what is evaluated matters. */
  at(schema: unknown, value: unknown, place: CheckedPlace | undefined, evaluated: Evaluated): Issue[] {
    if (!evaluated && this.#fits(schema, value)) return NONE;
    spend(20);
    if (schema === false) return [{ place, expected: NO_SUCH_FIELD, isOfWhole: true }];
    if (!isObject(schema)) return [];
    if (this.#depth > DEEPEST) throw new Error("The schema is nested too deeply, or refers to itself endlessly.");
    this.#depth += 1;
    const own = this.#issues(schema, value, place, evaluated);
    this.#depth -= 1;
    if (own.length === 0) return own;
    // Issues cost far more than a decision.
    spend(100);
    const others: Issue[] = [];
    if (isNullable(schema)) others.push({ place, expected: "null", isOfWhole: true });
    // An empty string instead of a file means no file. Assumption A11.
    if (schema[UPLOAD] === true) others.push({ place, expected: '""', isOfWhole: true });
    if (others.length === 0) return own;
    const fits = (isNullable(schema) && value === null) || (schema[UPLOAD] === true && value === "");
    return fits ? [] : unionIssues([own, ...others.map((other) => [other])], place);
  }

  /** Whether a pattern matches. `undefined` if it is skipped. */
  matches(source: string, text: string): boolean | undefined {
    const pattern = this.reader.pattern(source);
    if (!(pattern instanceof Error)) return pattern.matches(text);
    this.#doubts += 1;
    this.unchecked.add(`The pattern ${source.slice(0, 100)} is not checked: ${pattern.message}.`);
    return undefined;
  }

  /**
   * The schema that a reference leads to; `undefined` if it's missing and accepts everything.
   *
   * @throws {Error} for a missing target, or one in another document.
   */
  follow(reference: string): unknown {
    const found = this.target(reference);
    if (found !== undefined || this.#acceptsDeadReferences) return found;
    throw new Error(`$ref "${reference}" leads to no schema, or refers to itself endlessly.`);
  }

  /** Suggests the field that was probably meant, for the first few names. */
  hint(name: string, siblings: readonly string[]): string {
    spend(siblings.length);
    this.#hints += 1;
    return this.#hints > MOST_HINTS ? "" : hint(name, siblings);
  }

  /** Decides, and returns whether the decision is certain because it skipped no pattern. */
  decide<Result>(check: () => Result): { readonly result: Result; readonly isSure: boolean } {
    const before = this.#doubts;
    return { result: check(), isSure: this.#doubts === before };
  }

  #issues(schema: Json, value: unknown, place: CheckedPlace | undefined, inherited: Evaluated): Issue[] {
    const hasOwnSet = "unevaluatedProperties" in schema || "unevaluatedItems" in schema;
    const evaluated = hasOwnSet ? new Set<PropertyKey>() : inherited;
    const same = (inner: unknown): Issue[] => {
      const set: Evaluated = evaluated && new Set();
      const issues = this.at(inner, value, place, set);
      if (issues.length === 0) for (const key of set ?? []) evaluated?.add(key);
      return issues;
    };
    const found: Issue[] = [];
    const kind = kindOf(value);
    for (const rule of this.#rulesOf(schema)) {
      if (rule.kind !== undefined && rule.kind !== kind) continue;
      const issues = rule.issues(this, { schema, value, place, evaluated, same });
      spend(issues.length);
      for (const issue of issues) found.push(issue);
    }
    if (hasOwnSet) for (const key of evaluated ?? []) inherited?.add(key);
    return found;
  }
}
