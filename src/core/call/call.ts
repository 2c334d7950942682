import pRetry from "p-retry";
import type { Outcome } from "../../errors/base.js";
import { type CallInfo, type Phase, TimeoutError } from "../../errors/connection.js";
import type { AnyEndpoint, AnyInput } from "../endpoint.js";
import type { Happening, SvcEvent } from "../events.js";
import { type CallContext, passOn } from "../middleware.js";
import type { Settings } from "../options/options.js";
import type { RequestOptions } from "../options/request-options.js";
import type { Pacer } from "../pacing/pacer.js";
import type { Told } from "../pacing/rate-window.js";
import { resultOf, type WithResponse } from "../promises.js";
import { alsoHiding, type Redact, secretsIn } from "../redact.js";
import { attempt } from "./attempt.js";
import { toBlockedError, toConnectionError, toStatusError } from "./errors.js";
import { AttemptFailure, CallBlocked, CallEnded } from "./failure.js";
import { Observation } from "./observation.js";
import { type PreparedRequest, prepareRequest } from "./request.js";
import { type Limit, limitOf, NO_LIMIT, outcomeOf, type Received, readData, reportOf } from "./response.js";
import { RETRY_DEFAULTS, type RetryBudget, retryDelay } from "./retry.js";
import { type Versions, withToolVersion } from "./versions.js";

/** What all calls of one client share. */
export interface Shared {
  readonly settings: Settings;
  readonly pacer: Pacer;
  readonly redact: Redact;
  readonly send: CallContext["send"];
}

/** Calls are numbered over all clients, so that one listener can serve several. */
let calls = 0;

