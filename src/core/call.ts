import { ContractMismatchError, type Mismatch, ValidationError } from "../errors/local.js";
import { ArgumentCheck } from "./argument-check.js";
import { callBack } from "./callback.js";
import { callOptionProblems, NO_OPTIONS, queryProblem } from "./checks.js";
import type { Clock } from "./clock.js";
import type { CredentialKind } from "./credentials.js";
import { tellDeprecatedInputs } from "./deprecations.js";
import type { AnyEndpoint, AnyInput, InputOf, ResponseOf } from "./endpoint.js";
import { type Done, exchange } from "./exchange.js";
import { type ItemOf, type PagePromise, pagePromise } from "./list.js";
import { Observer, type Tell } from "./observer.js";
import { OpenCall, type Shared } from "./open-call.js";
import type { RequestOptions, Settings } from "./options.js";
import { Pacer, type RateLimitState } from "./pacer.js";
import { redactor, secretsIn } from "./redact.js";
import { prepareRequest } from "./request.js";
import { type ApiPromise, apiPromise, type Meta, type WithResponse } from "./result.js";
import { type TransferRequest, type Transferred, transfer } from "./transfer.js";
import { withToolVersion } from "./versions.js";

const NO_MISMATCHES: readonly Mismatch[] = Object.freeze([]);

/** Sends calls for one client. Knows no resource. */
export class Core {
  readonly #settings: Settings;
  readonly #shared: Shared;
  readonly #arguments: ArgumentCheck | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#shared = {
      settings,
      pacer: new Pacer({
        clock: settings.clock,
        maxWaitMs: settings.maxRetryWaitMs,
        store: settings.rateWindow,
        report: (problem) => settings.log.line("warn", problem),
      }),
      observer: new Observer(settings),
      redact: redactor([...settings.credentials.values(), ...secretsIn(settings.headers)]),
    };
    const { validateArguments, log } = settings;
    this.#arguments =
      validateArguments &&
      new ArgumentCheck(
        validateArguments,
        log,
        async (endpoint, input, options) => (await this.#send(endpoint, input, options)).data,
      );
  }

  /** How the client stands with the rate window. */
  get rateLimit(): RateLimitState {
    return this.#shared.pacer.state;
  }

  /** The client's time, for what waits between calls. */
  get clock(): Clock {
    return this.#settings.clock;
  }

  /** A credential of the client, for what must be handed to another program. */
  credential(kind: CredentialKind): string | undefined {
    return this.#settings.credentials.get(kind);
  }

  /**
   * Options for the requests of a method that sends several: each gets what is left of one deadline. The first gets the
   * caller's own value, so that a wrong one is refused in the caller's words.
   */
  sharedDeadline(options: RequestOptions): () => RequestOptions {
    // What is wrong with the options, null among it, is said by the first request.
    const deadlineMs = options?.deadlineMs ?? this.#settings.deadlineMs;
    if (deadlineMs === undefined) return () => options;
    let startedAt: number | undefined;
    return () => {
      const now = this.clock.monotonic();
      startedAt ??= now;
      return { ...options, deadlineMs: now === startedAt ? deadlineMs : Math.max(deadlineMs - (now - startedAt), 1) };
    };
  }

  /** Sends bytes to, or fetches them from, a signed address outside the service. No credential goes along. */
  transfer(request: TransferRequest, options: RequestOptions = NO_OPTIONS): Promise<Transferred> {
    return transfer(request, options, this.#shared);
  }

  /** Sends a call and gives its data. */
  call<E extends AnyEndpoint>(
    endpoint: E,
    input: InputOf<E>,
    options: RequestOptions = NO_OPTIONS,
  ): ApiPromise<ResponseOf<E>> {
    // `InputOf<E>` is `AnyInput` with the types of this endpoint; from here on they are not needed any more.
    return apiPromise(this.#send<ResponseOf<E>>(endpoint, input as AnyInput, options));
  }

  /** Sends a list call: a page when awaited, all items when iterated. */
  list<E extends AnyEndpoint>(
    endpoint: E,
    input: InputOf<E>,
    options: RequestOptions = NO_OPTIONS,
  ): PagePromise<ResponseOf<E>, ItemOf<ResponseOf<E>>> {
    // As above.
    return pagePromise(endpoint, input as AnyInput, (page) => this.#send<ResponseOf<E>>(endpoint, page, options));
  }

  #send<Data>(endpoint: AnyEndpoint, input: AnyInput, options: RequestOptions): Promise<WithResponse<Data>> {
    try {
      return this.#begin(endpoint, input, options);
    } catch (error) {
      // Wrong arguments are a rejection like all else that can go wrong.
      return Promise.reject(error);
    }
  }

  #begin<Data>(endpoint: AnyEndpoint, input: AnyInput, options: RequestOptions): Promise<WithResponse<Data>> {
    const problem = callOptionProblems(options).join(" ") || queryProblem(input);
    if (problem) throw new ValidationError(endpoint.name, problem);
    options.signal?.throwIfAborted();
    const sent = withToolVersion(endpoint, input, this.#settings);
    const request = prepareRequest(endpoint, sent, options, this.#settings);
    const call = new OpenCall(endpoint, options, this.#shared);
    const { method, origin, path, tool } = request;
    call.trace?.({ type: "request", method, origin, path, tool });
    return call.run(async () => {
      tellDeprecatedInputs(endpoint, input, call.tell);
      if (this.#arguments) await this.#arguments.check(endpoint, sent, options, call.signal);
      return this.#result<Data>(endpoint, await exchange(endpoint, request, call, options, this.#shared), call.tell);
    });
  }

  #result<Data>(endpoint: AnyEndpoint, done: Done, tell: Tell): WithResponse<Data> & { readonly status: number } {
    const { data, answer, attempts, repeated } = done;
    const { status, headers, rateLimit } = answer;
    const { name: operation } = endpoint;
    const mismatches = this.#mismatchesOf(operation, data, tell);
    const requestId = headers.get("x-request-id") ?? undefined;
    const meta: Meta = { operation, status, requestId, attempts, rateLimit, headers, repeated, mismatches };
    // The endpoint states what the service answers, and the contract, where the user gave one, has just compared it.
    return { data: data as Data, meta: Object.freeze(meta), status };
  }

  #mismatchesOf(operation: string, data: unknown, tell: Tell): readonly Mismatch[] {
    const { contract, onMismatch, log } = this.#settings;
    const found = contract?.check(operation, "response", data) ?? NO_MISMATCHES;
    if (found.length === 0) return NO_MISMATCHES;
    const mismatches = Object.freeze([...found]);
    tell({ type: "drift", mismatches });
    if (onMismatch === "throw") throw new ContractMismatchError(operation, mismatches);
    if (onMismatch !== "report") {
      callBack(
        () => onMismatch({ operation, mismatches }),
        (error) => log.line("error", "onMismatch threw", error),
      );
    }
    return mismatches;
  }
}
