import type { Work } from "../../arguments/checking.js";
import { referencesOf, resolverOf } from "../../json-schema/references.js";
import { isObject, isString, type Json } from "../../shared/json.js";

/** A schema without references and combinations: what all of them together say about one value. */
export interface Shape extends Json {
  /** The schemas among them that allow no other properties. */
  readonly closedBy: readonly Json[];
  /** Every pattern a string must match. */
  readonly patterns: readonly string[];
}

/** Creates the values inside of a value. */
export interface Making {
  /** Whether only what is required is made at a depth. */
  isSmall(depth: number): boolean;
  /** One of some values. */
  pick<Value>(values: readonly Value[]): Value | undefined;
  /** The shape of a schema, with one of its variants chosen. */
  shape(schema: unknown, depth: number): Shape;
  /** Whether a string matches a pattern, in linear time. */
  matches(pattern: string, text: string): boolean;
  /** A value of a schema, for the property of a name. */
  value(schema: unknown, name: string, depth: number): unknown;
}

/** The parts of a sample that merging a schema uses. */
interface Merging {
  /** The schema that references start at. */
  readonly root: object;
  /** References can multiply the work. */
  readonly work: Work;
  /** Chooses one of the variants of a schema. */
  readonly choose: (variants: readonly unknown[]) => unknown;
}

/** No value matches this schema. */
export class Impossible extends Error {}

/** References in a row. More of them lead to themselves. */
const MOST_REFERENCES = 50;

/**
 * Merges everything a schema says about a value: its references, all of `allOf`, and one variant each of `anyOf`,
 * `oneOf`, and `if`. Whether the variants go together shows when the value is checked.
 */
export function shapeOf(merging: Merging, schema: unknown, followed = 0): Shape {
  const { root, work, choose } = merging;
  work.spend(10);
  if (schema === false) throw new Impossible("a schema allows no value");
  if (!isObject(schema)) return EMPTY;
  if (followed > MOST_REFERENCES) throw new Impossible("a reference leads to itself");
  const inner = (part: unknown) => shapeOf(merging, part, followed + 1);
  const parts = [ownShape(schema)];
  for (const reference of referencesOf(schema)) parts.push(inner(resolverOf(root)(reference) ?? true));
  for (const part of listOf(schema["allOf"])) parts.push(inner(part));
  for (const keyword of ["anyOf", "oneOf"]) {
    const variants = listOf(schema[keyword]);
    if (variants.length > 0) parts.push(inner(choose(variants)));
  }
  const { if: condition } = schema;
  if (condition !== undefined) {
    const then = { allOf: [condition, schema["then"] ?? true] };
    parts.push(inner(choose([then, schema["else"] ?? true])));
  }
  return parts.reduce(merged, EMPTY);
}

const EMPTY: Shape = { closedBy: [], patterns: [] };

const COMBINING: ReadonlySet<string> = new Set([
  ...["$ref", "$dynamicRef", "$recursiveRef", "$defs", "definitions"],
  ...["allOf", "anyOf", "oneOf", "if", "then", "else", "const", "pattern"],
]);

function ownShape(schema: Json): Shape {
  const own = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !COMBINING.has(keyword)));
  return {
    ...own,
    ...("const" in schema && { enum: [schema["const"]] }),
    closedBy: schema["additionalProperties"] === false ? [schema] : [],
    patterns: isString(schema["pattern"]) ? [schema["pattern"]] : [],
  };
}

/** A keyword of two schemas that both apply. */
const MERGE: Readonly<Record<string, (one: unknown, other: unknown) => unknown>> = {
  type: commonTypes,
  enum: (one, other) => {
    const known = new Set(listOf(other).map((value) => JSON.stringify(value)));
    return listOf(one).filter((value) => known.has(JSON.stringify(value)));
  },
  required: (one, other) => [...new Set([...listOf(one), ...listOf(other)])],
  properties: bothOfEach,
  patternProperties: bothOfEach,
  dependentRequired: bothOfEach,
  items: both,
  contains: both,
  propertyNames: both,
  additionalProperties: both,
  closedBy: (one, other) => [...listOf(one), ...listOf(other)],
  patterns: (one, other) => [...listOf(one), ...listOf(other)],
  ...bounds(Math.max, ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"]),
  ...bounds(Math.min, ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"]),
  multipleOf: (one, other) => (Number(one) % Number(other) === 0 ? one : Number(one) * Number(other)),
};

function merged(one: Shape, other: Shape): Shape {
  const result: Record<string, unknown> = { ...one };
  for (const [keyword, value] of Object.entries(other)) {
    const merge = Object.hasOwn(MERGE, keyword) ? MERGE[keyword] : undefined;
    result[keyword] = merge && result[keyword] !== undefined ? merge(result[keyword], value) : value;
  }
  // Both lists are in each shape.
  return result as Shape;
}

function commonTypes(one: unknown, other: unknown): unknown[] {
  const [ones, others] = [listOf(one, true), listOf(other, true)];
  const isAmong = (type: unknown, types: readonly unknown[]) =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  return [
    ...new Set([...ones.filter((type) => isAmong(type, others)), ...others.filter((type) => isAmong(type, ones))]),
  ];
}

function both(one: unknown, other: unknown): unknown {
  if (one === true) return other;
  if (other === true) return one;
  return one === false || other === false ? false : { allOf: [one, other] };
}

function bothOfEach(one: unknown, other: unknown): Json {
  const result: Record<string, unknown> = { ...Object(one) };
  for (const [name, schema] of Object.entries<unknown>(Object(other))) {
    if (Array.isArray(schema)) result[name] = [...listOf(result[name]), ...schema];
    else result[name] = Object.hasOwn(result, name) ? both(result[name], schema) : schema;
  }
  return result;
}

/** Merges bounds to the tighter one. A draft 4 bound may be a boolean. */
function bounds(tighter: (one: number, other: number) => number, keywords: readonly string[]) {
  const merge = (one: unknown, other: unknown) =>
    typeof one === "number" && typeof other === "number" ? tighter(one, other) : one || other;
  return Object.fromEntries(keywords.map((keyword) => [keyword, merge]));
}

/** A list; with `wraps`, of one value that isn't a list itself. */
export function listOf(value: unknown, wraps = false): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return wraps && value !== undefined ? [value] : [];
}
