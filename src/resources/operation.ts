import type * as z from "zod/mini";
import type { AnyEndpoint, BodyOf, QueryOf, ResponseOf } from "../core/endpoint.js";

type SchemaPart<Key extends string, Value> = [Value] extends [undefined]
  ? { readonly [K in Key]?: undefined }
  : { readonly [K in Key]: z.ZodMiniType<Value> };

/** HTTP status of a success. Two if a creation can find what it would create: the first is for that case. */
export type SuccessStatus = 200 | 201 | 204 | readonly [200, 201];

/** An operation with the types of its schemas erased. */
export interface Operation<E extends AnyEndpoint = AnyEndpoint> {
  /** Its method, path and credentials. */
  readonly endpoint: E;
  /** Schema of the query; undefined if it has no query. */
  readonly query: z.ZodMiniType | undefined;
  /** Schema of the body; undefined if it has no body. */
  readonly body: z.ZodMiniType | undefined;
  /** Schema of the response. */
  readonly response: z.ZodMiniType;
  /** Names of the headers it takes in addition to those of every request. */
  readonly headers: readonly string[];
  /** HTTP status of a success. */
  readonly status: SuccessStatus;
  /** Section of the specification. */
  readonly spec: string;
}

/** The parts of an operation that aren't in its endpoint. */
type SchemasOf<E extends AnyEndpoint> = SchemaPart<"query", QueryOf<E>> &
  SchemaPart<"body", BodyOf<E>> &
  Pick<Operation, "status" | "spec"> &
  Partial<Pick<Operation, "headers">> & { readonly response: z.ZodMiniType<ResponseOf<E>> };

/** Joins an endpoint to its schemas. A missing or wrong schema doesn't compile. */
export function operation<E extends AnyEndpoint>(endpoint: E, schemas: SchemasOf<E>): Operation<E> {
  const { query, body, headers = [], response, status, spec } = schemas;
  return { endpoint, query, body, headers, response, status, spec };
}

/**
 * Keys a resource's operations by their endpoints' names. `satisfies OperationsOf<typeof endpoints>` reports missing
 * ones.
 */
export function byName<const List extends readonly Operation[]>(...list: List): ByName<List> {
  // Each key is the name of its value's endpoint.
  return Object.fromEntries(list.map((each) => [each.endpoint.name, each])) as ByName<List>;
}

/** The operations of a list, keyed by the names of their endpoints. */
export type ByName<List extends readonly Operation[]> = {
  readonly [O in List[number] as O["endpoint"]["name"]]: O;
};

/** One operation per endpoint of a resource. */
export type OperationsOf<Endpoints extends Readonly<Record<string, AnyEndpoint>>> = {
  readonly [E in Endpoints[keyof Endpoints] as E["name"]]: Operation<E>;
};
