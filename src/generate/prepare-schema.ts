import { isObject, type Json, kindOf } from "../shared/json.js";
import { docOf } from "./docs.js";
import { RefTargets } from "./ref-targets.js";

/** A schema reduced to the keywords that decide types. */
type PreparedSchema = Record<string, unknown> | false;

/** A schema and the definitions it refers to, each with its title. */
export interface Prepared extends Json {
  readonly definitions: Readonly<Record<string, Json>>;
}

/** Maximum depth of types. Real schemas stay below, and compilers can compare it. */
const DEEPEST = 40;
/** A list with more values becomes the types of its values. */
const MOST_VALUES = 10_000;
/** A longer tuple becomes an array, because a tuple's type has a member per length. */
const LONGEST_TUPLE = 30;

const TYPES: readonly unknown[] = ["string", "number", "integer", "boolean", "object", "array", "null"];

const OBJECT_KEYWORDS = ["properties", "patternProperties", "additionalProperties"];
const LIST_KEYWORDS = ["items", "prefixItems"];
/** Keywords that decide types. A schema without any of them only sets bounds. */
const TYPE_KEYWORDS = [
  ...["type", "enum", "const", ...OBJECT_KEYWORDS, ...LIST_KEYWORDS],
  ...["$ref", "allOf", "anyOf", "oneOf", "nullable"],
];

/**
 * Prepares a schema for `schemaTypes`: one spelling for all drafts, a fixed order, "anything" for references that can't
 * be followed, and nothing that a schema could use to write code.
 *
 * @param schema - Any value, as the service returned it.
 * @param name - Name of the type. The names of its definitions start with it.
 * @param isInput - Whether an object without listed properties takes none.
 */
export function prepareSchema(schema: unknown, name: string, isInput: boolean): Prepared {
  if (isInput && takesNothing(schema)) return { ...noProperties(), ...docOf(schema), definitions: {} };
  const targets = new RefTargets(schema, name);
  const root = prepare(schema, { targets, depth: 0, owner: "#" });
  if (root === undefined || root === false || isAnything(root))
    return { type: "object", additionalProperties: true, definitions: {} };
  const definitions: Record<string, Json> = {};
  // Preparing a definition may find more, which the loop reaches too.
  for (const { pointer, key, title, depth } of targets.wanted()) {
    const prepared = prepare(targets.at(pointer), { targets, depth, owner: pointer });
    definitions[key] = typeof prepared === "object" ? { ...prepared, title } : { ...anything(), title };
  }
  return { ...root, definitions };
}

interface Place {
  readonly targets: RefTargets;
  readonly depth: number;
  /** The definition that has the same type as this schema. `undefined` inside an object or an array. */
  readonly owner: string | undefined;
}

/** `undefined` for a type that would be defined by itself alone. */
function prepare(schema: unknown, place: Place): PreparedSchema | undefined {
  if (schema === false) return false;
  if (!isObject(schema) || place.depth > DEEPEST) return anything();
  const doc = docOf(schema);
  if (schema["nullable"] === true) {
    const { nullable, ...rest } = schema;
    const prepared = prepare(rest, place);
    return { anyOf: [prepared ?? anything(), { type: "null" }], ...doc };
  }
  if (typeof schema["$ref"] !== "string") return { ...typeFacts(schema, place), ...doc };
  const key = place.targets.keyOf(schema["$ref"], place.owner, place.depth);
  if (key === "circle") return undefined;
  const { $ref, ...beside } = schema;
  const others = TYPE_KEYWORDS.some((keyword) => keyword in beside) ? [typeFacts(beside, place)] : [];
  if (key === undefined) return { ...(others[0] ?? anything()), ...doc };
  return { allOf: [{ $ref: key }, ...others], ...doc };
}

/** Keywords next to `allOf`, `anyOf` and `oneOf` become one more member of an `allOf`. */
function typeFacts(schema: Json, place: Place): Record<string, unknown> {
  const { allOf, anyOf, oneOf } = schema;
  const own = ownFacts(schema, { ...place, depth: place.depth + 1, owner: undefined });
  const choices = [anyOf, oneOf]
    .map((members) => prepareMembers(members, place))
    .filter((members) => members.length > 0);
  const parts = [
    ...(own === undefined ? [] : [own]),
    ...prepareMembers(allOf, place).filter((member) => !isAnything(member)),
    ...choices.map((members) => ({ anyOf: members })),
  ];
  const [first = anything()] = parts;
  return parts.length > 1 || first === false ? { allOf: parts } : first;
}

/** The members that decide types. Those that only set bounds would make the whole "anything". */
function prepareMembers(members: unknown, place: Place): PreparedSchema[] {
  if (!Array.isArray(members)) return [];
  return members
    .filter((member) => !isObject(member) || isFree(member) || TYPE_KEYWORDS.some((keyword) => keyword in member))
    .map((member) => prepare(member, { ...place, depth: place.depth + 1 }))
    .filter((member) => member !== undefined);
}

