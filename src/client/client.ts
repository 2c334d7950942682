// The room of one call, from start to end, for every resource. It imports only `shared` and `errors`. It doesn't know
// the emulator either, but tells a service on this machine the number of each attempt. Start here, then `call/call.ts`,
// the order of a call. `pacing/` waits for the rate limit, `options/` reads settings, and `middleware/` has the
// middleware of this package, whose type is in `middleware.ts`.

import { TimeoutError } from "../errors/connection.js";
import { ValidationError } from "../errors/local.js";
import type { ClientOwner } from "../shared/client-owner.js";
import type { CredentialKind } from "../shared/credentials.js";
import { redactor, secretsIn } from "../shared/redact.js";
import { type ApiPromise, apiPromise, type WithResponse } from "./api-promise.js";
import { Call } from "./call/call.js";
import { argumentProblem } from "./call/request.js";
import type { ClientContext } from "./client-context.js";
import type { Clock } from "./clock.js";
import type { AnyEndpoint, AnyInput, EndpointInput, ResponseOf } from "./endpoint.js";
import { copyOfCallOptions, NO_OPTIONS, readCallOptions } from "./options/checks.js";
import type { Settings } from "./options/settings.js";
import { Pacer, type RateLimitState } from "./pacing/pacer.js";
import { type PagePromise, pagePromise } from "./pages.js";
import type { ExecuteOptions, RequestOptions } from "./request-options.js";

/** Sends calls for one client. Doesn't know the resources. */
export class Core {
  /** Parts that its calls share. */
  readonly context: ClientContext;

  constructor(settings: Settings) {
    this.context = {
      settings,
      pacer: settings.sharedRateLimit?.open(settings) ?? new Pacer(settings),
      redact: redactor([...settings.credentials.values(), ...secretsIn(settings.headers)]),
      send: this.#send,
    };
  }

  /** The client's current rate limit state. */
  get rateLimit(): RateLimitState {
    return this.context.pacer.state;
  }

  /** The client's clock, for waits between calls. */
  get clock(): Clock {
    return this.context.settings.clock;
  }

  /** A credential of the client, to pass to another program. */
  credential(kind: CredentialKind): string | undefined {
    return this.context.settings.credentials.get(kind);
  }

  /** Sends a call, without the checks of a method's arguments. */
  send<E extends AnyEndpoint>(
    endpoint: E,
    input: EndpointInput<E>,
    options?: RequestOptions,
  ): Promise<WithResponse<ResponseOf<E>>> {
    // `EndpointInput<E>` is `AnyInput` with the types of this endpoint, and the endpoint declares the response.
    return this.context.send(endpoint, input as AnyInput, options) as Promise<WithResponse<ResponseOf<E>>>;
  }

  /** Sends the call of a method and returns its data. */
  call<E extends AnyEndpoint>(
    endpoint: E,
    input: EndpointInput<E>,
    options?: RequestOptions,
  ): ApiPromise<ResponseOf<E>> {
    const refused = this.#refused(endpoint, input);
    // As in send().
    const sending = refused ?? this.context.send(endpoint, input as AnyInput, options);
    return apiPromise(sending as Promise<WithResponse<ResponseOf<E>>>);
  }

  /** Sends the call of a method that lists: a page when awaited, all items when iterated. */
  list<E extends AnyEndpoint>(
    endpoint: E,
    input: EndpointInput<E>,
    options?: RequestOptions,
  ): PagePromise<ResponseOf<E>> {
    const refused = this.#refused(endpoint, input);
    // As in send().
    const send = (page: AnyInput) =>
      refused ?? (this.context.send(endpoint, page, options) as Promise<WithResponse<ResponseOf<E>>>);
    return pagePromise(endpoint, input as AnyInput, send, options?.signal);
  }

  /**
   * Options for the requests of a method that sends several, such as `ensure`: each gets the time that is left of one
   * deadline when it starts. The first gets the caller's own value, so that an invalid one is reported as passed.
   *
   * @throws {TimeoutError} when a request would start after the deadline.
   */
  sharedDeadline(
    operation: string,
    options: RequestOptions,
    defaultMs: number | undefined = this.context.settings.deadlineMs,
  ): RequestOptions {
    const read = copyOfCallOptions(options);
    // The first request reports options that aren't an object. A copy of them would be one.
    if (!read) return options;
    const { deadlineMs: timeoutMs = defaultMs } = read;
    if (timeoutMs === undefined) return read;
    const { clock } = this;
    let startedAt: number | undefined;
    return {
      ...read,
      get deadlineMs() {
        const now = clock.monotonic();
        startedAt ??= now;
        if (now === startedAt) return timeoutMs;
        const leftMs = Math.ceil(timeoutMs - now + startedAt);
        if (leftMs > 0) return leftMs;
        const phase = "retry_wait";
        throw new TimeoutError({ operation, attempts: 0, outcome: undefined, phase, timeoutMs, option: "deadlineMs" });
      },
    };
  }

  /** The result of a method whose arguments can't be meant. Nothing is sent. */
  #refused<E extends AnyEndpoint>(endpoint: E, input: EndpointInput<E>): Promise<never> | undefined {
    // As in send().
    const problem = argumentProblem(input as AnyInput);
    return problem === undefined ? undefined : Promise.reject(new ValidationError(endpoint.name, problem));
  }

  #readOptions({ name, takesEffect }: AnyEndpoint, given: ExecuteOptions): ExecuteOptions {
    const { options, problems } = readCallOptions(given, this.context.settings.fetch, takesEffect);
    if (problems.length > 0) throw new ValidationError(name, problems.join(" "));
    return options;
  }

  /** Invalid arguments reject, like any other failure. */
  readonly #send: ClientContext["send"] = (endpoint, input, given = NO_OPTIONS) => {
    try {
      // Most calls have none.
      const options = given === NO_OPTIONS ? given : this.#readOptions(endpoint, given);
      options.signal?.throwIfAborted();
      return new Call(endpoint, input, options, this.context).run();
    } catch (error) {
      return Promise.reject(error);
    }
  };
}

const CORE = Symbol("core");

/**
 * Keeps the core in an object of the client: as a function, because what prints or copies the object would show the
 * keys, and not in a private field, which a proxy of the object doesn't have.
 */
export function holdCore(object: object, core: Core): void {
  Object.defineProperty(object, CORE, { value: () => core, configurable: true });
}

/** The core of an object of the client. @throws {TypeError} if a method was called without its object. */
export function coreOf(object: object | undefined): Core {
  const core: unknown = object && Reflect.get(object, CORE);
  // Only holdCore() writes it.
  if (typeof core === "function") return core() as Core;
  throw new TypeError(
    "A method was called without its client, as after const { execute } = svc.tools, or on a copy of it. Call it as in svc.tools.execute(…).",
  );
}

/** A group of methods of the client. */
export class Resource {
  /** @internal */
  constructor(core: Core) {
    holdCore(this, core);
  }

  /** @internal An object that everything of one client shares. The core itself would show the keys. */
  get owner(): ClientOwner {
    return coreOf(this).context.settings.owner;
  }
}
