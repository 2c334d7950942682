import pRetry from "p-retry";
import type { Outcome } from "../../errors/base.js";
import { type CallFacts, type Phase, TimeoutError } from "../../errors/connection.js";
import type { Mismatch } from "../../errors/local.js";
import type { AnyEndpoint, AnyInput } from "../endpoint.js";
import type { Happening, SvcEvent } from "../events.js";
import type { CallContext } from "../middleware.js";
import type { Settings } from "../options/options.js";
import type { RequestOptions } from "../options/request-options.js";
import type { Pacer } from "../pacing/pacer.js";
import type { Told } from "../pacing/rate-window.js";
import type { WithResponse } from "../promises.js";
import { alsoHiding, type Redact, secretsIn } from "../redact.js";
import { attempt } from "./attempt.js";
import { toBlockedError, toConnectionError, toStatusError } from "./errors.js";
import { AttemptFailure, CallBlocked, CallEnded } from "./failure.js";
import { Observation } from "./observation.js";
import { type PreparedRequest, prepareRequest } from "./request.js";
import { type Limit, limitOf, NO_LIMIT, outcomeOf, type Received, readData } from "./response.js";
import { type RetryBudget, retryDelay } from "./retry.js";
import { type Versions, withToolVersion } from "./versions.js";

/** What all calls of one client share. */
export interface Shared {
  readonly settings: Settings;
  readonly pacer: Pacer;
  readonly redact: Redact;
  /** Sends another call with the same client. */
  readonly send: CallContext["send"];
}

const NO_MISMATCHES: readonly Mismatch[] = Object.freeze([]);

/** p-retry's own defaults, except for the wait. Left to p-retry, they are added one by one, which costs 2 KB per call. */
const DEFAULTS = {
  factor: 2,
  // The wait begins the next attempt instead: there it counts toward the deadline, and an abort ends it.
  minTimeout: 0,
  maxTimeout: Number.POSITIVE_INFINITY,
  maxRetryTime: Number.POSITIVE_INFINITY,
  randomize: false,
  onFailedAttempt: () => undefined,
  shouldConsumeRetry: () => true,
};

/** Calls are numbered over all clients, so that one listener can serve several. */
let calls = 0;

/** The story of one call: its limits, its turns, its attempts and waits, and how it ends. */
export class Call implements CallContext {
  readonly callId: number;
  readonly endpoint: AnyEndpoint;
  readonly options: RequestOptions;
  readonly settings: Settings;
  readonly redact: Redact;
  readonly send: CallContext["send"];
  readonly timeoutMs: number;
  retryBudget: Pick<RetryBudget, "spend" | "earn">;
  /** Aborts with a {@link CallEnded}. `undefined` if nothing can end the call early: most calls, and a signal is costly. */
  signal: AbortSignal | undefined;
  /** How many requests were sent or tried. */
  attempts = 0;
  /** What the last attempt says about the effect. */
  protected outcome: Outcome = "not_sent";
  /** Whether an earlier attempt may have acted. A later one that provably didn't takes nothing back. */
  protected mayHaveRun = false;
  #input: AnyInput;
  #versions: Versions;
  #sent: AnyInput | undefined;
  /** Where the call is between its attempts. */
  #phase: Phase = "queue";
  /** How long to wait before the next attempt, in milliseconds. */
  #delayMs = 0;
  readonly #pacer: Pacer | undefined;
  readonly #deadlineMs: number | undefined;
  readonly #startedAt: number;
  #observation: Observation | undefined;

  constructor(endpoint: AnyEndpoint, input: AnyInput, options: RequestOptions, shared: Shared) {
    const { settings, pacer, redact, send } = shared;
    calls += 1;
    this.callId = calls;
    this.endpoint = endpoint;
    this.options = options;
    this.settings = settings;
    this.redact = options.headers ? alsoHiding(redact, secretsIn(options.headers)) : redact;
    this.send = send;
    this.timeoutMs = options.timeoutMs ?? settings.timeoutMs;
    this.retryBudget = settings.retryBudget;
    this.#input = input;
    this.#versions = settings;
    this.#deadlineMs = options.deadlineMs ?? settings.deadlineMs;
    this.#startedAt = settings.clock.monotonic();
    // Only authenticated calls share the rate limit: to revoke a key that leaked, nobody waits. Spec: Limits.
    this.#pacer = endpoint.auth.length > 0 ? pacer : undefined;
  }