function ownFacts(schema: Json, inside: Place): Record<string, unknown> | undefined {
  const { type } = schema;
  if ("const" in schema) return { const: schema["const"] };
  if (Array.isArray(schema["enum"]) && schema["enum"].length > 0) return enumFacts(schema["enum"]);
  if (Array.isArray(type)) return severalTypes(schema, type, inside);
  if (type === "object" || (!isKnown(type) && OBJECT_KEYWORDS.some((keyword) => keyword in schema))) {
    return objectFacts(schema, inside);
  }
  if (type === "array" || (!isKnown(type) && LIST_KEYWORDS.some((keyword) => keyword in schema))) {
    return listFacts(schema, inside);
  }
  return isKnown(type) ? { type } : undefined;
}

function enumFacts(values: readonly unknown[]): Record<string, unknown> | undefined {
  if (values.length <= MOST_VALUES) return { enum: values };
  const kinds = new Set<unknown>(values.map(kindOf));
  return { type: TYPES.filter((type) => kinds.has(type)) };
}

/** Whether it is a type of any draft. */
function isKnown(type: unknown): boolean {
  return TYPES.includes(type);
}

function severalTypes(schema: Json, types: readonly unknown[], inside: Place): Record<string, unknown> | undefined {
  const known = TYPES.filter((type) => types.includes(type));
  const plain = known.filter((type) => type !== "object" && type !== "array");
  if (plain.length === known.length) return known.length === 0 ? undefined : { type: known };
  const holders = known.filter((type) => type === "object" || type === "array");
  const members = holders.map((type) => ownFacts({ ...schema, type }, inside));
  return { anyOf: [...members, ...(plain.length === 0 ? [] : [{ type: plain }])] };
}

function objectFacts(schema: Json, inside: Place): Record<string, unknown> {
  const given = isObject(schema["properties"]) ? schema["properties"] : {};
  const named: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  const required = Object.keys(given)
    .filter((name) => named.includes(name))
    .sort();
  const optional = Object.keys(given)
    .filter((name) => !named.includes(name))
    .sort();
  // From entries, because a property may be called __proto__.
  const properties = Object.fromEntries(
    [...required, ...optional].map((name) => [name, prepare(given[name], inside) ?? anything()]),
  );
  const index = indexFacts(schema, inside);
  if (required.length + optional.length > 0) return { type: "object", properties, required, ...index };
  if (index["additionalProperties"] === false) return noProperties();
  return { type: "object", ...index, additionalProperties: index["additionalProperties"] ?? true };
}

const anything = () => ({ tsType: "unknown" });

/** An object that has no properties. */
const noProperties = () => ({ type: "object", tsType: "Record<string, never>" });

/** TypeScript has one index signature, JSON Schema a schema per pattern. */
function indexFacts(schema: Json, inside: Place): Record<string, unknown> {
  const { additionalProperties } = schema;
  const patterns = isObject(schema["patternProperties"]) ? schema["patternProperties"] : {};
  const byPattern = Object.keys(patterns)
    .sort()
    .map((pattern) => prepare(patterns[pattern], inside) ?? anything());
  const others =
    additionalProperties === undefined || typeof additionalProperties === "boolean"
      ? additionalProperties
      : (prepare(additionalProperties, inside) ?? anything());
  if (byPattern.length === 0) return others === undefined ? {} : { additionalProperties: others };
  const all = isObject(others) || others === true ? [...byPattern, isObject(others) ? others : anything()] : byPattern;
  return { additionalProperties: all.length === 1 ? all[0] : { anyOf: all } };
}

function listFacts(schema: Json, inside: Place): Record<string, unknown> {
  const { items, prefixItems, additionalItems, minItems } = schema;
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined;
  if (first === undefined) return { type: "array", items: prepare(items ?? true, inside) ?? anything() };
  const rest = (first === prefixItems ? items : additionalItems) ?? true;
  const members = first.map((item) => prepare(item, inside) ?? anything());
  const others = typeof rest === "boolean" ? rest : (prepare(rest, inside) ?? anything());
  if (first.length > LONGEST_TUPLE) {
    return {
      type: "array",
      items: others === true ? anything() : { anyOf: others === false ? members : [...members, others] },
    };
  }
  return {
    type: "array",
    items: members,
    additionalItems: others,
    ...(typeof minItems === "number" && minItems > 0 && { minItems: Math.min(Math.ceil(minItems), first.length) }),
  };
}

function isAnything(prepared: PreparedSchema): boolean {
  return prepared !== false && prepared["tsType"] === "unknown";
}

/** Whether the schema has no constraints. */
function isFree(schema: object): boolean {
  return Object.keys(schema).every((keyword) => keyword === "description" || keyword === "deprecated");
}

/** Whether the schema lists properties, but none. */
function takesNothing(schema: unknown): schema is Json {
  if (!isObject(schema) || !isObject(schema["properties"])) return false;
  const isListed = Object.keys(schema["properties"]).length > 0;
  return (
    !isListed &&
    TYPE_KEYWORDS.every((keyword) => keyword === "type" || keyword === "properties" || !(keyword in schema))
  );
}
