// The room of complete checks: whether a value matches a schema, and if not, in which places. It imports `fit`, and the
// words of mismatches. Start here, then `schema-reader.ts`.

import type { Mismatch } from "../../errors/local.js";
import { isLongInteger, type Json, kindOf } from "../../shared/json.js";
import { Fitting, MOST_STEPS, Undecided } from "../fit/schema-tests.js";
import { isSame } from "../json-equal.js";
import { BY_NAME, isKind, KEYWORDS_OF } from "../keywords.js";
import { listOf, REFERENCES, referencesOf } from "../references.js";
import { atMost } from "../step-limit.js";
import { dependentIssues, fieldIssues, listIssues, namesIssues, requiredIssues } from "./check-object.js";
import { limitedNumber, limitIssues, numberLimits, stringLimits } from "./check-plain.js";
import { alternatives, type Compared, type Issue, kindsOf, toMismatch, unionIssues } from "./checking.js";
import { meantBranches } from "./closest-branch.js";
import { Check, type Fits, type KeywordRule, SchemaReader } from "./schema-reader.js";

/** The result of a check. */
export interface Checked {
  /** Every place where the value doesn't match. Contains paths and kinds, never values. */
  readonly mismatches: Mismatch[];
  /** The skipped patterns, each as a sentence with the reason. What only they decide counts as valid. */
  readonly unchecked: readonly string[];
}

/** Parsed parts of a schema live as long as the schema. */
const readers = new WeakMap<object, SchemaReader>();

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
  const fits = certainly(new Fitting(acceptsDeadReferences ? reader.lenient : reader.strict));
  if (fits(schema, value)) return { mismatches: [], unchecked: [] };
  const check = new Check(reader, fits, rulesOf, acceptsDeadReferences);
  const issues = atMost(MOST_STEPS, () => check.at(schema, value, undefined, undefined));
  return { mismatches: issues.map((issue) => toMismatch(issue, value)), unchecked: [...check.unchecked] };
}

/**
 * Whether values fit for certain, which costs far less than their issues. `false` if nothing decides: the value may fit
 * then.
 */
function certainly(fitting: Fitting): Fits {
  const undecided = new Set<unknown>();
  return function fits(schema, value) {
    if (undecided.has(schema)) return false;
    try {
      return fitting.fits(schema, value);
    } catch (error) {
      if (!(error instanceof Undecided)) throw error;
      undecided.add(schema);
      return false;
    }
  };
}

/**
 * Every place where a value doesn't match a JSON Schema, as `checkJsonSchema` finds them. A reference to a missing
 * schema accepts everything, because catalogs have some.
 */
export function mismatchesOfJsonSchema(schema: object, value: unknown): Mismatch[] {
  return checkJsonSchema(schema, value, true).mismatches;
}

/** In the order in which their errors are listed. */
const RULES: readonly KeywordRule[] = [
  { keywords: REFERENCES, issues: referenceIssues },
  { keywords: ["type"], issues: typeIssues },
  { keywords: ["const", "enum"], issues: valueIssues },
  { keywords: ["not", "anyOf", "allOf", "oneOf", "if"], issues: combinedIssues },
  { keywords: ["required"], kind: "object", issues: requiredIssues },
  { keywords: ["minProperties", "maxProperties", "propertyNames"], kind: "object", issues: namesIssues },
  { keywords: BY_NAME, kind: "object", issues: dependentIssues },
  {
    keywords: ["properties", "patternProperties", "additionalProperties", "unevaluatedProperties"],
    kind: "object",
    issues: fieldIssues,
  },
  { keywords: KEYWORDS_OF.array, kind: "array", issues: listIssues },
  { keywords: KEYWORDS_OF.number, issues: numberIssues },
  { keywords: KEYWORDS_OF.string, kind: "string", issues: stringIssues },
];

/** Schemas are used many times, and most have few keywords. */
const rules = new WeakMap<Json, readonly KeywordRule[]>();

