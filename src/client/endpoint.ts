import { CREDENTIALS, type CredentialKind } from "../shared/credentials.js";

/** Header with the number of an attempt, only in requests to this machine. Assumption E102. */
export const ATTEMPT_HEADER = "x-svc-attempt";

const METHODS = ["GET", "POST", "PATCH", "PUT", "DELETE"] as const;

/** HTTP methods of the service. */
export type HttpMethod = (typeof METHODS)[number];

/** Effect of a retry. Decides whether a call is retried if a failure leaves its effect unknown. */
export type RetryClass =
  /** Only reads. */
  | "safe"
  /** A retry changes nothing more. */
  | "idempotent"
  /** A retry acts again: executes, creates, rotates. Retried only if the earlier attempt provably didn't run. */
  | "effect";

/** Where an endpoint takes the tool version. */
export type ToolVersionLocation =
  /** `toolkit_versions` in the query: one version, or one per toolkit. */
  | "toolkits_query"
  /** `version` in the query. */
  | "query"
  /** `version` in the body. If it's omitted, the service picks its default. */
  | "body"
  /** `version` in the body. The client rejects a call without one. */
  | "required_body";

declare const TYPE: unique symbol;
/** A type without a value, so that an endpoint can declare its types without loading a validator. */
export interface TypeMarker<Value> {
  /** Never set. It only keeps the type. */
  readonly [TYPE]?: Value;
}
/** Names a type for an endpoint: `response: typed<AuthConfig>()`. */
// @__NO_SIDE_EFFECTS__
export function typed<Value>(): TypeMarker<Value> {
  return {};
}

/** Definition of one API operation. */
export interface Endpoint<
  Name extends string = string,
  Path extends string = string,
  Query = unknown,
  Body = unknown,
  Response = unknown,
> {
  /** The operation, usually named like its method: `authConfigs.get`. */
  readonly name: Name;
  readonly method: HttpMethod;
  /**
   * The path after the base URL, with `{parameters}`. `{apiVersion}` is replaced with the client's API version. A
   * version that the path names stays.
   */
  readonly path: Path;
  /**
   * The credentials that the operation accepts, in order of preference. The first that the client has is sent. Empty
   * for an operation without credentials.
   */
  readonly auth: readonly CredentialKind[];
  /** Effect of a retry. */
  readonly retry: RetryClass;
  /** Where the tool version is sent. */
  readonly version?: ToolVersionLocation;
  /** The kind of JSON value in the response: an object, unless this is set. */
  readonly responseType?: "array";
  /** Whether body or response contain JSON Schemas. Bounds in schemas stay numbers, even beyond 2^53 − 1. */
  readonly hasSchemas?: true;
  /** The key of a page's items, if it isn't `items`. */
  readonly items?: "logs" | "data";
  /** Response fields that the SDK itself uses. If one is missing, the call rejects. */
  readonly requiredFields?: readonly string[];
  /** The data of a 204, which has no body. */
  readonly noContent?: NoInfer<Response>;
  /** If the outcome of an attempt is unknown and its retry gets one of these statuses, the attempt had succeeded. */
  readonly alreadyApplied?: {
    readonly statuses: readonly number[];
    /** The data of the first response, as far as the call itself shows it. */
    data(params: ParametersIn<Path>): NoInfer<Response>;
  };
  /**
   * Deprecated parts: `query.search` for an input, `body.version=V1` for one value of it, or `operation` for the whole
   * operation.
   */
  readonly deprecated?: readonly string[];
  /**
   * The operation that returns the tool in the path. Its `input_parameters` is the schema of `arguments` in the body.
   */
  readonly schemaEndpoint?: AnyEndpoint;
  /**
   * Whether executions are in the execution log. If so, the client sends an `x-request-id` that identifies the call in
   * the log.
   */
  readonly isLogged?: boolean;
  /** Whether some calls only read. Such a call has the option `effect: "none"`. */
  readonly takesEffect?: true;
  /** Type of the query. */
  readonly query?: TypeMarker<Query>;
  /** Type of the body. */
  readonly body?: TypeMarker<Body>;
  /** Type of the response. */
  readonly response: TypeMarker<Response>;
}

/** Any endpoint, for code that handles all of them. */
export type AnyEndpoint = Endpoint;

