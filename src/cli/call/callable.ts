import { type Operation, operations } from "../../contract/index.js";
import { wholeSchema } from "../../contract/openapi.js";
import type { AnyEndpoint } from "../../index.js";
import { nodeOf } from "../../json-schema/graph.js";
import { type NamedField, namedFields, type SchemaNode } from "../../json-schema/node.js";
import { METHODS, type Method } from "./methods.js";

export interface CallableField extends NamedField {
  readonly place: "query" | "body";
  /** The option without hyphens: the name, behind the place if the name alone means something else. */
  readonly option: string;
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
    return schema ? namedFields(nodeOf(wholeSchema(schema))).map((field) => ({ ...field, place })) : [];
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

/** The kinds of values that a node accepts. Every integer is a number. */
export function kindsOf({ leaves }: SchemaNode): ReadonlySet<string> {
  const kinds = leaves.flatMap((leaf) => leaf.kinds);
  return new Set(kinds.map((kind) => (kind === "integer" ? "number" : kind)));
}

/** The items of lists; `undefined` if there are no lists, or if they may have any items. */
export function itemsOf({ leaves }: SchemaNode): SchemaNode | undefined {
  for (const { items } of leaves) if (items) return items;
  return undefined;
}

/** The leaf of all values but null, if there is one. */
export function onlyLeaf({ leaves }: SchemaNode): SchemaNode | undefined {
  const [leaf, ...more] = leaves.filter(({ kinds }) => kinds.some((kind) => kind !== "null"));
  return more.length === 0 ? leaf : undefined;
}
