import type { Mismatch } from "../../errors/local.js";
import { formatPath, kindName, receivedAt } from "../../errors/mismatch-words.js";
import { child, isObject, type Json } from "../../shared/json.js";
import { wellFormed } from "../../shared/well-formed.js";
import { closestBranch } from "./closest-branch.js";

/** The fields or items of a value that a schema covered, for `unevaluatedProperties` and `unevaluatedItems`. */
export type Evaluated = Set<PropertyKey> | undefined;

/** A value, and a schema that it is compared with. */
export interface Compared<Value = unknown> {
  readonly schema: Json;
  readonly value: Value;
  readonly place: CheckedPlace | undefined;
  readonly evaluated: Evaluated;
  /** Compares the value with another schema. */
  readonly same: (inner: unknown) => Issue[];
}

/** The members of a keyword's object; none if its value is something else. */
export function entriesAt(schema: Json, keyword: string): [name: string, member: unknown][] {
  const value = child(schema, keyword);
  return isObject(value) ? Object.entries(value) : [];
}

/** The place of a value in the checked one. */
export interface CheckedPlace {
  readonly outer: CheckedPlace | undefined;
  readonly key: PropertyKey;
  readonly depth: number;
}

/** A validation error before it becomes a {@link Mismatch}. */
export interface Issue {
  readonly place: CheckedPlace | undefined;
  readonly expected: string;
  /** Whether the whole value has another kind, so this variant wasn't meant. */
  readonly isOfWhole: boolean;
}

/** Maximum length of an expectation, in characters. An enum may have thousands of values. */
const LONGEST = 300;

export function within(outer: CheckedPlace | undefined, key: PropertyKey): CheckedPlace {
  return { outer, key, depth: (outer?.depth ?? 0) + 1 };
}

/** Contains the value's kind, never the value. */
export function toMismatch({ place, expected }: Issue, value: unknown): Mismatch {
  const path: PropertyKey[] = [];
  for (let at = place; at; at = at.outer) path.unshift(at.key);
  const shown = expected.length > LONGEST ? `${expected.slice(0, LONGEST)}…` : expected;
  return {
    path: wellFormed(formatPath(path)),
    expected: wellFormed(shown),
    received: receivedAt(value, path, expected),
  };
}

/** `a or b`, up to the maximum length. */
export function alternatives(words: Iterable<string>): string {
  let text = "";
  for (const word of words) {
    text += text === "" ? word : ` or ${word}`;
    if (text.length > LONGEST) break;
  }
  return text;
}

export function kindsOf(types: unknown): string {
  return alternatives([types].flat().map((type) => kindName(String(type))));
}

/** The issues of the closest variant, or one about all variants if none is close. */
export function unionIssues(variants: readonly (readonly Issue[])[], place: CheckedPlace | undefined): Issue[] {
  const isAboutThis = (issue: Issue) => issue.isOfWhole && issue.place === place;
  const closest = closestBranch(variants, isAboutThis);
  if (closest && closest.length > 0) return [...closest];
  const kinds = new Set(
    variants
      .flat()
      .filter(isAboutThis)
      .map(({ expected }) => expected),
  );
  return [{ place, expected: alternatives(kinds) || "one of the documented variants", isOfWhole: kinds.size > 0 }];
}
