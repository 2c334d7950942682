// The room of the form of a schema that lockfiles compare and hash. `catalog/lock/diff-schemas.ts` says what differs.
// It imports nothing but the files around it. Start here.

import { canonicalJson } from "../../shared/canonical-json.js";
import { isObject, type Json, kindOf } from "../../shared/json.js";
import { ALL_ANNOTATIONS, BOUNDS, isNullable, TYPES } from "../keywords.js";
import { REFERENCES, referencesOf, resolverOf, schemasIn } from "../references.js";
import { canonicalSchema } from "./canonical-schema.js";

/** A JSON Schema, in any draft. */
export type AnySchema = boolean | Json;

/** One part of a schema, as far as it is compared. A valid value meets all of it. */
export interface ComparedNode {
  /** The part itself, behind references and unions with `null`. */
  readonly schema: AnySchema;
  readonly isNullable: boolean;
  /** The outermost `default`, as canonical JSON. */
  readonly default: string | undefined;
  readonly isDeprecated: boolean;
  /** The schema has no constraints. */
  readonly isAnything: boolean;
  /** The valid types; `integer` as well if `number` is. With `values`, the types of those. */
  readonly types: readonly string[];
  /** The only valid values, as canonical JSON. */
  readonly values: readonly string[] | undefined;
  readonly fields: ReadonlyMap<string, AnySchema>;
  /** The schema of a property that is only required: nothing fits it in a closed object. */
  readonly undeclared: AnySchema;
  readonly required: ReadonlySet<string>;
  readonly items: AnySchema;
  /** The other keywords: bounds, and those that aren't compared. */
  readonly others: ReadonlyMap<string, unknown>;
  /** Whether one of those may be about single properties. */
  readonly hasOtherRules: boolean;
}

const SORTED_TYPES: readonly string[] = TYPES.toSorted();
/** Keywords that make no value invalid. `nullable` makes one valid, and is read separately. */
const NOT_COMPARED = [
  ...[...ALL_ANNOTATIONS, "example", "$comment"],
  ...["$defs", "definitions", "$schema", "$id", "id", "$anchor", "nullable"],
];
/** Keywords that are compared if their values have the form of the current draft. */
const COMPARED: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => [value].flat().every((type) => SORTED_TYPES.includes(String(type))),
  enum: Array.isArray,
  const: () => true,
  properties: isObject,
  required: Array.isArray,
  items: (value) => !Array.isArray(value),
};
/** Keywords that may make `null` invalid. The rest applies to other types. */
const ABOUT_NULL = ["not", "if", "allOf", "anyOf", "oneOf", ...REFERENCES];

/** The value as a schema. Anything else has no constraints. */
export function toSchema(value: unknown): AnySchema {
  return typeof value === "boolean" || isObject(value) ? value : true;
}

/** Whether a keyword is a bound of numbers, lengths or counts. */
export function isBound(keyword: string, value: unknown): value is number {
  return typeof value === "number" && BOUNDS.includes(keyword);
}

/** Reads one part of a schema. Follows it if it is only a reference or a union with `null`. */
export function readNode(part: AnySchema, root: AnySchema): ComparedNode {
  const { schema, ...notes } = resolve(part, root);
  const keywords: Json = isObject(schema) ? schema : schema ? {} : { enum: [] };
  const constraints = Object.entries(keywords).filter(([keyword]) => !NOT_COMPARED.includes(keyword));
  const isCompared = ([keyword, value]: [string, unknown]) =>
    Object.hasOwn(COMPARED, keyword) && COMPARED[keyword]?.(value);
  const { type, properties, required, items, ...listed } = Object.fromEntries(constraints.filter(isCompared));
  const others = constraints.filter((entry) => !isCompared(entry));
  const types = typesIn(type);
  const values = valuesIn(listed, types);
  const node = {
    schema,
    ...notes,
    isAnything: constraints.length === 0,
    types: values ? [...new Set(values.map((value) => typeOf(JSON.parse(value))))] : types,
    values,
    fields: new Map(Object.entries(Object(properties)).map(([name, part]) => [name, toSchema(part)])),
    undeclared: keywords["additionalProperties"] !== false,
    required: new Set([required ?? []].flat().map(String)),
    items: toSchema(items),
    others: new Map(others),
    hasOtherRules: others.some(([keyword, value]) => !isBound(keyword, value) && !isClosing(keyword, value)),
  };
  return notes.isNullable ? withNull(node) : node;
}

