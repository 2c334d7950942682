import { type Operation, operations } from "../../contract/index.js";
import { wholeSchema } from "../../contract/openapi.js";
import type { AnyEndpoint } from "../../index.js";
import { child, isObject, type Json, kindOf } from "../../shared/json.js";

/** A JSON Schema without references. */
export type Schema = Json;

export interface Field {
  readonly name: string;
  readonly place: "query" | "body";
  /** The option without hyphens: the name, behind the place if the name alone means something else. */
  readonly option: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
}

/** An operation as the command line calls it. */
export interface Callable {
  readonly endpoint: AnyEndpoint;
  /** The path parameters, in the order of the path. */
  readonly params: readonly string[];
  readonly fields: readonly Field[];
  readonly hasBody: boolean;
}

/** Every operation of the contract, by name. */
export function callables(): ReadonlyMap<string, Callable> {
  return new Map(operations.map((operation) => [operation.endpoint.name, callable(operation)]));
}

function callable({ endpoint, query, body }: Operation): Callable {
  const fields = (["query", "body"] as const).flatMap((place) => {
    const schema = { query, body }[place];
    return schema ? fieldsOf(wholeSchema(schema)).map((field) => ({ ...field, place })) : [];
  });
  return {
    endpoint,
    params: [...endpoint.path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = ""]) => (name === "apiVersion" ? [] : [name])),
    fields: fields.map((field, index) => ({
      ...field,
      option:
        field.name === "body" || fields.slice(0, index).some(({ name }) => name === field.name)
          ? `${field.place}.${field.name}`
          : field.name,
      // The contract leaves it open, because the client may have a default version. The command line has none.
      isRequired:
        field.isRequired ||
        (endpoint.version === "required_body" && field.place === "body" && field.name === "version"),
      isDeprecated: endpoint.deprecated?.includes(`${field.place}.${field.name}`) ?? false,
    })),
    hasBody: body !== undefined,
  };
}

/** The fields of an object. One of several shapes has the fields of all of them, and requires what all require. */
function fieldsOf(schema: Schema): Omit<Field, "place" | "option" | "isDeprecated">[] {
  const shapes = alternatives(schema);
  if (shapes.length > 0) {
    const each = shapes.map(fieldsOf);
    const names = new Set(each.flat().map(({ name }) => name));
    return [...names].map((name) => {
      const same = each.flatMap((fields) => fields.filter((field) => field.name === name));
      const isRequired = same.length === each.length && same.every((field) => field.isRequired);
      return { name, schema: { anyOf: same.map((field) => field.schema) }, isRequired };
    });
  }
  const required = arrayIn(schema, "required");
  return Object.entries<Schema>(Object(schema["properties"])).map(([name, property]) => ({
    name,
    schema: property,
    isRequired: required.includes(name),
  }));
}

/** The shapes among which a value may choose; none if it has only one. */
export function alternatives(schema: Schema): readonly Schema[] {
  return [...arrayIn(schema, "anyOf"), ...arrayIn(schema, "oneOf")].filter(isObject);
}

const ANY = ["string", "number", "boolean", "null", "array", "object"];

export function kindsOf(schema: Schema): ReadonlySet<string> {
  const shapes = alternatives(schema);
  if (shapes.length > 0) return new Set(shapes.flatMap((shape) => [...kindsOf(shape)]));
  const { type, enum: values, const: value } = schema;
  if (Array.isArray(values)) return new Set(values.map(kindOf));
  if (value !== undefined) return new Set([kindOf(value)]);
  const types = type === undefined ? ANY : [type].flat().map(String);
  return new Set(types.map((one) => (one === "integer" ? "number" : one)));
}

export function itemsOf(schema: Schema): Schema {
  const { items = alternatives(schema).find(({ items: some }) => some !== undefined)?.["items"] } = schema;
  return Object(items);
}

function arrayIn(value: unknown, key: string): readonly unknown[] {
  const found = child(value, key);
  return Array.isArray(found) ? found : [];
}
