import { referencesOf } from "../json-schema/references.js";
import { alternatives, type Checking, type Compared, type Issue, listAt, type Place } from "./checking.js";

/** The validation errors by the schemas that a schema refers to. */
export function referenceIssues(check: Checking, { schema, same }: Compared): Issue[] {
  return referencesOf(schema).flatMap((reference) => same(check.follow(reference)));
}

/** The validation errors by the keywords that combine schemas. */
export function combinedIssues(check: Checking, { schema, place, same }: Compared): Issue[] {
  const found: Issue[] = [];
  const { not, if: condition } = schema;
  if (not !== undefined) {
    const { result, isSure } = check.decide(() => same(not));
    if (result.length === 0 && isSure) found.push({ place, expected: "another value", isOfWhole: false });
  }
  const anyOf = listAt(schema, "anyOf")?.map(same) ?? [];
  if (anyOf.length > 0 && anyOf.every(({ length }) => length > 0)) found.push(...unionIssues(anyOf, place));
  for (const inner of listAt(schema, "allOf") ?? []) for (const issue of same(inner)) found.push(issue);
  const { result: oneOf, isSure } = check.decide(() => listAt(schema, "oneOf")?.map(same) ?? []);
  const fitting = oneOf.filter(({ length }) => length === 0).length;
  if (oneOf.length > 0 && fitting === 0) found.push(...unionIssues(oneOf, place));
  if (fitting > 1 && isSure) {
    found.push({ place, expected: "exactly one of the variants, not several", isOfWhole: false });
  }
  if (condition !== undefined) {
    const decided = check.decide(() => same(condition).length === 0);
    if (decided.isSure) found.push(...same(decided.result ? schema["then"] : schema["else"]));
  }
  return found;
}

/** The issues of the closest variant, or one about all variants if none is close. */
export function unionIssues(variants: readonly (readonly Issue[])[], place: Place | undefined): Issue[] {
  const isAboutThis = (issue: Issue) => issue.isOfWhole && issue.place === place;
  const [closest] = variants
    .filter((variant) => !variant.some(isAboutThis))
    .sort((one, other) => one.length - other.length);
  if (closest && closest.length > 0) return [...closest];
  const kinds = new Set(
    variants
      .flat()
      .filter(isAboutThis)
      .map(({ expected }) => expected),
  );
  return [{ place, expected: alternatives(kinds) || "one of the documented variants", isOfWhole: kinds.size > 0 }];
}
