// The room of resources, a folder for each, whose class says what it is: shapes in `schema.ts`, endpoints in
// `endpoints.ts`, methods in a file named like the resource. Agent sessions are in `tool-router/`; `session/` describes
// the client's key. It imports `client`, and methods import only types of shapes. Start here, with the function that
// defines endpoints, then in `tools/`.

import { type AnyEndpoint, type Endpoint, endpoint, type HttpMethod, type RetryClass } from "../client/endpoint.js";
import { once } from "../shared/once.js";

/** An endpoint without its name. */
type NamelessEndpoint<Path extends string, Query, Body, Response> = Omit<
  Endpoint<string, Path, Query, Body, Response>,
  "name"
>;

/** Any definition. Without query and body, because the compiler would take their types from here if one is omitted. */
type AnyDefinition = Omit<AnyEndpoint, "name" | "query" | "body">;

/** The endpoints of a resource, by the names of their methods. */
type EndpointsOf<Resource extends string, Definitions> = {
  readonly [Key in keyof Definitions & string]: Definitions[Key] extends NamelessEndpoint<
    infer Path,
    infer Query,
    infer Body,
    infer Response
  >
    ? Endpoint<`${Resource}.${Key}`, Path, Query, Body, Response>
    : never;
};

/** The effect of a retry, by method. A second PATCH changes nothing: it sets the same fields to the same values. */
const RETRY: Readonly<Record<HttpMethod, RetryClass>> = {
  GET: "safe",
  PUT: "idempotent",
  PATCH: "idempotent",
  DELETE: "idempotent",
  POST: "effect",
};

/** The fields with a default. */
type Usual = Pick<AnyEndpoint, "auth" | "retry">;

/**
 * Defines an endpoint. {@link endpoints} adds the name. Unless `facts` say otherwise, it takes the project key, and its
 * retry class follows from its method.
 *
 * @param route - The method and the path: `GET /api/{apiVersion}/tools`.
 */
// @__NO_SIDE_EFFECTS__
export function define<
  Method extends HttpMethod,
  Path extends string,
  Query = undefined,
  Body = undefined,
  Response = undefined,
>(
  route: `${Method} ${Path}`,
  facts: Omit<NamelessEndpoint<Path, Query, Body, Response>, "method" | "path" | keyof Usual> & Partial<Usual>,
): NamelessEndpoint<Path, Query, Body, Response> {
  // The type says where the space is.
  const [method, path] = route.split(" ") as [Method, Path];
  return { method, path, auth: ["apiKey"], retry: RETRY[method], ...facts };
}

/**
 * Names the endpoints of a resource like its methods: `projects.create`. Creates them when they are first asked for:
 * most programs call few resources, and creating all endpoints would be most of what an import of the client runs.
 */
// @__NO_SIDE_EFFECTS__
export function endpoints<const Resource extends string, Definitions extends Readonly<Record<string, AnyDefinition>>>(
  resource: Resource,
  definitions: () => Definitions,
): () => EndpointsOf<Resource, Definitions> {
  return once(() => {
    const named = Object.entries(definitions()).map(([key, definition]) => {
      return [key, endpoint({ ...definition, name: `${resource}.${key}` })] as const;
    });
    // The keys are those of the definitions, which fromEntries forgets.
    return Object.fromEntries<unknown>(named) as EndpointsOf<Resource, Definitions>;
  });
}
