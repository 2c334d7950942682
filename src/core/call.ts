import type { RateLimit } from "../errors/api-error.js";
import { ContractMismatchError, describeMismatches, type Mismatch, ValidationError } from "../errors/local.js";
import { readRateLimit } from "./answer.js";
import { callOptionProblems } from "./checks.js";
import type { Clock } from "./clock.js";
import type { CredentialKind } from "./credentials.js";
import type { AnyEndpoint, AnyInput, InputOf, ResponseOf } from "./endpoint.js";
import { type ItemOf, type PagePromise, pagePromise } from "./list.js";
import type { RequestOptions, Settings } from "./options.js";
import { Pacer } from "./pacer.js";
import { redactor } from "./redact.js";
import { prepareRequest } from "./request.js";
import { type ApiPromise, apiPromise, type Meta, type WithResponse } from "./result.js";
import { RetryBudget } from "./retry.js";
import { run, type Shared } from "./run.js";
import { type TransferRequest, type Transferred, transfer } from "./transfer.js";

/** Sends calls for one client. Knows no resource. */
export class Core {
  readonly #settings: Settings;
  readonly #shared: Shared;
  readonly #reported = new Set<string>();

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#shared = {
      settings,
      pacer: new Pacer(settings.clock, settings.maxRetryWaitMs),
      budget: new RetryBudget(),
      redact: redactor(settings.credentials.values()),
    };
  }

  /** What the service last said about the rate window. */
  get rateLimit(): RateLimit | undefined {
    return this.#shared.pacer.rateLimit;
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
    const deadlineMs = options.deadlineMs ?? this.#settings.deadlineMs;
    if (deadlineMs === undefined) return () => options;
    let startedAt: number | undefined;
    return () => {
      const now = this.clock.monotonic();
      startedAt ??= now;
      return { ...options, deadlineMs: now === startedAt ? deadlineMs : Math.max(deadlineMs - (now - startedAt), 1) };
    };
  }

  /** Sends bytes to, or fetches them from, a signed address outside the service. No credential goes along. */
  transfer(request: TransferRequest, options: RequestOptions = {}): Promise<Transferred> {
    return transfer(request, options, this.#shared);
  }

  /** Sends a call and gives its data. */
  call<E extends AnyEndpoint>(endpoint: E, input: InputOf<E>, options: RequestOptions = {}): ApiPromise<ResponseOf<E>> {
    // `InputOf<E>` is `AnyInput` with the types of this endpoint; from here on they are not needed any more.
    return apiPromise(this.#send<ResponseOf<E>>(endpoint, input as AnyInput, options));
  }

  /** Sends a list call: a page when awaited, all items when iterated. */
  list<E extends AnyEndpoint>(
    endpoint: E,
    input: InputOf<E>,
    options: RequestOptions = {},
  ): PagePromise<ResponseOf<E>, ItemOf<ResponseOf<E>>> {
    // As above.
    return pagePromise(endpoint, input as AnyInput, (page) => this.#send<ResponseOf<E>>(endpoint, page, options));
  }

  async #send<Data>(endpoint: AnyEndpoint, input: AnyInput, options: RequestOptions): Promise<WithResponse<Data>> {
    const problems = callOptionProblems(options);
    if (problems.length > 0) throw new ValidationError(endpoint.name, problems.join(" "));
    options.signal?.throwIfAborted();
    const request = prepareRequest(endpoint, input, options, this.#settings);
    const { data, answer, attempts, repeated } = await run(endpoint, request, options, this.#shared);
    const mismatches = this.#settings.contract?.check(endpoint.name, "response", data) ?? [];
    const meta: Meta = Object.freeze({
      operation: endpoint.name,
      status: answer.status,
      requestId: answer.headers.get("x-request-id") ?? undefined,
      attempts,
      rateLimit: readRateLimit(answer.headers),
      headers: answer.headers,
      repeated,
      mismatches,
    });
    if (mismatches.length > 0) this.#report(endpoint.name, mismatches);
    // The endpoint states what the service answers, and the contract, where the user gave one, has just compared it.
    return { data: data as Data, meta };
  }

  #report(operation: string, mismatches: readonly Mismatch[]): void {
    const { onMismatch } = this.#settings;
    if (onMismatch === "throw") throw new ContractMismatchError(operation, mismatches);
    if (onMismatch !== "report") {
      try {
        onMismatch({ operation, mismatches });
      } catch (error) {
        // As with `onResponse`: the call has acted, and an observer's own fault does not make it a failure.
        console.error("svc-sdk: onMismatch threw", error);
      }
      return;
    }
    const fresh = mismatches.filter(({ path }) => !this.#reported.has(`${operation} ${path}`));
    for (const { path } of fresh) this.#reported.add(`${operation} ${path}`);
    if (fresh.length > 0)
      console.warn(`svc-sdk: ${operation}: the answer does not fit the contract: ${describeMismatches(fresh)}`);
  }
}
