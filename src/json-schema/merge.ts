import { isObject, type Json } from "../shared/json.js";
import { BOUNDS, tighter } from "./keywords.js";
import { listOf, referencesOf, resolverOf } from "./references.js";
import { SchemaObject } from "./schema-object.js";
import { spend } from "./step-limit.js";

/** How a schema is merged. */
interface Merging {
  /** The schema that references start at. */
  readonly root: object;
  /** Chooses one of the variants of a schema. */
  readonly choose: (variants: readonly unknown[]) => unknown;
}

/** References in a row. More of them lead to themselves. */
const MOST_REFERENCES = 50;

/**
 * Merges everything a schema says about a value: its references, all of `allOf`, and one variant each of `anyOf`,
 * `oneOf`, and `if`. Whether the variants go together shows when the value is checked. A `const` becomes an `enum`.
 */
export function mergedSchema(schema: unknown, merging: Merging): SchemaObject {
  return new SchemaObject(merge(schema, merging, 0));
}

function merge(schema: unknown, merging: Merging, followed: number): Json {
  // References can multiply the work.
  spend(10);
  if (schema === false) throw new Error("a schema allows no value");
  if (!isObject(schema)) return {};
  if (followed > MOST_REFERENCES) throw new Error("a reference leads to itself");
  const { allOf, anyOf, oneOf, if: condition, then = true, else: otherwise = true, ...own } = schema;
  const branches = condition === undefined ? [] : [{ allOf: [condition, then] }, otherwise];
  const resolve = resolverOf(merging.root);
  const parts = [
    ...referencesOf(schema).map((reference) => resolve(reference)),
    ...listOf(allOf),
    ...[anyOf, oneOf, branches]
      .map(listOf)
      .flatMap((variants) => (variants.length > 0 ? merging.choose(variants) : [])),
  ];
  const shape = "const" in own ? { ...own, enum: [own["const"]] } : own;
  return parts.map((part) => merge(part, merging, followed + 1)).reduce(merged, shape);
}

/** Merges a keyword of two schemas that both apply. */
const MERGE: Readonly<Record<string, (left: unknown, right: unknown) => unknown>> = {
  type: (left, right) => {
    const [ones, others] = [[left].flat(), [right].flat()];
    const isAmong = (type: unknown, types: readonly unknown[]) =>
      types.includes(type) || (type === "integer" && types.includes("number"));
    return [...ones.filter((type) => isAmong(type, others)), ...others.filter((type) => isAmong(type, ones))];
  },
  enum: (left, right) => {
    const known = new Set(listOf(right).map((value) => JSON.stringify(value)));
    return listOf(left).filter((value) => known.has(JSON.stringify(value)));
  },
  required: (left, right) => [...listOf(left), ...listOf(right)],
  pattern: (left, right) => [left, right].flat(),
  properties: bothOfEach,
  patternProperties: bothOfEach,
  items: both,
  additionalProperties: both,
  ...Object.fromEntries(BOUNDS.map((keyword) => [keyword, bound(keyword)])),
  multipleOf: (left, right) => (Number(left) % Number(right) === 0 ? left : Number(left) * Number(right)),
};

function merged(left: Json, right: Json): Json {
  const entries = Object.entries(right).map(([keyword, value]) => {
    const merge = Object.hasOwn(MERGE, keyword) && keyword in left ? MERGE[keyword] : undefined;
    return [keyword, merge ? merge(left[keyword], value) : value];
  });
  return { ...left, ...Object.fromEntries(entries) };
}

function both(left: unknown, right: unknown): unknown {
  if (left === true) return right;
  if (right === true) return left;
  return left === false || right === false ? false : { allOf: [left, right] };
}

function bothOfEach(left: unknown, right: unknown): Json {
  const ones = new Map<string, unknown>(Object.entries(Object(left)));
  for (const [name, schema] of Object.entries(Object(right))) {
    ones.set(name, ones.has(name) ? both(ones.get(name), schema) : schema);
  }
  return Object.fromEntries(ones);
}

/** Merges bounds to the tighter one. A draft 4 bound may be a boolean. */
function bound(keyword: string) {
  return (left: unknown, right: unknown) =>
    typeof left === "number" && typeof right === "number" ? tighter(keyword, left, right) : left || right;
}

/** Roughly how much a schema requires: nothing, a plain value, a container, something unknown behind a reference. */
export function complexity(schema: unknown): number {
  if (!isObject(schema) || "const" in schema || "enum" in schema || schema["type"] === "null") return 0;
  if ("$ref" in schema || "allOf" in schema) return 5;
  const variants = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])];
  if (variants.length > 0) return 1 + variants.map(complexity).reduce((left, right) => Math.min(left, right));
  return schema["type"] === "object" || "properties" in schema ? 2 + listOf(schema["required"]).length : 1;
}

/** Whether only null is valid. */
export function isNull(schema: unknown): boolean {
  return isObject(schema) && schema["type"] === "null";
}
