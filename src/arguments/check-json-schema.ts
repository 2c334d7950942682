import type { Mismatch } from "../errors/local.js";
import { isObject, isText, type Json, kindOf } from "../shared/json.js";
import { listComplaints } from "./check-list.js";
import { objectComplaints } from "./check-object.js";
import { numberComplaints, textComplaints } from "./check-plain.js";
import { type Checking, type Evaluated, Work } from "./checking.js";
import { alternatives, type Complaint, kindsOf, type Place, toMismatch, unionComplaints } from "./complaint.js";
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
  const complaints = check.at(schema, value, undefined, undefined);
  return { mismatches: complaints.map((complaint) => toMismatch(complaint, value)), unchecked: [...check.unchecked] };
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
  /** Number of times a pattern was skipped. */
  #doubts = 0;

  constructor(reader: SchemaReader) {
    this.reader = reader;
  }

  at(schema: unknown, value: unknown, place: Place | undefined, evaluated: Evaluated): Complaint[] {
    this.work.spend(10);
    if (schema === false) return [{ place, expected: "no such field", isOfWhole: true }];
    if (!isObject(schema)) return [];
    if (this.#depth > DEEPEST) throw new Error("The schema is nested too deeply, or refers to itself endlessly.");
    this.#depth += 1;
    const own = this.#complaints(schema, value, place, evaluated);
    this.#depth -= 1;
    if (own.length === 0) return own;
    const others: Complaint[] = [];
    if (schema["nullable"] === true) others.push({ place, expected: "null", isOfWhole: true });
    // An empty string instead of a file means no file. See assumption A11.
    if (schema["file_uploadable"] === true) others.push({ place, expected: '""', isOfWhole: true });
    if (others.length === 0) return own;
    const fits =
      (schema["nullable"] === true && value === null) || (schema["file_uploadable"] === true && value === "");
    return fits ? [] : unionComplaints([own, ...others.map((other) => [other])], place);
  }

  matches(source: string, text: string): boolean | undefined {
    const pattern = this.reader.pattern(source, this.work);
    if (!(pattern instanceof Error)) return pattern.matches(text, this.work);
    this.#doubts += 1;
    this.unchecked.add(`The pattern ${source.slice(0, 100)} is not checked: ${pattern.message}.`);
    return undefined;
  }

  surely<Result>(decide: () => Result): { readonly result: Result; readonly isSure: boolean } {
    const before = this.#doubts;
    return { result: decide(), isSure: this.#doubts === before };
  }

  #complaints(schema: Json, value: unknown, place: Place | undefined, inherited: Evaluated): Complaint[] {
    const hasOwnSet = "unevaluatedProperties" in schema || "unevaluatedItems" in schema;
    const evaluated = hasOwnSet ? new Set<PropertyKey>() : inherited;
    const found: Complaint[] = [];
    const add = (complaints: readonly Complaint[]) => {
      this.work.spend(complaints.length);
      for (const complaint of complaints) found.push(complaint);
    };
    const same = (inner: unknown): Complaint[] => {
      const set: Evaluated = evaluated && new Set();
      const complaints = this.at(inner, value, place, set);
      if (complaints.length === 0) for (const key of set ?? []) evaluated?.add(key);
      return complaints;
    };
    for (const keyword of ["$ref", "$dynamicRef", "$recursiveRef"]) {
      const reference = schema[keyword];
      if (isText(reference)) add(same(this.reader.follow(reference, this.work)));
    }
    add(this.#valueComplaints(schema, value, place));
    add(this.#combined(schema, place, same));
    if (isObject(value)) add(objectComplaints(this, schema, value, place, evaluated, same));
    else if (Array.isArray(value)) add(listComplaints(this, schema, value, place, evaluated));
    else if (typeof value === "number") add(numberComplaints(schema, value, place));
    else if (isText(value)) add(textComplaints(this, schema, value, place));
    if (hasOwnSet) for (const key of evaluated ?? []) inherited?.add(key);
    return found;
  }

  /** `type`, `const` and `enum`. */
  #valueComplaints(schema: Json, value: unknown, place: Place | undefined): Complaint[] {
    const whole = (expected: string): Complaint => ({ place, expected, isOfWhole: true });
    const found: Complaint[] = [];
    const types = [schema["type"] ?? []].flat();
    const unknown = types.find((type) => !TYPES.includes(String(type)));
    // Rejecting all values would be wrong.
    if (unknown !== undefined) throw new Error(`The schema has the unknown type ${String(unknown)}.`);
    const isKind = (type: unknown) => kindOf(value) === type || (type === "integer" && Number.isInteger(value));
    if (types.length > 0 && !types.some(isKind)) found.push(whole(kindsOf(types)));
    const is = (said: unknown) => canonical(said, this.work) === canonical(value, this.work);
    if ("const" in schema && !is(schema["const"])) found.push(whole(JSON.stringify(schema["const"])));
    const values = listAt(schema, "enum");
    if (values && !this.reader.valuesOf(values, this.work).has(canonical(value, this.work))) {
      found.push(whole(alternatives(written(values))));
    }
    return found;
  }

  /** The keywords that combine schemas. */
  #combined(schema: Json, place: Place | undefined, same: (inner: unknown) => Complaint[]): Complaint[] {
    const found: Complaint[] = [];
    const { not, if: condition } = schema;
    if (not !== undefined) {
      const { result, isSure } = this.surely(() => same(not));
      if (result.length === 0 && isSure) found.push({ place, expected: "another value", isOfWhole: false });
    }
    const anyOf = listAt(schema, "anyOf")?.map(same) ?? [];
    if (anyOf.length > 0 && anyOf.every(({ length }) => length > 0)) found.push(...unionComplaints(anyOf, place));
    for (const inner of listAt(schema, "allOf") ?? []) for (const complaint of same(inner)) found.push(complaint);
    const { result: oneOf, isSure } = this.surely(() => listAt(schema, "oneOf")?.map(same) ?? []);
    const fitting = oneOf.filter(({ length }) => length === 0).length;
    if (oneOf.length > 0 && fitting === 0) found.push(...unionComplaints(oneOf, place));
    if (fitting > 1 && isSure) {
      found.push({ place, expected: "exactly one of the variants, not several", isOfWhole: false });
    }
    if (condition !== undefined) {
      const decided = this.surely(() => same(condition).length === 0);
      if (decided.isSure) found.push(...same(decided.result ? schema["then"] : schema["else"]));
    }
    return found;
  }
}

function* written(values: readonly unknown[]): Iterable<string> {
  for (const value of values) yield JSON.stringify(value);
}