/** Whether a keyword only says whether there may be other properties. */
function isClosing(keyword: string, value: unknown): boolean {
  return typeof value === "boolean" && /^(?:additional|unevaluated)Properties$/.test(keyword);
}

/** The end of a chain of schemas that are only references or unions with `null`, and what is noted on the way. */
function resolve(start: AnySchema, root: AnySchema) {
  const notes = { schema: start, isNullable: false, default: undefined as string | undefined, isDeprecated: false };
  const passed = new Set<AnySchema>();
  for (let next: AnySchema | undefined = start; next !== undefined && !passed.has(next); ) {
    notes.schema = next;
    passed.add(next);
    if (!isObject(next)) break;
    notes.isNullable ||= isNullable(next);
    notes.isDeprecated ||= next["deprecated"] === true;
    if (next["default"] !== undefined) notes.default ??= canonicalJson(next["default"]);
    const inner = innerOf(next, root);
    notes.isNullable ||= inner !== undefined && "anyOf" in next;
    next = inner;
  }
  return notes;
}

function innerOf(schema: Json, root: AnySchema): AnySchema | undefined {
  const [keyword = "", ...more] = Object.keys(schema).filter((name) => !NOT_COMPARED.includes(name));
  const value = more.length === 0 ? schema[keyword] : undefined;
  if (keyword === "$ref" && typeof value === "string") {
    const target = resolverOf(root)(value);
    return target === undefined ? undefined : toSchema(target);
  }
  if (keyword !== "anyOf" || !Array.isArray(value) || value.length !== 2) return undefined;
  const others = value.filter((member) => canonicalSchema(member) !== '{"type":"null"}');
  return others.length === 1 ? toSchema(others[0]) : undefined;
}

function withNull(node: ComparedNode): ComparedNode {
  const { types, values, others } = node;
  if (ABOUT_NULL.some((keyword) => others.has(keyword))) return { ...node, others: new Map([...others, ["null", ""]]) };
  if (types.includes("null")) return node;
  return { ...node, types: [...types, "null"], values: values && [...values, "null"] };
}

function typesIn(type: unknown): string[] {
  if (type === undefined) return [...SORTED_TYPES];
  const types = [type].flat();
  return SORTED_TYPES.filter((name) => types.includes(name) || (name === "integer" && types.includes("number")));
}

function valuesIn(listed: Json, types: readonly string[]): string[] | undefined {
  const [first, ...more] = Object.entries(listed).map(([keyword, value]) =>
    (keyword === "enum" ? [value].flat() : [value])
      .filter((listed) => types.includes(typeOf(listed)))
      .map(canonicalJson),
  );
  return first && [...new Set(first)].filter((value) => more.every((list) => list.includes(value))).sort();
}

function typeOf(value: unknown): string {
  return Number.isInteger(value) ? "integer" : kindOf(value);
}

/** A part and everything it refers to, as a string. A reference that can't be followed may refer to anything. */
export function meaningOf(part: Json, root: AnySchema): string {
  const targets = new Map<string, string>();
  const schemas = new Set<unknown>([part]);
  for (const schema of schemasIn(schemas)) {
    for (const reference of referencesOf(schema)) {
      if (targets.has(reference)) continue;
      const found = schema["$ref"] === reference ? resolverOf(root)(reference) : undefined;
      const target = found ?? root;
      targets.set(reference, canonicalSchema(target));
      schemas.add(target);
    }
  }
  return JSON.stringify([canonicalSchema(part), [...targets].sort()]);
}
