import { child, type Json } from "../shared/json.js";
import { hasKind, KINDS, kindOfValue } from "./drafts.js";
import { annotationsOf, type FlatSchema, isTrivial } from "./flatten.js";
import { isSame, Values } from "./json-equal.js";
import { TRAITS } from "./keyword-groups.js";
import { BOUNDS, FACTS, KEYWORDS_OF, type Kind, tighter } from "./keywords.js";
import type { Field, Request, SchemaNode, Unfinished } from "./node.js";
import { matchingSchemas } from "./properties.js";
import { listOf } from "./references.js";
import { spend } from "./step-limit.js";

/** Keywords that leaves don't have, with those that belong to them. */
const OTHERS = [
  ["not"],
  ["if", "then", "else"],
  ["contains", "minContains", "maxContains"],
  ["patternProperties", "additionalProperties"],
  ["propertyNames"],
  ["dependentRequired"],
  ["dependentSchemas"],
  ["unevaluatedItems"],
];

/** Schemas of properties, by name. */
type Properties = ReadonlyMap<string, readonly unknown[]>;

/** Fills a node with the parts of flattened schemas, combined, and with the properties that only conditions declare. */
export function fillLeaf(
  node: Unfinished,
  { schemas, traits, annotated, dangling, isImpossible }: FlatSchema,
  conditional: Properties,
  request: Request,
): void {
  if (dangling.length > 0) node.openings = dangling.map((reference) => `$ref: ${reference} isn't found`);
  if (traits & TRAITS.annotation) node.annotations = annotationsOf(annotated);
  if (traits & TRAITS.other) addOthers(node, schemas.flatMap(othersOf));
  if (traits & TRAITS.fact) {
    const { facts, others } = factsOf(schemas);
    node.facts = facts;
    addOthers(node, others);
  }
  const { kinds, values } = kindsOf(schemas, traits);
  node.kinds = isImpossible ? [] : kinds;
  if (values) node.values = values;
  const isObject = (traits & TRAITS.object) > 0 || conditional.size > 0;
  if (isObject && node.kinds.includes("object")) fillObject(node, schemas, conditional, request);
  if (traits & TRAITS.array && node.kinds.includes("array")) fillArray(node, schemas, request);
}

function addOthers(node: Unfinished, others: readonly Json[]): void {
  if (others.length > 0) node.others = [...node.others, ...others];
}

function othersOf(schema: Json): Json[] {
  return OTHERS.filter(
    ([first = ""]) => schema[first] !== undefined && (first === "contains" || !isTrivial(schema[first])),
  ).map((group) => {
    const own = group.filter((keyword) => schema[keyword] !== undefined).map((keyword) => [keyword, schema[keyword]]);
    // Other properties are those that are neither declared nor match a pattern.
    const isAboutOthers = group.includes("patternProperties") && schema["additionalProperties"] !== undefined;
    const declared = isAboutOthers ? Object.keys(Object(schema["properties"])).map((name) => [name, true]) : [];
    return { ...(declared.length > 0 && { properties: Object.fromEntries(declared) }), ...Object.fromEntries(own) };
  });
}

/** The facts of all schemas. One fact has one place: what can't be combined with it is one of the other constraints. */
function factsOf(schemas: readonly Json[]): { facts: Json; others: readonly Json[] } {
  const facts: Record<string, unknown> = {};
  const others: Json[] = [];
  for (const schema of schemas) {
    for (const keyword of FACTS) {
      const added = schema[keyword];
      if (added === undefined || added === false) continue;
      const known = facts[keyword];
      if (isSame(known, added)) continue;
      if (known === undefined) facts[keyword] = added;
      else if (BOUNDS.includes(keyword)) facts[keyword] = tighter(keyword, Number(known), Number(added));
      else others.push({ [keyword]: added });
    }
  }
  return { facts, others };
}

function kindsOf(schemas: readonly Json[], traits: number): { kinds: readonly Kind[]; values?: readonly unknown[] } {
  // `modernized` leaves only lists of known types.
  const own = schemas.length === 1 ? (schemas[0]?.["type"] as readonly Kind[] | undefined) : undefined;
  if (own?.length === 1 && !(traits & TRAITS.values)) return { kinds: own };
  const declared = schemas.flatMap(({ type }) => (type === undefined ? [] : [type as readonly Kind[]]));
  const lists: unknown[][] = [];
  for (const schema of schemas) {
    if (Array.isArray(schema["enum"])) lists.push(schema["enum"]);
    if (Object.hasOwn(schema, "const")) lists.push([schema["const"]]);
  }
  const [types] = declared;
  const kinds =
    types && types.length + declared.length === 2
      ? types
      : declared.reduce(commonKinds, types || lists.length > 0 ? KINDS : inferredKinds(schemas));
  const [first, ...rest] = lists;
  if (!first) return { kinds };
  const others = rest.map((list) => new Values(list));
  const known = new Values();
  const values = first.filter(
    (value) => hasKind(kinds, kindOfValue(value)) && others.every((list) => list.has(value)) && known.add(value),
  );
  const found = new Set(values.map(kindOfValue));
  if (found.has("number")) found.delete("integer");
  return { kinds: [...found], values };
}

