import { isObject, kindOf } from "../json.js";
import { canonicalJson, canonicalSchema, type JsonSchema, type SchemaObject } from "./json-schema.js";

/** A bound of a number, a length or a count. */
export interface Bound {
  readonly value: number;
  /** The value itself is outside. */
  readonly isExclusive: boolean;
}

/** Bounds from below and from above, as JSON Schema calls them. */
export const LOWER_BOUNDS = ["minimum", "minLength", "minItems", "minProperties"] as const;
export const UPPER_BOUNDS = ["maximum", "maxLength", "maxItems", "maxProperties"] as const;
/** The name of a bound. */
export type BoundName = (typeof LOWER_BOUNDS)[number] | (typeof UPPER_BOUNDS)[number];

/** One kind of value that a schema accepts. A schema is a list of them, however it was written. */
export interface Alternative {
  /** `string`, `integer`, `null`, …; `any` where the schema says nothing. */
  readonly type: string;
  /** The only values, as canonical JSON. Without it, all of the type. */
  readonly values: readonly string[] | undefined;
  readonly properties: ReadonlyMap<string, JsonSchema>;
  readonly required: readonly string[];
  /** Of a property that is not named. */
  readonly additional: JsonSchema;
  /** Of the first items, one by one. */
  readonly prefix: readonly JsonSchema[];
  /** Of the items after those. */
  readonly items: JsonSchema;
  readonly bounds: Readonly<Partial<Record<BoundName, Bound>>>;
  /** Every other keyword, with the canonical texts of all that is said under it. */
  readonly others: Readonly<Record<string, readonly string[]>>;
}

/** The name among the other keywords under which a whole schema stands that is compared as text. */
export const AS_TEXT = "(whole schema)";

/** What the keywords of each type are about. A schema without `type` is of the types its keywords are about. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  object:
    "properties required additionalProperties patternProperties propertyNames minProperties maxProperties dependentRequired dependentSchemas dependencies unevaluatedProperties".split(
      " ",
    ),
  array:
    "items prefixItems additionalItems minItems maxItems uniqueItems contains minContains maxContains unevaluatedItems".split(
      " ",
    ),
  string: ["minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
};
const OF_A_TYPE = new Set(Object.values(KEYWORDS).flat());
/** Keywords that are read elsewhere, or that accept and refuse nothing. */
const READ_ELSEWHERE = new Set(
  "type nullable enum const $ref allOf anyOf oneOf $defs definitions $schema $id id $anchor default deprecated properties required additionalProperties items prefixItems additionalItems minimum exclusiveMinimum maximum exclusiveMaximum minLength maxLength minItems maxItems minProperties maxProperties description title examples example $comment readOnly writeOnly".split(
    " ",
  ),
);

/** What a schema accepts by its own keywords, those that point to or combine other schemas left aside. */
export function ownAlternatives(schema: SchemaObject): Alternative[] {
  const values = enumerated(schema);
  const types = typesOf(schema, values);
  return types.flatMap((type) => {
    const ofType = values?.filter((value) => isOfType(value, type));
    return ofType?.length === 0 ? [] : [alternative(schema, type, ofType?.map(canonicalJson))];
  });
}

/** A type without further conditions. */
export function plainAlternative(type: string): Alternative {
  return alternative({}, type, undefined);
}

/** An alternative as text: the same for two that accept the same, as long as their references mean the same. */
export function alternativeText({ properties, additional, prefix, items, ...conditions }: Alternative): string {
  const parts = [...properties].map(([name, schema]) => `${JSON.stringify(name)}:${canonicalSchema(schema)}`).sort();
  return [canonicalJson(conditions), ...parts, ...[additional, ...prefix, items].map(canonicalSchema)].join(" ");
}

function enumerated(schema: SchemaObject): readonly unknown[] | undefined {
  if ("const" in schema) return [schema["const"]];
  return Array.isArray(schema["enum"]) ? schema["enum"] : undefined;
}

