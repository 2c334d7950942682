import { amount } from "../errors/mismatch-words.js";
import { isString, type Json } from "../shared/json.js";
import type { Checking } from "./checking.js";
import { hasFormat } from "./formats.js";
import type { Issue, Place } from "./issue.js";
import { numberAt } from "./schema-reader.js";

/** Validation errors of a number. */
export function numberIssues(schema: Json, value: number, place: Place | undefined): Issue[] {
  const found: Issue[] = [];
  const addIf = (isWrong: boolean, expected: string) => isWrong && found.push({ place, expected, isOfWhole: false });
  const least = numberAt(schema, "minimum");
  const most = numberAt(schema, "maximum");
  // In draft 4 `exclusiveMinimum: true` makes `minimum` exclusive. Since draft 6 it is a separate bound.
  const above = schema["exclusiveMinimum"] === true ? least : numberAt(schema, "exclusiveMinimum");
  const below = schema["exclusiveMaximum"] === true ? most : numberAt(schema, "exclusiveMaximum");
  if (least !== undefined && above !== least) addIf(value < least, `at least ${least}`);
  if (most !== undefined && below !== most) addIf(value > most, `at most ${most}`);
  if (above !== undefined) addIf(value <= above, `more than ${above}`);
  if (below !== undefined) addIf(value >= below, `less than ${below}`);
  const step = numberAt(schema, "multipleOf");
  if (step !== undefined && step > 0) addIf(!isMultiple(value, step), `a multiple of ${step}`);
  return found;
}

/** Tolerates rounding: 0.3 is a multiple of 0.1, although its double isn't. */
function isMultiple(value: number, step: number): boolean {
  const times = value / step;
  if (!Number.isFinite(times)) return true;
  return Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
}

/** Validation errors of a string: bounds, pattern and format. */
export function stringIssues(check: Checking, schema: Json, value: string, place: Place | undefined): Issue[] {
  const found: Issue[] = [];
  const addIf = (isWrong: boolean, expected: string) => isWrong && found.push({ place, expected, isOfWhole: false });
  const least = numberAt(schema, "minLength");
  const most = numberAt(schema, "maxLength");
  check.work.spend(value.length / 16);
  const length = least === undefined && most === undefined ? 0 : lengthOf(value);
  if (most !== undefined) addIf(length > most, `at most ${amount(most, "string")}`);
  if (least !== undefined) addIf(length < least, `at least ${amount(least, "string")}`);
  const { pattern, format } = schema;
  if (isString(pattern)) addIf(check.matches(pattern, value) === false, `a string that matches ${pattern}`);
  if (isString(format)) addIf(!hasFormat(format, value), `a valid ${format}`);
  return found;
}

/** In characters, as JSON Schema counts: a surrogate pair is one. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
