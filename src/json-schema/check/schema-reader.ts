import { hint, NO_SUCH_FIELD } from "../../errors/mismatch-words.js";
import { isObject, type Json, kindOf } from "../../shared/json.js";
import { UnsupportedPattern } from "../pattern-syntax.js";
import { resolverOf } from "../references.js";
import { type Compared, type Evaluated, type Issue, type Place, unionIssues, Work } from "./checking.js";
import { Pattern } from "./pattern.js";

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

/** The requirements of some keywords of a schema. */
export interface Rule {
  readonly keywords: readonly string[];
  /** The kind of values that the keywords apply to; without one, all. */
  readonly kind?: string;
  /** The validation errors of a value of that kind. */
  issues(check: Check, compared: Compared): Issue[];
}

/** Maximum depth. Real values stay below, the stack lasts longer. */
const DEEPEST = 300;

/** Maximum number of names that are compared with all others. */
const MOST_HINTS = 5;

/** One comparison of a value with a schema. */
export class Check {
  readonly reader: SchemaReader;
  readonly #rulesOf: (schema: Json) => readonly Rule[];
  readonly #acceptsDeadReferences: boolean;
  readonly work = new Work();
  readonly unchecked = new Set<string>();
  #depth = 0;
  #hints = 0;
  /** Number of times a pattern was skipped. */
  #doubts = 0;

  constructor(reader: SchemaReader, rulesOf: (schema: Json) => readonly Rule[], acceptsDeadReferences: boolean) {
    this.reader = reader;
    this.#rulesOf = rulesOf;
    this.#acceptsDeadReferences = acceptsDeadReferences;
  }

  /** Validation errors of a place. */
  at(schema: unknown, value: unknown, place: Place | undefined, evaluated: Evaluated): Issue[] {
    this.work.spend(10);
    if (schema === false) return [{ place, expected: NO_SUCH_FIELD, isOfWhole: true }];
    if (!isObject(schema)) return [];
    if (this.#depth > DEEPEST) throw new Error("The schema is nested too deeply, or refers to itself endlessly.");
    this.#depth += 1;
    const own = this.#issues(schema, value, place, evaluated);
    this.#depth -= 1;
    if (own.length === 0) return own;
    const others: Issue[] = [];
    if (schema["nullable"] === true) others.push({ place, expected: "null", isOfWhole: true });
    // An empty string instead of a file means no file. Assumption A11.
    if (schema["file_uploadable"] === true) others.push({ place, expected: '""', isOfWhole: true });
    if (others.length === 0) return own;
    const fits =
      (schema["nullable"] === true && value === null) || (schema["file_uploadable"] === true && value === "");
    return fits ? [] : unionIssues([own, ...others.map((other) => [other])], place);
  }

  /** Whether a pattern matches. `undefined` if it is skipped. */
  matches(source: string, text: string): boolean | undefined {
    const pattern = this.reader.pattern(source, this.work);
    if (!(pattern instanceof Error)) return pattern.matches(text, this.work);
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
    this.work.spend(reference.length);
    const found = resolverOf(this.reader.root)(reference);
    if (found !== undefined || this.#acceptsDeadReferences) return found;
    throw new Error(`$ref "${reference}" leads to no schema, or refers to itself endlessly.`);
  }

  /** Suggests the field that was probably meant, for the first few names. */
  hint(name: string, siblings: readonly string[]): string {
    this.work.spend(siblings.length);
    this.#hints += 1;
    return this.#hints > MOST_HINTS ? "" : hint(name, siblings);
  }

  /** Decides, and returns whether the decision is certain because it skipped no pattern. */
  decide<Result>(check: () => Result): { readonly result: Result; readonly isSure: boolean } {
    const before = this.#doubts;
    return { result: check(), isSure: this.#doubts === before };
  }

  #issues(schema: Json, value: unknown, place: Place | undefined, inherited: Evaluated): Issue[] {
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
      this.work.spend(issues.length);
      for (const issue of issues) found.push(issue);
    }
    if (hasOwnSet) for (const key of evaluated ?? []) inherited?.add(key);
    return found;
  }
}
