import { isObject } from "../json.js";

/** A JSON Schema, in any of the drafts that services write. */
export type JsonSchema = boolean | SchemaObject;
/** A JSON Schema that is not just true or false. */
export type SchemaObject = Readonly<Record<string, unknown>>;

/** Keywords under which names stand and below these schemas. A property may well be called `title`. */
const MAPS_OF_SCHEMAS = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
/** Keywords under which data stands, that must not be read as a schema. */
const DATA = ["const", "default", "enum", "required", "type", "dependentRequired"];
/** Lists whose order means nothing. */
const SETS = ["required", "type", "enum", "anyOf", "oneOf", "allOf"];
/** What is written for people and changes no caller. */
const FOR_PEOPLE = ["description", "title", "examples", "example", "$comment"];

/** Whether objects and lists lie more than so many levels deep inside one another. It needs no stack, which could end before. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  let members = [value];
  for (let level = 0; members.length > 0; level++) {
    if (level > levels) return true;
    members = members.flatMap((member) => (typeof member === "object" && member !== null ? Object.values(member) : []));
  }
  return false;
}

/** A JSON value as text that does not depend on the order of keys. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return listText(value.map(canonicalJson));
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  return objectText(value, (_, member) => canonicalJson(member));
}

/** Schemas are met again and again in one comparison; their texts go when they go. */
const texts = new WeakMap<object, string>();

/** A schema as text: the same for two schemas that differ only in order, or in what is written for people. */
export function canonicalSchema(schema: unknown): string {
  if (Array.isArray(schema)) return listText(schema.map(canonicalSchema));
  if (!isObject(schema)) return canonicalJson(schema);
  const known = texts.get(schema);
  if (known !== undefined) return known;
  const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !FOR_PEOPLE.includes(keyword)));
  const text = objectText(kept, keywordText);
  texts.set(schema, text);
  return text;
}

function keywordText(keyword: string, value: unknown): string {
  if (MAPS_OF_SCHEMAS.includes(keyword) && isObject(value)) {
    return objectText(value, (_, schema) => canonicalSchema(schema));
  }
  const textOf = DATA.includes(keyword) ? canonicalJson : canonicalSchema;
  if (!SETS.includes(keyword) || !Array.isArray(value)) return textOf(value);
  return listText([...new Set(value.map(textOf))].sort());
}

function listText(items: readonly string[]): string {
  return `[${items.join()}]`;
}

function objectText(value: SchemaObject, textOf: (key: string, member: unknown) => string): string {
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members
    .map(([key, member]) => `${JSON.stringify(key)}:${textOf(key, member)}`)
    .sort()
    .join()}}`;
}
