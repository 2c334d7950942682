import { openApiDocument, operations } from "../../contract/index.js";
import type { AnyEndpoint } from "../../index.js";
import { child, isObject, type Json, kindOf } from "../../shared/json.js";

/** A JSON Schema, with its references resolved on the way. */
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

/** Every operation of the contract, by name, read from the OpenAPI document of the contract. */
export function callables(): ReadonlyMap<string, Callable> {
  const document = openApiDocument("");
  const described = new Map(
    Object.values(objectIn(document, "paths"))
      .flatMap((methods) => Object.values(Object(methods)))
      .map((description) => [child(description, "operationId"), description]),
  );
  return new Map(
    operations.map(({ endpoint }) => [endpoint.name, callable(endpoint, described.get(endpoint.name), document)]),
  );
}

function callable(endpoint: AnyEndpoint, description: unknown, document: Json): Callable {
  const body = child(description, "requestBody");
  const query = arrayIn(description, "parameters")
    .map((one) => resolved(one, document))
    .filter((parameter) => parameter["in"] === "query")
    .map((parameter) => ({
      name: String(parameter["name"]),
      schema: resolved(parameter["schema"], document),
      isRequired: parameter["required"] === true,
    }));
  const bodySchema = child(objectIn(objectIn(body, "content"), "application/json"), "schema");
  const fields = [
    ...query.map((field) => ({ ...field, place: "query" as const })),
    ...bodyFields(bodySchema, document).map((field) => ({ ...field, place: "body" as const })),
  ];
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

/** The fields of a body. One that takes several shapes has the fields of all of them, and requires what all require. */
function bodyFields(given: unknown, document: Json): Omit<Field, "place" | "option" | "isDeprecated">[] {
  if (given === undefined) return [];
  const schema = resolved(given, document);
  const shapes = alternatives(schema);
  if (shapes.length > 0) {
    const each = shapes.map((shape) => bodyFields(shape, document));
    const names = new Set(each.flat().map(({ name }) => name));
    return [...names].map((name) => {
      const same = each.flatMap((fields) => fields.filter((field) => field.name === name));
      const isRequired = same.length === each.length && same.every((field) => field.isRequired);
      return { name, schema: { anyOf: same.map((field) => field.schema) }, isRequired };
    });
  }
  const required = arrayIn(schema, "required");
  const parts = arrayIn(schema, "allOf").flatMap((part) => bodyFields(part, document));
  const own = Object.entries(objectIn(schema, "properties")).map(([name, property]) => ({
    name,
    schema: resolved(property, document),
    isRequired: required.includes(name),
  }));
  return [...parts, ...own];
}

/** A schema whose references, also those of its alternatives and items, are replaced by what they name. */
function resolved(value: unknown, document: Json): Schema {
  const reference = child(value, "$ref");
  if (typeof reference === "string") {
    const [, ...keys] = reference.split("/");
    return resolved(keys.reduce<unknown>(child, document), document);
  }
  if (!isObject(value)) return {};
  const { items } = value;
  return {
    ...value,
    ...(items !== undefined && { items: resolved(items, document) }),
    ...Object.fromEntries(
      (["anyOf", "oneOf"] as const).flatMap((key) =>
        value[key] === undefined ? [] : [[key, arrayIn(value, key).map((one) => resolved(one, document))]],
      ),
    ),
  };
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

function objectIn(value: unknown, key: string): Json {
  const found = child(value, key);
  return isObject(found) ? found : {};
}