/** The story of one call: its limits, its turns, its attempts and waits, and how it ends. */
export class Call implements CallContext {
  readonly callId: number;
  readonly endpoint: AnyEndpoint;
  input: AnyInput;
  versions: Versions;
  readonly options: RequestOptions;
  readonly settings: Settings;
  readonly redact: Redact;
  readonly send: CallContext["send"];
  /** Where the request goes: scheme, host and port. */
  readonly origin: string;
  readonly timeoutMs: number;
  retryBudget: Pick<RetryBudget, "spend" | "earn">;
  /** Aborts with a {@link CallEnded}. `undefined` if nothing can end the call early: most calls, and a signal is costly. */
  signal: AbortSignal | undefined;
  /** What is sent, if that isn't a request to the service. */
  protected prepared: PreparedRequest | undefined;
  /** How many requests were sent or tried. */
  attempts = 0;
  /** What the last attempt says about the effect. */
  protected outcome: Outcome = "not_sent";
  /** Whether an earlier attempt may have acted. A later one that provably didn't takes nothing back. */
  protected mayHaveRun = false;
  /** Where the call is between its attempts. */
  #phase: Phase = "queue";
  /** How long to wait before the next attempt, in milliseconds. */
  #delayMs = 0;
  readonly #pacer: Pacer | undefined;
  readonly #deadlineMs: number | undefined;
  readonly startedAt: number;
  /** Whether the caller has the result. Nothing is sent anymore. */
  #isOver = false;
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
    this.origin = settings.origin;
    this.timeoutMs = options.timeoutMs ?? settings.timeoutMs;
    this.retryBudget = settings.retryBudget;
    this.input = input;
    this.versions = settings;
    this.#deadlineMs = options.deadlineMs ?? settings.deadlineMs;
    this.startedAt = settings.clock.monotonic();
    // Only authenticated calls share the rate limit: to revoke a key that leaked, nobody waits. Spec: Limits.
    this.#pacer = endpoint.auth.length > 0 ? pacer : undefined;
  }

  get sent(): AnyInput {
    return withToolVersion(this.endpoint, this.input, this.versions);
  }

  /** Runs the call to its end. Rejects with a typed error, or with the caller's own abort reason, untouched. */
  async run(): Promise<WithResponse<unknown>> {
    const { signal } = this.options;
    const deadlineMs = this.#deadlineMs;
    const controller = signal || deadlineMs !== undefined ? new AbortController() : undefined;
    this.signal = controller?.signal;
    const onAbort = () => controller?.abort(new CallEnded("caller"));
    signal?.addEventListener("abort", onAbort);
    const timer =
      deadlineMs === undefined ? undefined : setTimeout(() => controller?.abort(new CallEnded("deadline")), deadlineMs);
    const { use } = this.settings;
    const reasonOf = (thrown: unknown) => this.#reasonOf(thrown);
    let failed: { readonly error: unknown; readonly isAborted: boolean } | undefined;
    try {
      return await (use.length === 0 ? this.#exchange() : passOn(this, use, () => this.#exchange(), reasonOf));
    } catch (thrown) {
      const error = reasonOf(thrown);
      failed = { error, isAborted: signal?.aborted === true && error === signal.reason };
      throw error;
    } finally {
      this.#isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      this.#observation?.ended(failed, this.facts());
    }
  }

  /** Sends the call's request until it is answered for good. */
  #exchange(): Promise<WithResponse<unknown>> {
    this.#checkIsOpen();
    const request = this.prepared ?? prepareRequest(this.endpoint, this.sent, this.options, this.settings);
    this.#observation?.begin();
    return pRetry(() => this.#attempt(request), {
      ...RETRY_DEFAULTS,
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
    this.#checkIsOpen();
    const turn = pacer && (pacer.takeNow(options.priority) ?? (await pacer.take(options.priority, this)));
    let result: Received | AttemptFailure;
    let limit = NO_LIMIT;
    let told: Told | undefined;
    try {
      // It may have ended while the turn was on its way here, and says so only once.
      this.#checkIsOpen();
      result = await attempt(request, this);
      if (!(result instanceof AttemptFailure)) {
        if (result.status === 429) limit = limitOf(result);
        told = reportOf(result, limit);
      }
    } finally {
      if (turn) pacer?.done(turn, told);
    }
    this.#phase = "retry_wait";
    this.#observation?.attempted(result);
    if (!(result instanceof AttemptFailure)) {
      const concluded = this.conclude(request, result, limit);
      this.retryBudget.earn();
      return concluded;
    }
    this.outcome = result.isUnsent ? "not_sent" : "unknown";
    if (result.kind === "caller" || result.kind === "deadline") {
      this.#phase = result.phase;
      throw new CallEnded(result.kind);
    }
    throw toConnectionError(result, request.url, this);
  }

  /** Ends what a piece left running, or began, after the call had ended: the caller was told that it's over. */
  #checkIsOpen(): void {
    this.signal?.throwIfAborted();
    if (this.#isOver) throw new TypeError("The call has ended: next() must be called, and awaited, before that.");
  }

  /** Whether a failed attempt is followed by another. */
  #shouldRetry(error: unknown, retries: number): boolean {
    if (this.#isOver) return false;
    const delayMs = retryDelay(error, retries, this);
    if (delayMs === undefined) return false;
    this.#delayMs = delayMs;
    this.#observation?.retrying(error, delayMs);
    return true;
  }

  /** The result of a response. Throws its typed error if it says that the call failed. */
  protected conclude({ params }: PreparedRequest, received: Received, limit: Limit): WithResponse<unknown> {
    const { endpoint } = this;
    const { status } = received;
    this.outcome = status < 300 ? "unknown" : outcomeOf(received, limit);
    if (status < 400) return resultOf(this, readData(endpoint, received, this), received, false);
    const { alreadyApplied } = endpoint;
    if (this.mayHaveRun && alreadyApplied?.statuses.includes(status)) {
      return resultOf(this, alreadyApplied.data(params), received, true);
    }
    throw toStatusError(received, limit, endpoint.path, this);
  }

  /** What every error of the call carries. */
  facts(): CallInfo {
    const { name: operation, retry } = this.endpoint;
    return { operation, attempts: this.attempts, outcome: retry === "effect" ? this.outcome : undefined };
  }

  /** Milliseconds until the deadline; infinite without one. */
  timeLeft(): number {
    if (this.#deadlineMs === undefined) return Number.POSITIVE_INFINITY;
    return this.startedAt + this.#deadlineMs - this.settings.clock.monotonic();
  }

  /** What the caller, and each piece, gets to see of a call that was ended or blocked. */
  #reasonOf(reason: unknown): unknown {
    if (!(reason instanceof CallEnded || reason instanceof CallBlocked)) return reason;
    if (reason.by === "caller") return this.options.signal?.reason;
    const timeoutMs = this.#deadlineMs ?? this.timeoutMs;
    if (reason instanceof CallBlocked) return toBlockedError(reason, timeoutMs, this);
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

  onSend(): void {
    this.attempts += 1;
    this.#observation?.sent();
  }
}
