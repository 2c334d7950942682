import { type Operation, operations } from "../../contract/index.js";
import { wholeSchema } from "../../contract/openapi.js";
import type { AnyEndpoint } from "../../index.js";
import { child, isObject, type Json, kindOf } from "../../shared/json.js";
import { METHODS, type Method } from "./methods.js";

/** A JSON Schema without references. */
export type Schema = Json;

export interface CallableField {
  readonly name: string;
  readonly place: "query" | "body";
  /** The option without hyphens: the name, behind the place if the name alone means something else. */
  readonly option: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
}

/** An operation, or another method of the client, as the command line calls it. */
export interface Callable {
  readonly name: string;
  readonly endpoint: AnyEndpoint;
  readonly method: Partial<Method>;
  /** The path parameters to pass, in the order of the path. */
  readonly params: readonly string[];
  readonly fields: readonly CallableField[];
  readonly hasBody: boolean;
}

/** Every operation of the contract, and every other method that a shell can call, by name. */
export function callables(): ReadonlyMap<string, Callable> {
  const methods = Object.entries(METHODS);
  return new Map(
    operations.flatMap((operation) => {
      const { name } = operation.endpoint;
      const own: [string, Callable][] = [[name, callable(name, operation)]];
      const others = methods.filter(([, method]) => method.operation === name);
      return own.concat(others.map(([other, method]) => [other, callable(other, operation, method)]));
    }),
  );
}

function callable(name: string, { endpoint, query, body }: Operation, method: Partial<Method> = {}): Callable {
  const { sets = {} } = method;
  const takesBody = body !== undefined && sets.body === undefined;
  const fields = (["query", "body"] as const).flatMap((place) => {
    const schema = { query, body: takesBody ? body : undefined }[place];
    return schema ? fieldsOf(wholeSchema(schema)).map((field) => ({ ...field, place })) : [];
  });
  return {
    ...{ name, endpoint, method },
    params: [...endpoint.path.matchAll(/\{(\w+)\}/g)].flatMap(([, param = ""]) =>
      param === "apiVersion" || sets.params?.[param] !== undefined ? [] : [param],
    ),
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
    hasBody: takesBody,
  };
}

/** The fields of an object. One of several shapes has the fields of all of them, and requires what all require. */
function fieldsOf(schema: Schema): Omit<CallableField, "place" | "option" | "isDeprecated">[] {
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
