/** A kind of credential, named like the client option that holds it. Spec: Authentication. */
export type CredentialKind = "apiKey" | "userApiKey" | "orgApiKey" | "sessionCookie";

interface Carrier {
  /** The environment variable that holds it, where there is one. */
  readonly variable: string | undefined;
  /** The request header that carries it. */
  readonly header: string;
  /** What stands before the value in the header. */
  readonly prefix: string;
}

/** How each kind travels. Stated once: the client, its messages and the emulator's guard all read it. */
export const CREDENTIALS: Readonly<Record<CredentialKind, Carrier>> = {
  apiKey: { variable: "SVC_API_KEY", header: "x-api-key", prefix: "" },
  userApiKey: { variable: "SVC_USER_API_KEY", header: "x-user-api-key", prefix: "" },
  orgApiKey: { variable: "SVC_ORG_API_KEY", header: "x-org-api-key", prefix: "" },
  sessionCookie: { variable: undefined, header: "cookie", prefix: "authToken=" },
};

/** Every kind there is. */
export const CREDENTIAL_KINDS = Object.keys(CREDENTIALS) as readonly CredentialKind[];

/** HTTP methods of the service. */
export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** What a repeat of a call may do. Decides what is retried after a failure that leaves the effect unknown. */
export type RetryClass =
  /** Only reads. */
  | "safe"
  /** A repeat changes nothing more. */
  | "idempotent"
  /** A repeat acts again: executes, creates, rotates. Sent again only when the first provably did not run. */
  | "effect";

/** Where an endpoint carries the tool version. Exactly the five endpoints of the spec have one. Spec: Versioning. */
export type VersionCarrier =
  /** `toolkit_versions` in the query: one version, or one per toolkit. */
  | "toolkits_query"
  /** `version` in the query. */
  | "query"
  /** `version` in the body; left out, the service picks its default. */
  | "body"
  /** `version` in the body; the client refuses a call without one. */
  | "required_body";

declare const TYPE: unique symbol;
/** Carries a type and no value: an endpoint states what it takes and gives without loading a validator. */
export interface Type<Value> {
  /** Never there: it only keeps the type. */
  readonly [TYPE]?: Value;
}
/** Names a type for an endpoint: `response: typed<AuthConfig>()`. */
export function typed<Value>(): Type<Value> {
  return {};
}

/** The wire facts of one operation. */
export interface Endpoint<
  Name extends string = string,
  Path extends string = string,
  Query = unknown,
  Body = unknown,
  Response = unknown,
> {
  /** The operation, named like the method that calls it: `authConfigs.get`. */
  readonly name: Name;
  readonly method: Method;
  /**
   * The path from the base URL, with `{parameters}`. `{apiVersion}` stands for the client's API version; a path that
   * names a version keeps it.
   */
  readonly path: Path;
  /** The credentials it accepts, most fitting first. The first one the client holds is sent. Empty: none is sent. */
  readonly auth: readonly CredentialKind[];
  /** What sending it twice may do. */
  readonly retry: RetryClass;
  /** Where the tool version goes. */
  readonly version?: VersionCarrier;
  /** The kind of JSON value an answer is. `object` when absent. */
  readonly answer?: "array";
  /** The key of a page that holds its items, where it is not `items`. */
  readonly items?: "logs" | "data";
  /** Fields of the answer that the SDK itself goes on with. An answer without one of them is not the data. */
  readonly needs?: readonly string[];
  /** What a 204 means: it carries no body to read. */
  readonly noContent?: NoInfer<Response>;
  /** A repeat after an attempt of unknown outcome that meets one of these statuses met its own success. */
  readonly alreadyApplied?: {
    readonly statuses: readonly number[];
    /** What the first answer would have been, as far as the call itself tells. */
    data(params: ParametersIn<Path>): NoInfer<Response>;
  };
  /** What is deprecated: inputs as `query.search`, one value of an input as `body.version=V1`, or `operation` for all of it. */
  readonly deprecated?: readonly string[];
  /** The operation that shows the tool of the path: its `input_parameters` say what `arguments` of the body must be. */
  readonly describedBy?: AnyEndpoint;
  /** The query it takes. */
  readonly query?: Type<Query>;
  /** The body it takes. */
  readonly body?: Type<Body>;
  /** What it answers. */
  readonly response: Type<Response>;
}

/** Any endpoint, for code that handles all of them. */
export type AnyEndpoint = Endpoint;

