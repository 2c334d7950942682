import { amount } from "../errors/mismatch-words.js";
import type { Json } from "../shared/json.js";
import type { Checking, Evaluated } from "./checking.js";
import { type Issue, type Place, within } from "./issue.js";
import { canonical, listAt, numberAt } from "./schema-reader.js";

/** Validation errors of an array and its items. */
export function listIssues(
  check: Checking,
  schema: Json,
  value: readonly unknown[],
  place: Place | undefined,
  evaluated: Evaluated,
): Issue[] {
  const found: Issue[] = [];
  const add = (expected: string) => found.push({ place, expected, isOfWhole: false });
  const most = numberAt(schema, "maxItems");
  const least = numberAt(schema, "minItems");
  if (most !== undefined && value.length > most) add(`at most ${amount(most, "array")}`);
  if (least !== undefined && value.length < least) add(`at least ${amount(least, "array")}`);
  const compare = (index: number, inner: unknown) => {
    evaluated?.add(index);
    for (const issue of check.at(inner, value[index], within(place, index), undefined)) found.push(issue);
  };
  // Older drafts write a tuple as `items`, and the rest as `additionalItems`.
  const first = listAt(schema, "prefixItems") ?? listAt(schema, "items") ?? [];
  const rest = Array.isArray(schema["items"]) ? schema["additionalItems"] : schema["items"];
  value.forEach((_, index) => {
    if (index < first.length) compare(index, first[index]);
    else if (rest !== undefined) compare(index, rest);
  });
  if (schema["contains"] !== undefined) found.push(...containing(check, schema, value, place, evaluated));
  const others = schema["unevaluatedItems"];
  if (others !== undefined) {
    value.forEach((_, index) => {
      if (!evaluated?.has(index)) compare(index, others);
    });
  }
  if (schema["uniqueItems"] === true) {
    const known = new Set(value.map((item) => canonical(item, check.work)));
    if (known.size < value.length) add("no item twice");
  }
  return found;
}

function containing(
  check: Checking,
  schema: Json,
  value: readonly unknown[],
  place: Place | undefined,
  evaluated: Evaluated,
): Issue[] {
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
