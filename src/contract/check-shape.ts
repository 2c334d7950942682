import type * as z from "zod/mini";
import { compile, config, validate } from "zod/mini";
import { ConfigError, describeMismatches, type Mismatch } from "../errors/local.js";
import { amount, formatPath, hint, kindName, NO_SUCH_FIELD, receivedAt } from "../errors/mismatch-words.js";
import { child, fieldsOf, kindOf } from "../shared/json.js";

type ValidationIssue = z.core.$ZodIssue;
type ZodSchema = z.core.$ZodType;

/** A value and the schema to check it with. */
interface CheckedValue {
  readonly schema: ZodSchema;
  readonly value: unknown;
}

/** Every place where a value doesn't match a schema. Contains paths and kinds, never values. */
export function mismatchesOf(schema: z.ZodMiniType, value: unknown): Mismatch[] {
  if (fitsShape(schema, value)) return [];
  try {
    const result = schema.safeParse(value);
    return result.success ? [] : result.error.issues.flatMap((issue) => toMismatches(issue, { schema, value }, []));
  } catch (error) {
    // zod spreads the issues of a list into a call, so about 100,000 issues overflow the stack.
    if (!(error instanceof RangeError)) throw error;
    return [{ path: "", expected: "a value with fewer mismatches", received: kindName(kindOf(value)) }];
  }
}

/**
 * Checks a value of a program or a file.
 *
 * @param problem what a mismatch means, for the message.
 * @throws {ConfigError} with the first places that don't match.
 */
export function checkShape(schema: z.ZodMiniType, value: unknown, problem: string): void {
  const mismatches = mismatchesOf(schema, value);
  if (mismatches.length > 0) throw new ConfigError(`${problem}: ${describeMismatches(mismatches)}.`);
}

/**
 * Reads options as `fieldsOf` does, options within them too, and checks them.
 *
 * @throws {ConfigError} as {@link checkShape} does.
 */
export function readShape<Shape extends z.ZodMiniType>(
  schema: Shape,
  given: z.input<NoInfer<Shape>>,
  problem: string,
): z.input<Shape> {
  const value = fieldsIn(schema, given);
  checkShape(schema, value, problem);
  // It was just checked.
  return value as z.input<Shape>;
}

function fieldsIn(schema: ZodSchema, value: unknown): unknown {
  const { def } = schema._zod;
  // The fields that zod documents for optional schemas, and for objects.
  const innerType = child(def, "innerType") as ZodSchema | undefined;
  const shape = child(def, "shape") as Readonly<Record<string, ZodSchema>> | undefined;
  if (innerType) return fieldsIn(innerType, value);
  if (!shape || typeof value !== "object" || value === null) return value;
  const fields = fieldsOf(value, Object.keys(shape));
  // A `Map`, for example, would pass as an object without any of them.
  if (!fields) return [];
  for (const [name, member] of Object.entries(fields)) {
    const inner = Object.hasOwn(shape, name) && shape[name];
    if (inner) fields[name] = fieldsIn(inner, member);
  }
  return fields;
}

function toMismatches(issue: ValidationIssue, check: CheckedValue, above: readonly PropertyKey[]): Mismatch[] {
  const { schema, value } = check;
  const path = [...above, ...issue.path];
  const at = (place: readonly PropertyKey[], expected: string): Mismatch => ({
    path: formatPath(place),
    expected,
    received: receivedAt(value, place, expected),
  });
  switch (issue.code) {
    case "invalid_type":
      return [at(path, expectedKind(issue.expected))];
    case "invalid_value":
      return [at(path, issue.values.map((known) => JSON.stringify(known)).join(" or "))];
    case "unrecognized_keys":
      return issue.keys.map((key) => at([...path, key], NO_SUCH_FIELD + meant(key, fieldsAt(schema, value, path))));
    case "too_small":
      return [at(path, `${issue.inclusive ? "at least" : "more than"} ${amount(issue.minimum, issue.origin)}`)];
    case "too_big":
      return [at(path, `at most ${amount(issue.maximum, issue.origin)}`)];
    case "invalid_format":
      if (issue.format === "url") return [at(path, "an absolute URL, such as https://app.example")];
      return [at(path, issue.pattern ? `a string that matches ${issue.pattern}` : `a valid ${issue.format}`)];
    case "invalid_union":
      return unionMismatches(issue, check, path);
    case "custom":
      // Our own schemas say what they expect.
      return [at(path, issue.message)];
    default:
      return [at(path, "another value")];
  }
}

