import type * as z from "zod/mini";
import type { AnyEndpoint, BodyOf, QueryOf, ResponseOf } from "../client/endpoint.js";

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

/** The parts of an operation that aren't in its endpoint. The default of `status` is 200. */
type OperationParts<E extends AnyEndpoint> = SchemaPart<"query", QueryOf<E>> &
  SchemaPart<"body", BodyOf<E>> &
  Partial<Pick<Operation, "status" | "spec" | "headers">> & { readonly response: z.ZodMiniType<ResponseOf<E>> };

/** The parts of any operation. */
type AnyParts = Partial<Operation> & Pick<Operation, "response">;

/** The endpoints of a resource. */
type Endpoints = Readonly<Record<string, AnyEndpoint>>;

/** The operations of a resource, by name. */
type OperationsOf<Resource extends Endpoints> = {
  readonly [E in Resource[keyof Resource] as E["name"]]: Operation<E>;
};

/**
 * Joins the endpoints of a resource to their schemas. A missing or wrong schema doesn't compile.
 *
 * @param spec section of the specification, for operations without another one.
 */
export function operationsOf<Resource extends Endpoints>(
  endpoints: Resource,
  spec: string,
  parts: { readonly [Key in keyof Resource]: OperationParts<Resource[Key]> },
): OperationsOf<Resource> {
  const operations = Object.entries<AnyEndpoint>(endpoints).map(([key, endpoint]): Operation => {
    // Both have the same keys.
    const { query, body, headers = [], status = 200, ...others }: AnyParts = parts[key as keyof Resource];
    return { spec, ...others, endpoint, query, body, headers, status };
  });
  // Each key is the name of its value's endpoint.
  return Object.fromEntries(operations.map((each) => [each.endpoint.name, each])) as OperationsOf<Resource>;
}
