import { isObject } from "../json.js";
import { atPointer } from "../json-pointer.js";
import {
  type Alternative,
  AS_TEXT,
  alternativeText,
  type BoundName,
  LOWER_BOUNDS,
  ownAlternatives,
  plainAlternative,
  stricter,
  UPPER_BOUNDS,
} from "./alternative.js";
import { canonicalSchema, type JsonSchema } from "./json-schema.js";

/** More alternatives than a person wrote: combinations that multiply are compared as text instead. */
const MOST = 100;

/** Everything a schema accepts, as alternatives: references followed, `allOf`, `anyOf`, `oneOf`, `nullable` worked in. */
export function alternativesOf(schema: JsonSchema, root: JsonSchema): readonly Alternative[] {
  return merged(read(schema, root, []));
}

function read(schema: unknown, root: JsonSchema, followed: readonly string[]): readonly Alternative[] {
  if (schema === false) return [];
  if (!isObject(schema)) return [plainAlternative("any")];
  const inner = (part: unknown) => read(part, root, followed);
  const parts: (readonly Alternative[])[] = [ownAlternatives(schema)];
  const { $ref: reference, allOf, anyOf, oneOf } = schema;
  if (typeof reference === "string") parts.push(readReference(reference, root, followed));
  if (Array.isArray(allOf)) parts.push(...allOf.map(inner));
  for (const choice of [anyOf, oneOf]) if (Array.isArray(choice)) parts.push(choice.flatMap(inner));
  const all = parts.reduce((product, { length }) => product * length, 1) > MOST ? asText(schema) : parts.reduce(both);
  // OpenAPI's way of saying it, which also reaches through a reference.
  return schema["nullable"] === true ? [...all, plainAlternative("null")] : all;
}

function readReference(reference: string, root: JsonSchema, followed: readonly string[]): readonly Alternative[] {
  // A schema that is defined by nothing but itself accepts nothing of its own.
  if (followed.includes(reference)) return [];
  const target = atPointer(root, reference);
  if (target === undefined) return asText({ $ref: reference });
  return read(target, root, [...followed, reference]);
}

function asText(schema: unknown): Alternative[] {
  return [{ ...plainAlternative("any"), others: { [AS_TEXT]: [canonicalSchema(schema)] } }];
}

/** What two lists of alternatives accept both. */
function both(ones: readonly Alternative[], others: readonly Alternative[]): Alternative[] {
  return ones.flatMap((one) => others.flatMap((other) => meet(one, other) ?? []));
}

function meet(one: Alternative, other: Alternative): Alternative | undefined {
  const type = narrowerType(one.type, other.type);
  if (type === undefined) return undefined;
  const values =
    one.values && other.values
      ? one.values.filter((value) => other.values?.includes(value))
      : (one.values ?? other.values);
  if (values?.length === 0) return undefined;
  const prefixes = Math.max(one.prefix.length, other.prefix.length);
  return {
    type,
    values,
    properties: new Map(
      [...new Set([...one.properties.keys(), ...other.properties.keys()])].map((name) => [
        name,
        allOf(one.properties.get(name), other.properties.get(name)),
      ]),
    ),
    required: [...new Set([...one.required, ...other.required])].sort(),
    additional: allOf(one.additional, other.additional),
    prefix: Array.from({ length: prefixes }, (_, index) =>
      allOf(one.prefix[index] ?? one.items, other.prefix[index] ?? other.items),
    ),
    items: allOf(one.items, other.items),
    bounds: Object.fromEntries(
      [...LOWER_BOUNDS, ...UPPER_BOUNDS].flatMap((name: BoundName) => {
        const bound = stricter(name, one.bounds[name], other.bounds[name]);
        return bound ? [[name, bound]] : [];
      }),
    ),
    others: joined(one.others, other.others),
  };
}

function narrowerType(one: string, other: string): string | undefined {
  if (one === other || other === "any") return one;
  if (one === "any") return other;
  return [one, other].sort().join() === "integer,number" ? "integer" : undefined;
}

/** Both schemas at once, in one spelling: without it a recursive schema would grow for ever. */
function allOf(one: JsonSchema | undefined, other: JsonSchema | undefined): JsonSchema {
  if (one === false || other === false) return false;
  const conditions = [one, other].flatMap((schema) => {
    if (schema === undefined || schema === true) return [];
    const isJoined = isObject(schema) && Object.keys(schema).length === 1 && Array.isArray(schema["allOf"]);
    return isJoined && Array.isArray(schema["allOf"]) ? schema["allOf"] : [schema];
  });
  const byText = new Map(conditions.map((schema) => [canonicalSchema(schema), schema]));
  const [first, ...rest] = [...byText.keys()].sort().flatMap((text) => byText.get(text) ?? []);
  if (first === undefined) return true;
  return rest.length === 0 ? first : { allOf: [first, ...rest] };
}

function joined(one: Alternative["others"], other: Alternative["others"]): Alternative["others"] {
  const keywords = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(
    keywords.map((keyword) => [keyword, [...new Set([...(one[keyword] ?? []), ...(other[keyword] ?? [])])].sort()]),
  );
}

/** Alternatives that list values of one type and nothing else are one list; equal alternatives are one. */
function merged(alternatives: readonly Alternative[]): readonly Alternative[] {
  const lists = new Map<string, Alternative>();
  const unique = new Map<string, Alternative>();
  for (const next of alternatives) {
    const known = lists.get(next.type);
    if (!isListOfValues(next)) unique.set(alternativeText(next), next);
    else
      lists.set(next.type, {
        ...next,
        values: [...new Set([...(known?.values ?? []), ...(next.values ?? [])])].sort(),
      });
  }
  return [...unique.values(), ...lists.values()];
}

function isListOfValues({ values, bounds, others, type }: Alternative): boolean {
  const isScalar = type !== "object" && type !== "array";
  return values !== undefined && isScalar && Object.keys(bounds).length + Object.keys(others).length === 0;
}