/** The mismatches of the closest variant, or a single mismatch about all variants if none is close. */
function unionMismatches(
  issue: ValidationIssue & { code: "invalid_union" },
  check: CheckedValue,
  path: PropertyKey[],
): Mismatch[] {
  const [closest] = issue.errors
    // A variant for another kind of value isn't close.
    .filter((variant) => !variant.some(({ path: place, code }) => place.length === 0 && OF_THE_WHOLE.includes(code)))
    .map((variant) => variant.flatMap((inner) => toMismatches(inner, check, path)))
    .sort((left, right) => left.length - right.length);
  if (closest && closest.length > 0) return closest;
  const kinds = issue.errors.flat().flatMap((inner) => {
    if (inner.code === "invalid_value") return inner.values.map((known) => JSON.stringify(known));
    return "expected" in inner ? [expectedKind(inner.expected)] : [];
  });
  const discriminants: readonly unknown[] = "options" in issue && Array.isArray(issue.options) ? issue.options : [];
  const known = [...new Set([...kinds, ...discriminants.map((option) => JSON.stringify(option))])];
  const expected = known.length > 0 ? known.join(" or ") : "one of the documented variants";
  return [{ path: formatPath(path), expected, received: receivedAt(check.value, path, expected) }];
}

/** Names of a tool's arguments on other platforms. */
const ARGUMENTS: readonly string[] = ["input", "inputs", "params", "parameters"];

/** Suggests the field that was probably meant. */
function meant(key: string, fields: readonly string[]): string {
  return hint(ARGUMENTS.includes(key) && fields.includes("arguments") ? "arguments" : key, fields);
}

/** Zod's own names of kinds. */
const KINDS: Readonly<Record<string, string>> = { int: "integer", record: "object" };

/** A field that a variant of a union excludes has the kind `never`. */
const expectedKind = (kind: string) => (kind === "never" ? "nothing" : kindName(KINDS[kind] ?? kind));

/** Issues about a value as a whole, not about its parts or limits. */
const OF_THE_WHOLE: readonly string[] = ["invalid_type", "invalid_value", "invalid_union"];

interface ZodDefinition extends z.core.$ZodTypeDef {
  readonly innerType?: ZodSchema;
  readonly options?: readonly ZodSchema[];
  readonly shape?: Readonly<Record<string, ZodSchema>>;
  readonly element?: ZodSchema;
  readonly valueType?: ZodSchema;
  readonly values?: readonly unknown[];
}

/** The fields that a schema has at a path; in a union, those of the variants that match the value's literals. */
function fieldsAt(schema: ZodSchema | undefined, value: unknown, path: readonly PropertyKey[]): string[] {
  const definition: ZodDefinition | undefined = schema?._zod.def;
  const { innerType, options = [], shape, element, valueType } = definition ?? {};
  if (innerType) return fieldsAt(innerType, value, path);
  if (options.length > 0) {
    return options.filter((option) => mayBe(option, value)).flatMap((option) => fieldsAt(option, value, path));
  }
  const [key, ...rest] = path;
  if (key === undefined) return Object.keys(shape ?? {});
  const name = String(key);
  const field = shape && Object.hasOwn(shape, name) ? shape[name] : undefined;
  return fieldsAt(field ?? element ?? valueType, child(value, key), rest);
}

function mayBe(variant: ZodSchema, value: unknown): boolean {
  const { shape = {} }: ZodDefinition = variant._zod.def;
  return Object.entries(shape).every(([name, field]) => {
    const { type, values = [] }: ZodDefinition = field._zod.def;
    return type !== "literal" || values.includes(child(value, name));
  });
}

/** How often a schema was used, then the schema to use in its place. */
const known = new WeakMap<ZodSchema, number | ZodSchema>();
/** Compiling takes milliseconds, which doesn't pay off in a program that checks only a few responses. */
const USES_BEFORE_COMPILING = 20;
/** Tested once, because a browser whose policy forbids code from strings reports every attempt. */
let mayCompile: boolean | undefined;

/** Whether a value matches. A frequent schema is compiled for this if the runtime allows it. */
export function fitsShape(schema: ZodSchema, value: unknown): boolean {
  const state = known.get(schema) ?? 0;
  if (typeof state !== "number") return validate(state, value);
  if (state < USES_BEFORE_COMPILING) {
    known.set(schema, state + 1);
  } else {
    mayCompile ??= allowsCode();
    known.set(schema, mayCompile ? compile(schema) : schema);
  }
  return validate(schema, value);
}

function allowsCode(): boolean {
  if (config().jitless) return false;
  try {
    return new Function("return true")() === true;
  } catch {
    return false;
  }
}
