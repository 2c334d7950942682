import type * as z from "zod/mini";
import type { AnyEndpoint, BodyOf, QueryOf, ResponseOf } from "../core/endpoint.js";

type SchemaPart<Key extends string, Value> = [Value] extends [undefined]
  ? { readonly [K in Key]?: undefined }
  : { readonly [K in Key]: z.ZodMiniType<Value> };

/** HTTP status of success; two of them where a creation may find what it would create, and then answers the first. */
export type SuccessStatus = 200 | 201 | 204 | readonly [200, 201];

/** What the contract says about an operation beside its endpoint. */
export type SchemasOf<E extends AnyEndpoint> = SchemaPart<"query", QueryOf<E>> &
  SchemaPart<"body", BodyOf<E>> & {
    readonly response: z.ZodMiniType<ResponseOf<E>>;
    /** HTTP status of success. */
    readonly status: SuccessStatus;
    /** Where the specification describes it. */
    readonly spec: string;
  };

/** One entry per endpoint of a resource: `satisfies SchemasFor<typeof endpoints>` asks for those that are missing. */
export type SchemasFor<Endpoints extends Readonly<Record<string, AnyEndpoint>>> = {
  readonly [E in Endpoints[keyof Endpoints] as E["name"]]: SchemasOf<E>;
};

/** An operation with the types of its schemas erased. */
export interface Operation<E extends AnyEndpoint = AnyEndpoint> {
  readonly endpoint: E;
  readonly query: z.ZodMiniType | undefined;
  readonly body: z.ZodMiniType | undefined;
  readonly response: z.ZodMiniType;
  readonly status: SuccessStatus;
  readonly spec: string;
}
