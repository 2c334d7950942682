import type { AnyEndpoint, BodyOf, ParamsOf, QueryOf, ResponseOf } from "../../client/endpoint.js";
import type { EndpointOf, OperationName } from "../../contract/operations.js";
import type { Json } from "../../shared/json.js";
import type { Ids } from "../../shared/random.js";
import type { ServedCatalog } from "../catalog/catalog.js";
import type { ToolDefinition } from "../catalog/definitions.js";
import type { ActivityFeed } from "./activity.js";
import type { EmulatorClock } from "./clock.js";
import type { NewerFields } from "./newer-fields.js";
import type { ProjectOptions, UnknownFields } from "./options-schema.js";
import type { StoredProject } from "./project-records.js";
import type { RateLimiter } from "./rate-limiter.js";
import type { Created } from "./responses.js";
import type { KeySeed } from "./seed-schema.js";
import type { State } from "./state.js";

/** The emulator's parts that every handler can use. */
export interface Engine {
  readonly state: State;
  readonly catalog: ServedCatalog;
  readonly clock: EmulatorClock;
  readonly ids: Ids;
  readonly settings: ProjectSettings;
  /** Functions that replace what tools do, by tool. */
  readonly stubs: Map<string, ToolDefinition["run"]>;
  /** Tells listeners what happens. */
  readonly feed: ActivityFeed;
  /** Sends due deliveries. */
  readonly deliver: () => void;
  /** Its signal aborts when a reset or restore replaces the state. A request keeps the one it began with. */
  readonly lifetime: { readonly signal: AbortSignal };
}

/** The emulator's parts, and what most operations need to know of their request. */
export interface ProjectEngine extends Engine {
  /** The project of the key; for a user or organization key, the first project. Assumption E54. */
  readonly project: StoredProject;
  /** Scheme, host, and port of the request URL, for URLs in responses. */
  readonly origin: string;
  /** The caller's id of the request, if it sent a UUID. Assumption A19. */
  readonly requestId?: string | undefined;
}

/** A handler's input: the validated request and the emulator's parts. */
export interface RequestContext<E extends AnyEndpoint> extends ProjectEngine {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** Values of the body's newer fields, by path. */
  readonly newer: Json;
  /** The version of a tool, if the request names none. */
  readonly defaultVersion: string;
  /** The request's key; `undefined` if the operation doesn't take one. */
  readonly key: KeySeed | undefined;
}

type HandlerResult<Data> = Data | Created<Data>;

/** Handles one operation: returns its data, or throws an `ApiFailure`. */
type OperationHandler<E extends AnyEndpoint> = (
  context: RequestContext<E>,
) => HandlerResult<ResponseOf<E>> | Promise<HandlerResult<ResponseOf<E>>>;

/** A handler for each operation. A missing one is a compile error. */
export type OperationHandlers = { readonly [Name in OperationName]: OperationHandler<EndpointOf<Name>> };

/** The handlers of one resource. */
export type HandlersOf<Resource extends string> = Pick<
  OperationHandlers,
  Extract<OperationName, `${Resource}.${string}`>
>;

/** Special rules for the requests of an operation. */
export interface OperationRules {
  /** Parameters of earlier versions, which the service ignores. */
  readonly ignoredParameters?: readonly string[];
  /** Fields of newer clients. */
  readonly newer?: NewerFields;
  /** The key of a deleted project may call it. Assumption E54. */
  readonly takesKeysOfDeletedProjects?: boolean;
  /** Its body goes to a provider, which checks URLs itself. Assumption E99. */
  readonly passesBodyOn?: boolean;
}

/** A request to an extra route. */
export interface RouteContext extends Engine {
  readonly request: Request;
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  /** Scheme, host, and port of the request URL. */
  readonly origin: string;
  readonly rateLimit: RateLimiter;
}

/** A route outside the contract: a signed URL, MCP, a hosted page. */
export interface ExtraRoute {
  readonly methods: readonly string[];
  /** Absolute path, with `{parameters}`. */
  readonly path: string;
  /** Responds, or throws an `ApiFailure`. */
  handle(route: RouteContext): Response | Promise<Response>;
}

/** The project's options with their defaults. */
interface ProjectSettings extends ProjectOptions {
  readonly subscriptionsPerProject: number;
  readonly unknownFields: UnknownFields;
}