/**
 * Defines an endpoint. Pass it to `svc.call` to call an operation that the SDK doesn't know, with the same credentials,
 * retries and errors.
 *
 * ```ts
 * const getNanoId = endpoint({
 *   name: "migration.getNanoId", // Its name in errors and events.
 *   method: "GET",
 *   path: "/api/{apiVersion}/migration/get-nanoid", // `{id}` in a path becomes a parameter.
 *   auth: ["apiKey", "userApiKey"], // The first one the client has is sent.
 *   retry: "safe", // It only reads, so it may be retried after any failure.
 *   query: typed<{ uuid: string; type: "CONNECTED_ACCOUNT" | "AUTH_CONFIG" | "TRIGGER_INSTANCE" }>(),
 *   response: typed<{ nanoid: string }>(),
 * });
 *
 * const { nanoid } = await svc.call(getNanoId, { query: { uuid: "0b5e", type: "CONNECTED_ACCOUNT" } });
 * ```
 */
// Bundlers drop the endpoints that a program doesn't use. @__NO_SIDE_EFFECTS__
export function endpoint<
  const Name extends string,
  const Path extends string,
  Query = undefined,
  Body = undefined,
  Response = undefined,
>(facts: Endpoint<Name, Path, Query, Body, Response>): Endpoint<Name, Path, Query, Body, Response> {
  return frozen(facts);
}

/** All clients share an endpoint: a middleware that changed its retry class would change it for every call. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}

// The type isn't derived from these: its members have docs.
const RETRY_CLASSES: readonly unknown[] = ["safe", "idempotent", "effect"] satisfies RetryClass[];

/**
 * The problem with a call that wasn't type-checked, or `undefined`. A misspelled class would let an effect be retried.
 */
export function statedProblem(endpoint: Partial<AnyEndpoint>, input: unknown): string | undefined {
  const { name, method, path, auth, retry } = endpoint;
  if (typeof name !== "string") return "an endpoint must have a name. Errors show it.";
  if (!METHODS.some((each) => each === method)) return `method of an endpoint must be one of ${METHODS.join(", ")}.`;
  if (typeof path !== "string") return "an endpoint must have a path.";
  if (!Array.isArray(auth) || !auth.every((kind) => Object.hasOwn(CREDENTIALS, kind))) {
    return `an endpoint must have auth, an array of the credentials it accepts (${Object.keys(CREDENTIALS).join(", ")}). Pass [] for none.`;
  }
  if (!RETRY_CLASSES.includes(retry)) return `retry of an endpoint must be one of ${RETRY_CLASSES.join(", ")}.`;
  if (typeof input !== "object" || input === null) return `the input of ${name} must be an object. Pass {} for none.`;
  return undefined;
}

type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Exclude<Name, "apiVersion"> | ParameterNames<Rest>
  : never;

/** The parameters in a path. */
type ParametersIn<Path extends string> = { readonly [Name in ParameterNames<Path>]: string };

/** The path parameters of an endpoint, read from its path. */
export type ParamsOf<E extends AnyEndpoint> = ParametersIn<E["path"]>;
/** The query of an endpoint, or `undefined`. */
export type QueryOf<E extends AnyEndpoint> =
  E extends Endpoint<string, string, infer Query, unknown, unknown> ? Query : never;
/** The body of an endpoint, or `undefined`. */
export type BodyOf<E extends AnyEndpoint> =
  E extends Endpoint<string, string, unknown, infer Body, unknown> ? Body : never;
/** The response of an endpoint. */
export type ResponseOf<E extends AnyEndpoint> =
  E extends Endpoint<string, string, unknown, unknown, infer Response> ? Response : never;

type EndpointPart<Key extends string, Value> = [Value] extends [undefined]
  ? { readonly [K in Key]?: undefined }
  : Record<never, never> extends Value
    ? { readonly [K in Key]?: Value | undefined }
    : { readonly [K in Key]: Value };

/** The input of an endpoint: path parameters, query and body, each only if the endpoint has it. */
export type EndpointInput<E extends AnyEndpoint> = EndpointPart<
  "params",
  keyof ParamsOf<E> extends never ? undefined : ParamsOf<E>
> &
  EndpointPart<"query", QueryOf<E>> &
  EndpointPart<"body", BodyOf<E>>;

/** An endpoint's input with its types erased. */
export interface AnyInput {
  /** The path parameters, by name. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** The query, before it is written into the URL. */
  readonly query?: object | undefined;
  /** The body, before it is written as JSON. */
  readonly body?: unknown;
}
