import { type AnyEndpoint, type Endpoint, endpoint, type HttpMethod, type RetryClass } from "../core/endpoint.js";

/** What a retry does, by method. A PATCH sets the given fields to the given values, so a second one changes nothing. */
const RETRY: Readonly<Record<HttpMethod, RetryClass>> = {
  GET: "safe",
  PUT: "idempotent",
  PATCH: "idempotent",
  DELETE: "idempotent",
  POST: "effect",
};

type WithDefaults = "auth" | "retry";

/** An endpoint without its name, and without credentials and retry class if they are the usual ones. */
type Definition<Path extends string, Query, Body, Response> = Omit<
  Endpoint<string, Path, Query, Body, Response>,
  "name" | WithDefaults
> &
  Partial<Pick<AnyEndpoint, WithDefaults>>;

/** Any definition. Without query and body, because the compiler would take their types from here if one is omitted. */
type AnyDefinition = Omit<AnyEndpoint, "name" | "query" | "body" | WithDefaults> &
  Partial<Pick<AnyEndpoint, WithDefaults>>;

/** The endpoints of a resource, by the names of their methods. */
type EndpointsOf<Resource extends string, Definitions> = {
  readonly [Key in keyof Definitions & string]: Definitions[Key] extends Definition<
    infer Path,
    infer Query,
    infer Body,
    infer Response
  >
    ? Endpoint<`${Resource}.${Key}`, Path, Query, Body, Response>
    : never;
};

/** Defines an endpoint. {@link endpoints} adds the name. */
// @__NO_SIDE_EFFECTS__
export function define<const Path extends string, Query = undefined, Body = undefined, Response = undefined>(
  definition: Definition<Path, Query, Body, Response>,
): Definition<Path, Query, Body, Response> {
  return definition;
}

/**
 * Names the endpoints of a resource like its methods: `projects.create`. Unless an endpoint says otherwise, it takes
 * the project key, and its retry class follows from its method.
 */
// @__NO_SIDE_EFFECTS__
export function endpoints<const Resource extends string, Definitions extends Readonly<Record<string, AnyDefinition>>>(
  resource: Resource,
  definitions: Definitions,
): EndpointsOf<Resource, Definitions> {
  const named = Object.entries(definitions).map(([key, definition]) => {
    const { auth = ["apiKey"], retry = RETRY[definition.method] } = definition;
    return [key, endpoint({ ...definition, name: `${resource}.${key}`, auth, retry })] as const;
  });
  // The keys are those of the definitions, which fromEntries forgets.
  return Object.fromEntries<unknown>(named) as EndpointsOf<Resource, Definitions>;
}
