import type { Mismatch } from "../errors/local.js";
import { hint } from "../errors/mismatch-words.js";
import { referencesOf } from "../json-schema/references.js";
import { isObject, isString, type Json, kindOf } from "../shared/json.js";
import { listIssues, objectIssues } from "./check-object.js";
import { numberIssues, stringIssues } from "./check-plain.js";
import { type Checking, type Evaluated, Work } from "./checking.js";
import { alternatives, type Issue, kindsOf, type Place, toMismatch, unionIssues } from "./issue.js";
import { canonical, listAt, SchemaReader } from "./schema-reader.js";

/** The result of a check. */
export interface Checked {
  /** Every place where the value doesn't match. Contains paths and kinds, never values. */
  readonly mismatches: Mismatch[];
  /** The skipped patterns, each as a sentence with the reason. What only they decide counts as valid. */
  readonly unchecked: readonly string[];
}

/** Parsed parts of a schema live as long as the schema. */
const readers = new WeakMap<object, SchemaReader>();

/** Maximum depth. Real values stay below, the stack lasts longer. */
const DEEPEST = 300;

/** Maximum number of names that are compared with all others. */
const MOST_HINTS = 5;

const TYPES = ["null", "boolean", "object", "array", "number", "string", "integer"];

/**
 * Compares a JSON value with a JSON Schema of any draft, including extensions of OpenAPI and the service. Nothing is
 * generated or evaluated, so it runs where `eval` is forbidden. The work is limited for every schema and value.
 *
 * @throws {Error} for an invalid schema: an unknown type, a reference that can't be followed or leads to itself.
 * @throws {TooMuchWork} if the check would take too long.
 */
export function checkJsonSchema(schema: object, value: unknown): Checked {
  const reader = readers.get(schema) ?? new SchemaReader(schema);
  readers.set(schema, reader);
  const check = new Check(reader);
  const issues = check.at(schema, value, undefined, undefined);
  return { mismatches: issues.map((issue) => toMismatch(issue, value)), unchecked: [...check.unchecked] };
}

/** Every place where a value doesn't match a JSON Schema, as `checkJsonSchema` finds them. */
export function mismatchesOfJsonSchema(schema: object, value: unknown): Mismatch[] {
  return checkJsonSchema(schema, value).mismatches;
}

/** One comparison of a value with a schema. */
class Check implements Checking {
  readonly reader: SchemaReader;
  readonly work = new Work();
  readonly unchecked = new Set<string>();
  #depth = 0;
  #hints = 0;
  /** Number of times a pattern was skipped. */
  #doubts = 0;

  constructor(reader: SchemaReader) {
    this.reader = reader;
  }

  at(schema: unknown, value: unknown, place: Place | undefined, evaluated: Evaluated): Issue[] {
    this.work.spend(10);
    if (schema === false) return [{ place, expected: "no such field", isOfWhole: true }];
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

  matches(source: string, text: string): boolean | undefined {
    const pattern = this.reader.pattern(source, this.work);
    if (!(pattern instanceof Error)) return pattern.matches(text, this.work);
    this.#doubts += 1;
    this.unchecked.add(`The pattern ${source.slice(0, 100)} is not checked: ${pattern.message}.`);
    return undefined;
  }

  hint(name: string, siblings: readonly string[]): string {
    this.work.spend(siblings.length);
    this.#hints += 1;
    return this.#hints > MOST_HINTS ? "" : hint(name, siblings);
  }

  decide<Result>(check: () => Result): { readonly result: Result; readonly isSure: boolean } {
    const before = this.#doubts;
    return { result: check(), isSure: this.#doubts === before };
  }

  #issues(schema: Json, value: unknown, place: Place | undefined, inherited: Evaluated): Issue[] {
    const hasOwnSet = "unevaluatedProperties" in schema || "unevaluatedItems" in schema;
    const evaluated = hasOwnSet ? new Set<PropertyKey>() : inherited;
    const found: Issue[] = [];
    const add = (issues: readonly Issue[]) => {
      this.work.spend(issues.length);
      for (const issue of issues) found.push(issue);
    };
    const same = (inner: unknown): Issue[] => {
      const set: Evaluated = evaluated && new Set();
      const issues = this.at(inner, value, place, set);
      if (issues.length === 0) for (const key of set ?? []) evaluated?.add(key);
      return issues;
    };
    for (const reference of referencesOf(schema)) add(same(this.reader.follow(reference, this.work)));
    add(this.#valueIssues(schema, value, place));
    add(this.#combined(schema, place, same));
    if (isObject(value)) add(objectIssues(this, schema, value, place, evaluated, same));
    else if (Array.isArray(value)) add(listIssues(this, schema, value, place, evaluated));
    else if (typeof value === "number") add(numberIssues(schema, value, place));
    else if (isString(value)) add(stringIssues(this, schema, value, place));
    if (hasOwnSet) for (const key of evaluated ?? []) inherited?.add(key);
    return found;
  }

  /** `type`, `const` and `enum`. */
  #valueIssues(schema: Json, value: unknown, place: Place | undefined): Issue[] {
    const whole = (expected: string): Issue => ({ place, expected, isOfWhole: true });
    const found: Issue[] = [];
    const types = [schema["type"] ?? []].flat();
    const unknown = types.find((type) => !TYPES.includes(String(type)));
    // Rejecting all values would be wrong.
    if (unknown !== undefined) throw new Error(`The schema has the unknown type ${String(unknown)}.`);
    const isKind = (type: unknown) => kindOf(value) === type || (type === "integer" && Number.isInteger(value));
    if (types.length > 0 && !types.some(isKind)) found.push(whole(kindsOf(types)));
    const is = (allowed: unknown) => canonical(allowed, this.work) === canonical(value, this.work);
    if ("const" in schema && !is(schema["const"])) found.push(whole(JSON.stringify(schema["const"])));
    const values = listAt(schema, "enum");
    if (values && !this.reader.valuesOf(values, this.work).has(canonical(value, this.work))) {
      found.push(whole(alternatives(written(values))));
    }
    return found;
  }

  /** The keywords that combine schemas. */
  #combined(schema: Json, place: Place | undefined, same: (inner: unknown) => Issue[]): Issue[] {
    const found: Issue[] = [];
    const { not, if: condition } = schema;
    if (not !== undefined) {
      const { result, isSure } = this.decide(() => same(not));
      if (result.length === 0 && isSure) found.push({ place, expected: "another value", isOfWhole: false });
    }
    const anyOf = listAt(schema, "anyOf")?.map(same) ?? [];
    if (anyOf.length > 0 && anyOf.every(({ length }) => length > 0)) found.push(...unionIssues(anyOf, place));
    for (const inner of listAt(schema, "allOf") ?? []) for (const issue of same(inner)) found.push(issue);
    const { result: oneOf, isSure } = this.decide(() => listAt(schema, "oneOf")?.map(same) ?? []);
    const fitting = oneOf.filter(({ length }) => length === 0).length;
    if (oneOf.length > 0 && fitting === 0) found.push(...unionIssues(oneOf, place));
    if (fitting > 1 && isSure) {
      found.push({ place, expected: "exactly one of the variants, not several", isOfWhole: false });
    }
    if (condition !== undefined) {
      const decided = this.decide(() => same(condition).length === 0);
      if (decided.isSure) found.push(...same(decided.result ? schema["then"] : schema["else"]));
    }
    return found;
  }
}

function* written(values: readonly unknown[]): Iterable<string> {
  for (const value of values) yield JSON.stringify(value);
}