/**
 * States an endpoint. The SDK's own are made with it, and `svc.call` takes one of yours for an operation the SDK does not
 * know, with the same credentials, retries and errors.
 *
 * ```ts
 * const getNanoId = endpoint({
 *   name: "migration.getNanoId", // How errors and reports name it.
 *   method: "GET",
 *   path: "/api/{apiVersion}/migration/get-nanoid", // `{id}` in a path becomes a parameter.
 *   auth: ["apiKey", "userApiKey"], // The first of them that the client holds is sent.
 *   retry: "safe", // It only reads, so it may be sent again after any failure.
 *   query: typed<{ uuid: string; type: "CONNECTED_ACCOUNT" | "AUTH_CONFIG" | "TRIGGER_INSTANCE" }>(),
 *   response: typed<{ nanoid: string }>(),
 * });
 *
 * const { nanoid } = await svc.call(getNanoId, { query: { uuid: "0b5e", type: "CONNECTED_ACCOUNT" } });
 * ```
 */
export function endpoint<
  const Name extends string,
  const Path extends string,
  Query = undefined,
  Body = undefined,
  Response = undefined,
>(facts: Endpoint<Name, Path, Query, Body, Response>): Endpoint<Name, Path, Query, Body, Response> {
  return facts;
}

const METHODS: readonly unknown[] = ["GET", "POST", "PATCH", "PUT", "DELETE"] satisfies Method[];
const RETRY_CLASSES: readonly unknown[] = ["safe", "idempotent", "effect"] satisfies RetryClass[];

/** What is wrong with a call that no compiler has seen, or `undefined`. A misspelt class would let an effect be repeated. */
export function statedProblem(endpoint: Partial<AnyEndpoint>, input: unknown): string | undefined {
  const { name, method, path, auth, retry } = endpoint;
  if (typeof name !== "string") return "an endpoint needs a name, by which errors call it.";
  if (!METHODS.includes(method)) return `the method of an endpoint must be one of ${METHODS.join(", ")}.`;
  if (typeof path !== "string") return "an endpoint needs a path.";
  if (!Array.isArray(auth) || !auth.every((kind) => Object.hasOwn(CREDENTIALS, kind))) {
    return `an endpoint needs auth, a list of the keys it takes (${Object.keys(CREDENTIALS).join(", ")}); [] for none.`;
  }
  if (!RETRY_CLASSES.includes(retry)) return `retry of an endpoint must be one of ${RETRY_CLASSES.join(", ")}.`;
  if (typeof input !== "object" || input === null) return `the input of ${name} must be an object, {} for none.`;
  return undefined;
}

type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Exclude<Name, "apiVersion"> | ParameterNames<Rest>
  : never;

/** The parameters in a path. */
type ParametersIn<Path extends string> = { readonly [Name in ParameterNames<Path>]: string };

/** The path parameters of an endpoint, read from its path. */
export type ParamsOf<E extends AnyEndpoint> = ParametersIn<E["path"]>;
/** The query of an endpoint; `undefined` where it has none. */
export type QueryOf<E extends AnyEndpoint> =
  E extends Endpoint<string, string, infer Query, unknown, unknown> ? Query : never;
/** The body of an endpoint; `undefined` where it has none. */
export type BodyOf<E extends AnyEndpoint> =
  E extends Endpoint<string, string, unknown, infer Body, unknown> ? Body : never;
/** What an endpoint answers. */
export type ResponseOf<E extends AnyEndpoint> =
  E extends Endpoint<string, string, unknown, unknown, infer Response> ? Response : never;

type Part<Key extends string, Value> = [Value] extends [undefined]
  ? { readonly [K in Key]?: undefined }
  : Record<never, never> extends Value
    ? { readonly [K in Key]?: Value | undefined }
    : { readonly [K in Key]: Value };

/** What a call of an endpoint needs: path parameters, query and body, each only where the endpoint has it. */
export type InputOf<E extends AnyEndpoint> = Part<"params", keyof ParamsOf<E> extends never ? undefined : ParamsOf<E>> &
  Part<"query", QueryOf<E>> &
  Part<"body", BodyOf<E>>;

/** An endpoint's input with its types erased. */
export interface AnyInput {
  /** The path parameters, by name. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** The query, before it is written into the URL. */
  readonly query?: object | undefined;
  /** The body, before it is written as JSON. */
  readonly body?: unknown;
}