  get input(): AnyInput {
    return this.#input;
  }

  set input(input: AnyInput) {
    this.#input = input;
    this.#sent = undefined;
  }

  get versions(): Versions {
    return this.#versions;
  }

  set versions(versions: Versions) {
    this.#versions = versions;
    this.#sent = undefined;
  }

  get sent(): AnyInput {
    this.#sent ??= withToolVersion(this.endpoint, this.#input, this.#versions);
    return this.#sent;
  }

  /**
   * Runs the call to its end.
   *
   * @throws a typed error, or the caller's own abort reason, untouched.
   */
  async run(): Promise<WithResponse<unknown>> {
    const { signal } = this.options;
    const deadlineMs = this.#deadlineMs;
    const controller = signal || deadlineMs !== undefined ? new AbortController() : undefined;
    this.signal = controller?.signal;
    const onAbort = () => controller?.abort(new CallEnded("caller"));
    signal?.addEventListener("abort", onAbort);
    const timer =
      deadlineMs === undefined ? undefined : setTimeout(() => controller?.abort(new CallEnded("deadline")), deadlineMs);
    let failed: { readonly error: unknown; readonly isAborted: boolean } | undefined;
    try {
      return await (this.settings.use.length === 0 ? this.#exchange() : this.#pass(0));
    } catch (thrown) {
      const error = this.#reasonOf(thrown);
      failed = { error, isAborted: thrown instanceof CallEnded && thrown.by === "caller" };
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      this.#observation?.ended(failed, this.facts());
    }
  }

  /** Passes the call through the middleware, the first outermost, and then sends it. */
  async #pass(index: number): Promise<WithResponse<unknown>> {
    const middleware = this.settings.use[index];
    if (!middleware) return this.#exchange();
    let isPassed = false;
    const result = await middleware(this, async () => {
      if (isPassed) throw new TypeError("next() was called twice: a call that may have run is never sent again.");
      isPassed = true;
      return this.#pass(index + 1);
    });
    // A program without types may forget to return it.
    if (result?.meta) return result;
    throw new TypeError(`${this.endpoint.name}: a piece of use returned no result. Return what next() resolves with.`);
  }

