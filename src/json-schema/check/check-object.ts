import { amount, NO_SUCH_FIELD } from "../../errors/mismatch-words.js";
import { child, isString, type Json } from "../../shared/json.js";
import { numberAt } from "../bounds.js";
import { itemSchema } from "../items.js";
import { canonical } from "../json-equal.js";
import { BY_NAME } from "../keywords.js";
import { spend } from "../step-limit.js";
import { type Compared, entriesAt, type Issue, kindsOf, within } from "./checking.js";
import type { Check } from "./schema-reader.js";

/** Maximum number of issues of the members of a value. A person reads a few of them. */
const MOST_ISSUES = 2_000;

/** Validation errors for fields that an object must have. */
export function requiredIssues(
  _: Check,
  { schema, value, place }: Compared<Json>,
  list: unknown = schema["required"],
): Issue[] {
  const found: Issue[] = [];
  for (const name of Array.isArray(list) ? list : []) {
    spend();
    if (!isString(name) || Object.hasOwn(value, name)) continue;
    const type = child(child(schema["properties"], name), "type");
    const expected = type === undefined ? "a value" : kindsOf(type);
    found.push({ place: within(place, name), expected, isOfWhole: false });
  }
  return found;
}

/** Validation errors of the number of an object's fields, and of their names. */
export function namesIssues(check: Check, { schema, value, place }: Compared<Json>): Issue[] {
  const found: Issue[] = [];
  const names = Object.keys(value);
  const add = (expected: string) => found.push({ place, expected, isOfWhole: false });
  if (names.length < (numberAt(schema, "minProperties") ?? 0)) add(`at least ${schema["minProperties"]} fields`);
  const most = numberAt(schema, "maxProperties");
  if (most !== undefined && names.length > most) add(`at most ${most} fields`);
  const naming = schema["propertyNames"];
  if (naming !== undefined && names.some((name) => check.at(naming, name, undefined, undefined).length > 0)) {
    add("another value");
  }
  return found;
}

/** Validation errors of the fields and schemas that the presence of a field brings. */
export function dependentIssues(check: Check, compared: Compared<Json>): Issue[] {
  return BY_NAME.flatMap((keyword) =>
    entriesAt(compared.schema, keyword).flatMap(([name, needed]) => {
      if (!Object.hasOwn(compared.value, name)) return [];
      return Array.isArray(needed) ? requiredIssues(check, compared, needed) : compared.same(needed);
    }),
  );
}

/** Validation errors of an object's fields, each compared with the schemas that apply to it. */
export function fieldIssues(check: Check, { schema, value, place, evaluated }: Compared<Json>): Issue[] {
  const found: Issue[] = [];
  const names = Object.keys(value);
  const properties = entriesAt(schema, "properties");
  const known = new Set<string>();
  const compare = (name: string, inner: unknown) => {
    known.add(name);
    if (found.length >= MOST_ISSUES) return;
    for (const issue of check.at(inner, value[name], within(place, name), undefined)) found.push(issue);
  };
  for (const [name, inner] of properties) {
    spend();
    if (Object.hasOwn(value, name)) compare(name, inner);
  }
  for (const [pattern, inner] of entriesAt(schema, "patternProperties")) {
    for (const name of names) {
      const matches = check.matches(pattern, name);
      if (matches === true) compare(name, inner);
      // The skipped pattern may match the field.
      if (matches === undefined) known.add(name);
    }
  }
  const compareOthers = (keyword: string, isKnown: (name: string) => boolean) => {
    const inner = schema[keyword];
    if (inner === undefined) return;
    for (const name of names.filter((candidate) => !isKnown(candidate))) {
      if (inner !== false) compare(name, inner);
      else if (found.length < MOST_ISSUES) {
        const siblings = properties.map(([sibling]) => sibling);
        const expected = NO_SUCH_FIELD + check.hint(name, siblings);
        found.push({ place: within(place, name), expected, isOfWhole: true });
      }
    }
  };
  compareOthers("additionalProperties", (name) => known.has(name));
  for (const name of known) evaluated?.add(name);
  compareOthers("unevaluatedProperties", (name) => evaluated?.has(name) === true);
  for (const name of known) evaluated?.add(name);
  return found;
}

/** Validation errors of an array and its items. */
export function listIssues(check: Check, compared: Compared<readonly unknown[]>): Issue[] {
  const { schema, value, place, evaluated } = compared;
  const found: Issue[] = [];
  const add = (expected: string) => found.push({ place, expected, isOfWhole: false });
  const most = numberAt(schema, "maxItems");
  const least = numberAt(schema, "minItems");
  if (most !== undefined && value.length > most) add(`at most ${amount(most, "array")}`);
  if (least !== undefined && value.length < least) add(`at least ${amount(least, "array")}`);
  const compare = (index: number, inner: unknown) => {
    evaluated?.add(index);
    if (found.length >= MOST_ISSUES) return;
    for (const issue of check.at(inner, value[index], within(place, index), undefined)) found.push(issue);
  };
  value.forEach((_, index) => {
    const inner = itemSchema(schema, index);
    if (inner !== undefined) compare(index, inner);
  });
  if (schema["contains"] !== undefined) for (const issue of containing(check, compared)) found.push(issue);
  const others = schema["unevaluatedItems"];
  if (others !== undefined) {
    value.forEach((_, index) => {
      if (!evaluated?.has(index)) compare(index, others);
    });
  }
  if (schema["uniqueItems"] === true) {
    const known = new Set(value.map((item) => canonical(item)));
    if (known.size < value.length) add("no item twice");
  }
  return found;
}

function containing(check: Check, { schema, value, place, evaluated }: Compared<readonly unknown[]>): Issue[] {
  const { result: fitting, isSure } = check.decide(() =>
    value.flatMap((item, index) =>
      check.at(schema["contains"], item, within(place, index), undefined).length === 0 ? [index] : [],
    ),
  );
  for (const index of fitting) evaluated?.add(index);
  const isTooFew = fitting.length < (numberAt(schema, "minContains") ?? 1);
  const isTooMany = isSure && fitting.length > (numberAt(schema, "maxContains") ?? Number.POSITIVE_INFINITY);
  return isTooFew || isTooMany ? [{ place, expected: "another value", isOfWhole: false }] : [];
}