/** @throws {Error} for a schema with an unknown type. Rejecting all values would be wrong. */
function rulesOf(schema: Json): readonly KeywordRule[] {
  const known = rules.get(schema);
  if (known) return known;
  const unknown = [schema["type"] ?? []].flat().find((type) => !isKind(type));
  if (unknown !== undefined) throw new Error(`The schema has the unknown type ${String(unknown)}.`);
  const found = RULES.filter(({ keywords }) => keywords.some((keyword) => keyword in schema));
  rules.set(schema, found);
  return found;
}

function typeIssues(_: Check, { schema, value, place }: Compared): Issue[] {
  const types: unknown[] = [schema["type"] ?? []].flat();
  const kind = kindOf(value);
  if (types.length === 0 || types.includes(kind) || (types.includes("integer") && Number.isInteger(value))) return [];
  if (isLongInteger(value) && (types.includes("integer") || types.includes("number"))) return [];
  return [{ place, expected: kindsOf(types), isOfWhole: true }];
}

function numberIssues(_: Check, compared: Compared): Issue[] {
  const { schema } = compared;
  const value = limitedNumber(schema, compared.value);
  return value === undefined ? [] : limitIssues(numberLimits(schema), { ...compared, value });
}

function stringIssues(check: Check, compared: Compared<string>): Issue[] {
  return limitIssues(
    stringLimits(compared.schema, (pattern, text) => check.matches(pattern, text)),
    compared,
  );
}

function valueIssues({ reader }: Check, { schema, value, place }: Compared): Issue[] {
  const found: Issue[] = [];
  const add = (expected: string) => found.push({ place, expected, isOfWhole: true });
  if ("const" in schema && !isSame(schema["const"], value)) add(JSON.stringify(schema["const"]));
  const values: unknown = schema["enum"];
  if (Array.isArray(values) && !reader.valuesOf(values).has(value)) add(alternatives(writtenValues(values)));
  return found;
}

function* writtenValues(values: readonly unknown[]): Iterable<string> {
  for (const value of values) yield JSON.stringify(value);
}

/** The validation errors by the schemas that a schema refers to. */
function referenceIssues(check: Check, { schema, same }: Compared): Issue[] {
  return referencesOf(schema).flatMap((reference) => same(check.follow(reference)));
}

/** The validation errors by the keywords that combine schemas. */
function combinedIssues(check: Check, { schema, value, place, same }: Compared): Issue[] {
  const found: Issue[] = [];
  // A spread into `push` would overflow the stack: a value can have any number of errors.
  const addAll = (issues: readonly Issue[]) => {
    for (const issue of issues) found.push(issue);
  };
  const { not, if: condition } = schema;
  if (not !== undefined) {
    const { result, isSure } = check.decide(() => same(not));
    if (result.length === 0 && isSure) found.push({ place, expected: "another value", isOfWhole: false });
  }
  const meant = (keyword: string) =>
    meantBranches(listOf(schema[keyword]), value, (reference) => check.target(reference));
  const anyOf = meant("anyOf").map(same);
  if (anyOf.length > 0 && anyOf.every(({ length }) => length > 0)) addAll(unionIssues(anyOf, place));
  for (const inner of listOf(schema["allOf"])) addAll(same(inner));
  const { result: oneOf, isSure } = check.decide(() => meant("oneOf").map(same));
  const fitting = oneOf.filter(({ length }) => length === 0).length;
  if (oneOf.length > 0 && fitting === 0) addAll(unionIssues(oneOf, place));
  if (fitting > 1 && isSure) {
    found.push({ place, expected: "exactly one of the variants, not several", isOfWhole: false });
  }
  if (condition !== undefined) {
    const decided = check.decide(() => same(condition).length === 0);
    if (decided.isSure) addAll(same(decided.result ? schema["then"] : schema["else"]));
  }
  return found;
}