function typesOf(schema: SchemaObject, values: readonly unknown[] | undefined): readonly string[] {
  const { type } = schema;
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) {
    const types = [...new Set(type.map(String))];
    // Every integer is a number.
    return types.includes("number") ? types.filter((name) => name !== "integer") : types;
  }
  if (values) return [...new Set(values.map(kindOf))];
  const meant = Object.keys(KEYWORDS).filter((name) => KEYWORDS[name]?.some((keyword) => keyword in schema));
  return meant.length > 0 ? meant : ["any"];
}

function isOfType(value: unknown, type: string): boolean {
  return kindOf(value) === type || (type === "integer" && Number.isInteger(value));
}

function alternative(schema: SchemaObject, type: string, values: readonly string[] | undefined): Alternative {
  const own = KEYWORDS[type === "integer" ? "number" : type] ?? [];
  const read = (keyword: string) => (own.includes(keyword) ? schema[keyword] : undefined);
  const properties = read("properties");
  const required = read("required");
  const { prefix, items } = itemsOf(read);
  return {
    type,
    values: values && [...new Set(values)].sort(),
    properties: new Map(
      Object.entries(isObject(properties) ? properties : {}).map(([name, property]) => [name, toSchema(property)]),
    ),
    required: Array.isArray(required) ? [...new Set(required.map(String))].sort() : [],
    additional: toSchema(read("additionalProperties") ?? read("unevaluatedProperties") !== false),
    prefix,
    items,
    bounds: boundsOf(read),
    others: othersOf(schema, own),
  };
}

/** What stands where a schema belongs. What is none says nothing, so it accepts anything. */
export function toSchema(value: unknown): JsonSchema {
  return typeof value === "boolean" || isObject(value) ? value : true;
}

/** A list of schemas is `prefixItems` in newer drafts, and `items` followed by `additionalItems` in older ones. */
function itemsOf(read: (keyword: string) => unknown) {
  const items = read("items");
  const isOlder = Array.isArray(items);
  const prefix = isOlder ? items : read("prefixItems");
  const others = isOlder ? read("additionalItems") : items;
  return {
    prefix: Array.isArray(prefix) ? prefix.map(toSchema) : [],
    items: toSchema(others ?? read("unevaluatedItems") !== false),
  };
}

function boundsOf(read: (keyword: string) => unknown): Partial<Record<BoundName, Bound>> {
  const bounds: Partial<Record<BoundName, Bound>> = {};
  for (const name of [...LOWER_BOUNDS, ...UPPER_BOUNDS]) {
    const value = read(name);
    const beyond = read(name.replace("m", "exclusiveM"));
    const found: Bound[] = [];
    // In draft 4 `exclusiveMinimum: true` says how `minimum` is meant.
    if (typeof value === "number") found.push({ value, isExclusive: beyond === true });
    if (typeof beyond === "number") found.push({ value: beyond, isExclusive: true });
    const bound = found.reduce<Bound | undefined>((one, other) => stricter(name, one, other), undefined);
    const saysNothing = bound?.value === 0 && !bound.isExclusive && /^min[A-Z]/.test(name);
    if (bound && !saysNothing) bounds[name] = bound;
  }
  return bounds;
}

/** The bound that lets less through. */
export function stricter(name: BoundName, one: Bound | undefined, other: Bound | undefined): Bound | undefined {
  if (!one || !other) return one ?? other;
  const sign = name.startsWith("min") ? 1 : -1;
  const distance = (one.value - other.value) * sign;
  if (distance === 0) return one.isExclusive ? one : other;
  return distance > 0 ? one : other;
}

function othersOf(schema: SchemaObject, own: readonly string[]): Alternative["others"] {
  const others = Object.entries(schema).filter(([keyword, value]) => {
    if (READ_ELSEWHERE.has(keyword)) return false;
    // `uniqueItems: false` and their like say what holds anyway.
    return value !== false && (own.includes(keyword) || !OF_A_TYPE.has(keyword) || keyword === "format");
  });
  return Object.fromEntries(others.map(([keyword, value]) => [keyword, [canonicalSchema(value)]]));
}
