import type { EndpointOf, OperationName } from "../../contract/operations.js";
import type { AnyEndpoint, BodyOf, ParamsOf, QueryOf, ResponseOf } from "../../core/endpoint.js";
import { ConfigError } from "../../errors/local.js";
import type { Catalog } from "../catalog/catalog.js";
import { unsafeScheme } from "./check-request.js";
import type { EmulatorClock } from "./clock.js";
import type { RateLimit } from "./rate-limit.js";
import type { KeySeed } from "./seed.js";
import type { Ids, State } from "./state.js";

/** What every handler can reach. */
export interface World {
  readonly state: State;
  readonly catalogue: Catalog;
  readonly clock: EmulatorClock;
  readonly ids: Ids;
  readonly settings: ProjectSettings;
  /** Lets the deliveries go out that are due. */
  readonly deliver: () => void;
}

/** What a handler gets: the request, checked, and the world. */
export interface HandlerContext<E extends AnyEndpoint> extends World {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** Scheme, host and port the request came to. */
  readonly origin: string;
  /** The prefix the request came under. */
  readonly apiVersion: "v3" | "v3.1";
  /** The key the request was made with; `undefined` where the operation takes none. */
  readonly key: KeySeed | undefined;
}

type HandlerResult<Data> = Data | Created<Data>;

/** Answers one operation: returns its data, or throws a `Refusal`. */
type Handler<E extends AnyEndpoint> = (
  context: HandlerContext<E>,
) => HandlerResult<ResponseOf<E>> | Promise<HandlerResult<ResponseOf<E>>>;

/** A handler for each operation. One that is missing does not compile. */
export type Handlers = { readonly [Name in OperationName]: Handler<EndpointOf<Name>> };

/** The handlers of one resource. */
export type HandlersOf<Resource extends string> = Pick<Handlers, Extract<OperationName, `${Resource}.${string}`>>;

/** Data of an operation that created something where it might have found it: the answer is 201 instead of 200. */
export class Created<Data> {
  readonly data: Data;

  constructor(data: Data) {
    this.data = data;
  }
}

/** A request to an address that is no operation of the contract. */
export interface RouteContext extends World {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  /** Scheme, host and port it came to. */
  readonly origin: string;
  readonly rateWindow: RateLimit;
}

/** An address that is no operation of the contract: a signed address, another protocol, a page. */
export interface ExtraRoute {
  readonly methods: readonly string[];
  /** From the root, with `{parameters}`. */
  readonly path: string;
  /** Answers, or throws a `Refusal`. */
  open(visit: RouteContext): Response | Promise<Response>;
}

/** How the emulated project is set up. */
export interface ProjectOptions {
  /**
   * Webhook subscriptions a project may have; one more is answered with 409.
   * @default 1
   */
  readonly subscriptionsPerProject?: number | undefined;
  /**
   * Address of your callback verifier. With one, a completed link page sends the browser there with a `session_uri`, and
   * the account becomes ACTIVE by `connectedAccounts.completeAuth` only.
   */
  readonly callbackVerifierUrl?: string | undefined;
}

/** The project's options with their defaults. */
interface ProjectSettings {
  readonly subscriptionsPerProject: number;
  readonly callbackVerifierUrl: string | undefined;
}

/** @throws {ConfigError} for a number that is none, or an address that is none. */
export function projectSettings({
  subscriptionsPerProject = 1,
  callbackVerifierUrl,
}: ProjectOptions = {}): ProjectSettings {
  if (!Number.isSafeInteger(subscriptionsPerProject) || subscriptionsPerProject < 1) {
    throw new ConfigError("The emulator's project.subscriptionsPerProject must be a whole number from 1.");
  }
  if (callbackVerifierUrl !== undefined && !URL.canParse(callbackVerifierUrl)) {
    throw new ConfigError("The emulator's project.callbackVerifierUrl must be an absolute address.");
  }
  const scheme = unsafeScheme(callbackVerifierUrl ?? "");
  if (scheme !== undefined) {
    throw new ConfigError(`The emulator's project.callbackVerifierUrl must be the URL of a site, not ${scheme}.`);
  }
  return { subscriptionsPerProject, callbackVerifierUrl };
}
