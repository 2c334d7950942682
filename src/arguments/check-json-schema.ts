import type { Mismatch } from "../errors/local.js";
import { hint } from "../errors/mismatch-words.js";
import { REFERENCES } from "../json-schema/references.js";
import { isObject, type Json, kindOf } from "../shared/json.js";
import { combinedIssues, referenceIssues, unionIssues } from "./check-combined.js";
import { DEPENDENT, dependentIssues, fieldIssues, listIssues, namesIssues, requiredIssues } from "./check-object.js";
import { numberIssues, stringIssues } from "./check-plain.js";
import {
  alternatives,
  type Checking,
  type Compared,
  type Evaluated,
  type Issue,
  kindsOf,
  listAt,
  type Place,
  toMismatch,
  Work,
} from "./checking.js";
import { canonical, SchemaReader } from "./schema-reader.js";

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
 * @param acceptsDeadReferences whether a reference that can't be followed accepts everything.
 * @throws {Error} for an invalid schema: an unknown type, a reference that can't be followed or leads to itself.
 * @throws {TooMuchWork} if the check would take too long.
 */
export function checkJsonSchema(schema: object, value: unknown, acceptsDeadReferences = false): Checked {
  const reader = readers.get(schema) ?? new SchemaReader(schema);
  readers.set(schema, reader);
  const check = new Check(reader, acceptsDeadReferences);
  const issues = check.at(schema, value, undefined, undefined);
  return { mismatches: issues.map((issue) => toMismatch(issue, value)), unchecked: [...check.unchecked] };
}

/**
 * Every place where a value doesn't match a JSON Schema, as `checkJsonSchema` finds them. A reference to a missing
 * schema accepts everything, because catalogs have some.
 */
export function mismatchesOfJsonSchema(schema: object, value: unknown): Mismatch[] {
  return checkJsonSchema(schema, value, true).mismatches;
}

/** One comparison of a value with a schema. */
class Check implements Checking {
  readonly reader: SchemaReader;
  readonly acceptsDeadReferences: boolean;
  readonly work = new Work();
  readonly unchecked = new Set<string>();
  #depth = 0;
  #hints = 0;
  /** Number of times a pattern was skipped. */
  #doubts = 0;

  constructor(reader: SchemaReader, acceptsDeadReferences: boolean) {
    this.reader = reader;
    this.acceptsDeadReferences = acceptsDeadReferences;
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

  follow(reference: string): unknown {
    const found = this.reader.follow(reference, this.work);
    if (found !== undefined || this.acceptsDeadReferences) return found;
    throw new Error(`$ref "${reference}" leads to no schema, or refers to itself endlessly.`);
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
    const same = (inner: unknown): Issue[] => {
      const set: Evaluated = evaluated && new Set();
      const issues = this.at(inner, value, place, set);
      if (issues.length === 0) for (const key of set ?? []) evaluated?.add(key);
      return issues;
    };
    const found: Issue[] = [];
    const kind = kindOf(value);
    for (const rule of rulesOf(schema)) {
      if (rule.kind !== undefined && rule.kind !== kind) continue;
      const issues = rule.issues(this, { schema, value, place, evaluated, same });
      this.work.spend(issues.length);
      for (const issue of issues) found.push(issue);
    }
    if (hasOwnSet) for (const key of evaluated ?? []) inherited?.add(key);
    return found;
  }
}

/** The requirements of some keywords of a schema. */
interface Rule {
  readonly keywords: readonly string[];
  /** The kind of values that the keywords apply to; without one, all. */
  readonly kind?: string;
  /** The validation errors of a value of that kind. */
  issues(check: Check, compared: Compared): Issue[];
}

/** In the order in which their errors are listed. */
const RULES: readonly Rule[] = [
  { keywords: REFERENCES, issues: referenceIssues },
  { keywords: ["type"], issues: typeIssues },
  { keywords: ["const", "enum"], issues: valueIssues },
  { keywords: ["not", "anyOf", "allOf", "oneOf", "if"], issues: combinedIssues },
  { keywords: ["required"], kind: "object", issues: requiredIssues },
  { keywords: ["minProperties", "maxProperties", "propertyNames"], kind: "object", issues: namesIssues },
  { keywords: DEPENDENT, kind: "object", issues: dependentIssues },
  {
    keywords: ["properties", "patternProperties", "additionalProperties", "unevaluatedProperties"],
    kind: "object",
    issues: fieldIssues,
  },
  {
    keywords: [
      ...["minItems", "maxItems", "prefixItems", "items", "additionalItems", "unevaluatedItems"],
      ...["contains", "minContains", "maxContains", "uniqueItems"],
    ],
    kind: "array",
    issues: listIssues,
  },
  {
    keywords: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
    kind: "number",
    issues: numberIssues,
  },
  { keywords: ["minLength", "maxLength", "pattern", "format"], kind: "string", issues: stringIssues },
];

/** Schemas are used many times, and most have few keywords. */
const rules = new WeakMap<Json, readonly Rule[]>();

/** @throws {Error} for a schema with an unknown type. Rejecting all values would be wrong. */
function rulesOf(schema: Json): readonly Rule[] {
  const known = rules.get(schema);
  if (known) return known;
  const unknown = [schema["type"] ?? []].flat().find((type) => !TYPES.includes(String(type)));
  if (unknown !== undefined) throw new Error(`The schema has the unknown type ${String(unknown)}.`);
  const found = RULES.filter(({ keywords }) => keywords.some((keyword) => keyword in schema));
  rules.set(schema, found);
  return found;
}

function typeIssues(_: Check, { schema, value, place }: Compared): Issue[] {
  const types: unknown[] = [schema["type"] ?? []].flat();
  const kind = kindOf(value);
  if (types.length === 0 || types.includes(kind) || (types.includes("integer") && Number.isInteger(value))) return [];
  return [{ place, expected: kindsOf(types), isOfWhole: true }];
}

function valueIssues({ reader, work }: Check, { schema, value, place }: Compared): Issue[] {
  const found: Issue[] = [];
  const add = (expected: string) => found.push({ place, expected, isOfWhole: true });
  const isSame = (allowed: unknown) => canonical(allowed, work) === canonical(value, work);
  if ("const" in schema && !isSame(schema["const"])) add(JSON.stringify(schema["const"]));
  const values = listAt(schema, "enum");
  if (values && !reader.valuesOf(values, work).has(canonical(value, work))) add(alternatives(written(values)));
  return found;
}

function* written(values: readonly unknown[]): Iterable<string> {
  for (const value of values) yield JSON.stringify(value);
}