  /** Sends the call's request until it is answered for good. */
  #exchange(): Promise<WithResponse<unknown>> {
    const request = this.prepare();
    this.#observation?.begin(request, this.#startedAt);
    return pRetry(() => this.#attempt(request), {
      ...DEFAULTS,
      retries: this.options.maxRetries ?? this.settings.maxRetries,
      shouldRetry: ({ error, retriesConsumed }) => this.#shouldRetry(error, retriesConsumed),
    });
  }

  /** Waits, takes a turn, sends the request, and reads what it brought. */
  async #attempt(request: PreparedRequest): Promise<WithResponse<unknown>> {
    const { signal, options } = this;
    const pacer = this.#pacer;
    this.mayHaveRun ||= this.outcome === "unknown";
    if (this.#delayMs > 0) await this.settings.clock.sleep(this.#delayMs, signal);
    this.#phase = "queue";
    signal?.throwIfAborted();
    const turn = pacer && (pacer.takeNow(options.priority) ?? (await pacer.take(options.priority, this)));
    let result: Received | AttemptFailure;
    let limit = NO_LIMIT;
    let told: Told | undefined;
    try {
      // It may have aborted while the turn was on its way here, and says so only once.
      signal?.throwIfAborted();
      result = await attempt(request, this);
      if (!(result instanceof AttemptFailure)) {
        const { status, rateLimit, askedMs } = result;
        if (status === 429) limit = limitOf(result);
        told = { rateLimit, isServed: status >= 200 && status < 300, isRefused: limit.isThrottled, askedMs };
      }
    } finally {
      if (turn) pacer?.done(turn, told);
    }
    this.#phase = "retry_wait";
    this.#observation?.attempted(result);
    if (!(result instanceof AttemptFailure)) return this.conclude(request, result, limit);
    this.outcome = result.isUnsent ? "not_sent" : "unknown";
    if (result.kind === "caller" || result.kind === "deadline") {
      this.#phase = result.phase;
      throw new CallEnded(result.kind);
    }
    throw toConnectionError(result, request.url, this);
  }

  /** Whether a failed attempt is followed by another. */
  #shouldRetry(error: unknown, retries: number): boolean {
    const { clock, maxRetryWaitMs } = this.settings;
    const { repeat } = this.endpoint;
    const policy = { repeat, retries, maxRetryWaitMs, budget: this.retryBudget, clock, timeLeftMs: this.timeLeft() };
    const delayMs = retryDelay(error, policy);
    if (delayMs === undefined) return false;
    this.#delayMs = delayMs;
    this.#observation?.retrying(error, delayMs);
    return true;
  }

  /** What is sent, built once for all attempts. */
  protected prepare(): PreparedRequest {
    return prepareRequest(this.endpoint, this.sent, this.options, this.settings);
  }

  /** The result of a response. Throws its typed error if it says that the call failed. */
  protected conclude({ params }: PreparedRequest, received: Received, limit: Limit): WithResponse<unknown> {
    const { endpoint } = this;
    const { status } = received;
    this.outcome = status < 300 ? "unknown" : outcomeOf(received, limit);
    if (status < 400) return this.result(readData(endpoint, received, this), received, false);
    const { alreadyDone } = endpoint;
    if (this.mayHaveRun && alreadyDone?.statuses.includes(status)) {
      return this.result(alreadyDone.data(params), received, true);
    }
    throw toStatusError(received, limit, endpoint.path, this);
  }

  /** The result of a call that succeeded. */
  protected result(data: unknown, { status, headers, rateLimit }: Received, repeated: boolean): WithResponse<unknown> {
    const { name: operation } = this.endpoint;
    const requestId = headers.get("x-request-id") ?? undefined;
    const { attempts } = this;
    const meta = { operation, status, requestId, attempts, rateLimit, headers, repeated, mismatches: NO_MISMATCHES };
    this.retryBudget.earn();
    return { data, meta: Object.freeze(meta) };
  }

  /** What every error of the call carries. */
  facts(): CallFacts {
    const { name: operation, repeat } = this.endpoint;
    return { operation, attempts: this.attempts, outcome: repeat === "effect" ? this.outcome : undefined };
  }

  /** Milliseconds until the deadline; infinite without one. */
  timeLeft(): number {
    if (this.#deadlineMs === undefined) return Number.POSITIVE_INFINITY;
    return this.#startedAt + this.#deadlineMs - this.settings.clock.monotonic();
  }

  /** What the caller gets to see of a call that was ended or blocked. */
  #reasonOf(error: unknown): unknown {
    const timeoutMs = this.#deadlineMs ?? this.timeoutMs;
    if (error instanceof CallBlocked) return toBlockedError(error, timeoutMs, this.settings.clock.now(), this.facts());
    if (!(error instanceof CallEnded)) return error;
    if (error.by === "caller") return this.options.signal?.reason;
    return new TimeoutError({ ...this.facts(), phase: this.#phase, timeoutMs, bound: "deadlineMs" });
  }

  on(listener: (event: SvcEvent) => void): void {
    this.#observation ??= new Observation(this);
    this.#observation.on(listener);
  }

  emit(happening: Happening): boolean {
    this.#observation?.emit(happening);
    return this.#observation !== undefined;
  }

  /** The call has to wait for its turn. */
  onWait(expectedMs: number | undefined): void {
    this.emit({ type: "wait", expectedMs });
  }

  /** The attempt is about to send its request. */
  onSend(): void {
    this.attempts += 1;
    this.#observation?.sent();
  }
}