function commonKinds(known: readonly Kind[], added: readonly Kind[]): Kind[] {
  return [
    ...new Set([...known.filter((kind) => hasKind(added, kind)), ...added.filter((kind) => hasKind(known, kind))]),
  ].filter((kind, _, common) => kind !== "integer" || !common.includes("number"));
}

/** A schema without a type is meant for the values that its keywords apply to. */
function inferredKinds(schemas: readonly Json[]): readonly Kind[] {
  const families = KINDS.filter((kind) =>
    KEYWORDS_OF[kind].some((keyword) => schemas.some((schema) => schema[keyword] !== undefined)),
  );
  return families.length === 0 ? KINDS : families;
}

function fillObject(node: Unfinished, schemas: readonly Json[], conditional: Properties, request: Request): void {
  const required = new Set(schemas.flatMap((schema) => listOf(schema["required"])).map(String));
  const declared = new Set(schemas.flatMap((schema) => Object.keys(Object(schema["properties"]))));
  const names = new Set([...declared, ...required]);
  spend(names.size * schemas.length);
  const { unevaluated, others: unevaluatedElsewhere } = unevaluatedIn(schemas);
  addOthers(node, unevaluatedElsewhere);
  const restOf = (schema: Json) => schema["$rest"] ?? schema["additionalProperties"];
  const fields = new Map<string, Field>();
  for (const name of names) {
    const said: unknown[] = [];
    for (const schema of schemas) {
      const own = child(schema["properties"], name);
      const { patternProperties = undefined } = own === undefined ? {} : schema;
      spend(Object.keys(Object(patternProperties)).length);
      said.push(own ?? restOf(schema));
      for (const matching of matchingSchemas(patternProperties, name)) said.push(matching);
    }
    if (unevaluated !== undefined && !declared.has(name)) said.push(unevaluated);
    fields.set(name, { node: request(said.filter(isSaid)), isRequired: required.has(name) });
  }
  const rest = tail([...schemas.map(restOf), unevaluated], request);
  for (const [name, said] of rest === false ? [] : conditional) {
    if (names.has(name)) continue;
    const own = said.length === 1 ? said[0] : { anyOf: said };
    // A condition adds to what the schema says of other properties.
    const others = schemas.flatMap((schema) => undeclaredSchemas(schema, name));
    fields.set(name, { node: request([own, ...others]), isRequired: false });
  }
  node.fields = fields;
  node.isDeclared = schemas.some((schema) => schema["properties"] !== undefined);
  if (rest !== undefined) node.rest = rest;
}

/** The schemas of a property that isn't declared. */
function undeclaredSchemas(schema: Json, name: string): unknown[] {
  const { patternProperties, additionalProperties, $rest } = schema;
  const other = additionalProperties === undefined ? undefined : ($rest ?? additionalProperties);
  return [other, ...matchingSchemas(patternProperties, name)].filter(isSaid);
}

function fillArray(node: Unfinished, schemas: readonly Json[], request: Request): void {
  const prefixes = schemas.map((schema) => listOf(schema["prefixItems"]));
  const length = prefixes.reduce((most, prefix) => Math.max(most, prefix.length), 0);
  spend(length * schemas.length);
  node.tuple = Array.from({ length }, (_, index) =>
    request(
      schemas.flatMap((schema, place) => {
        const prefix = prefixes[place] ?? [];
        const said = index < prefix.length ? prefix[index] : schema["items"];
        return said === undefined ? [] : [said];
      }),
    ),
  );
  const said = schemas.map((schema) => schema["items"]);
  const items = tail(said, request);
  if (items !== undefined) node.items = items;
}

/**
 * `unevaluatedProperties`, if it means the same as `additionalProperties`: it applies to the whole object, and no other
 * keyword may evaluate more properties. Otherwise it is one of the other constraints.
 */
function unevaluatedIn(schemas: readonly Json[]): { unevaluated: unknown; others: readonly Json[] } {
  const keyword = "unevaluatedProperties";
  const isPlain = schemas.every((schema) => EVALUATING.every((evaluating) => schema[evaluating] === undefined));
  const others = schemas
    .slice(isPlain ? 1 : 0)
    .flatMap((schema) => (schema[keyword] === undefined ? [] : [{ [keyword]: schema[keyword] }]));
  return { unevaluated: isPlain ? schemas[0]?.[keyword] : undefined, others };
}

const EVALUATING = ["additionalProperties", "patternProperties", "dependentSchemas", "if"];

/** The schema of all other properties or items. */
function tail(said: readonly unknown[], request: Request): SchemaNode | false | undefined {
  const known = said.filter(isSaid);
  if (known.length === 0) return undefined;
  return known.includes(false) ? false : request(known);
}

const isSaid = (schema: unknown) => schema !== undefined;
