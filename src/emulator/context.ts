import type { EndpointOf, OperationName } from "../contract/operations.js";
import type { AnyEndpoint, BodyOf, ParamsOf, QueryOf, ResponseOf } from "../core/endpoint.js";
import type { Catalogue } from "./catalogue.js";
import type { EmulatorClock } from "./clock.js";
import type { Created } from "./created.js";
import type { Ids } from "./ids.js";
import type { KeySeed } from "./seed.js";
import type { ProjectSettings } from "./settings.js";
import type { State } from "./state.js";

/** What every handler can reach. */
export interface World {
  readonly state: State;
  readonly catalogue: Catalogue;
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

type Answer<Data> = Data | Created<Data>;

/** Answers one operation: returns its data, or throws a `Refusal`. */
export type Handler<E extends AnyEndpoint> = (
  context: HandlerContext<E>,
) => Answer<ResponseOf<E>> | Promise<Answer<ResponseOf<E>>>;

/** A handler for each operation. One that is missing does not compile. */
export type Handlers = { readonly [Name in OperationName]: Handler<EndpointOf<Name>> };

/** The handlers of one resource. */
export type HandlersOf<Resource extends string> = Pick<Handlers, Extract<OperationName, `${Resource}.${string}`>>;
