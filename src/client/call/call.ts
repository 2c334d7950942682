// The room of a call's steps: request, attempts, errors, retries. It imports `options` and `pacing`, and the files
// beside them. Start here, then `request.ts` and `attempt.ts`.

import pRetry from "p-retry";
import { type CallOutcome, startingAt } from "../../errors/base.js";
import type { CallInfo, CallPhase } from "../../errors/connection.js";
import { alsoHiding, type Redact, secretsIn } from "../../shared/redact.js";
import { resultOf, type WithResponse } from "../api-promise.js";
import type { AttemptFailure } from "../attempt-failure.js";
import type { ClientContext } from "../client-context.js";
import type { AnyEndpoint, AnyInput, RetryClass } from "../endpoint.js";
import { rememberLostCall, type SentExecution } from "../lost-calls.js";
import { type CallObserver, type Happening, type Observed, passOn } from "../middleware.js";
import type { Settings } from "../options/settings.js";
import type { Pacer, Slot } from "../pacing/pacer.js";
import { isFromService, Received, readData } from "../received-response.js";
import type { ExecuteOptions, RequestOptions } from "../request-options.js";
import { CallEnded, limitCall } from "../running-call.js";
import { attempt, type ForeignRequest, type Outgoing } from "./attempt.js";
import { type BeforeSend, BeforeSendFailed, runBeforeSend } from "./before-send.js";
import { toAttemptError, toEndedError, toStatusError } from "./errors.js";
import { prepareRequest, readInput, sentExecution } from "./request.js";
import { RETRY_DEFAULTS, takeRetry } from "./retry.js";

/** Calls are numbered across all clients, so that one listener can serve several. */
let calls = 0;

/** One call: its limits, slots, attempts, waits and result. */
export class Call implements Observed {
  readonly callNumber: number;
  readonly endpoint: AnyEndpoint;
  input: AnyInput;
  versions: Observed["versions"];
  retry: RetryClass;
  readonly options: RequestOptions;
  readonly settings: Settings;
  readonly redact: Redact;
  readonly send: Observed["send"];
  readonly origin: string;
  /** Private, so that a middleware that prints its call prints neither the URL nor the file. */
  readonly #foreign: ForeignRequest | undefined;
  readonly timeoutMs: number;
  retryBudget: Observed["retryBudget"];
  /** Only if something can end the call early: a signal is costly. */
  signal: AbortSignal | undefined;
  attempts = 0;
  /** Outcome of the last attempt. */
  #outcome: CallOutcome = "not_sent";
  /** Whether an earlier attempt may have acted. A later one that provably didn't act doesn't change that. */
  #mayHaveRun = false;
  #phase: CallPhase = "middleware";
  #beforeSend: BeforeSend | undefined;
  readonly #pacer: Pacer | undefined;
  /** Infinite without a deadline. */
  readonly #deadlineMs: number;
  readonly startedAt: number;
  /** Whether the caller has the result. Nothing is sent anymore. */
  #isOver = false;
  #observer: CallObserver | undefined;
  /** Kept, because a middleware may change the input while the call runs. */
  #sentExecution: SentExecution | undefined;

  constructor(
    endpoint: AnyEndpoint,
    input: AnyInput,
    options: ExecuteOptions,
    context: ClientContext,
    foreign?: ForeignRequest,
  ) {
    const { settings, pacer, redact, send } = context;
    calls += 1;
    this.callNumber = calls;
    this.endpoint = endpoint;
    // Only the rest may be passed to another call, as a middleware does.
    const { beforeSend, effect, ...shared } = options;
    this.options = shared;
    this.#beforeSend = beforeSend;
    this.settings = settings;
    this.redact = options.headers ? alsoHiding(redact, secretsIn(options.headers)) : redact;
    this.send = send;
    this.#foreign = foreign;
    this.origin = foreign?.origin ?? settings.origin;
    this.timeoutMs = options.timeoutMs ?? settings.timeoutMs;
    this.retryBudget = settings.retryBudget;
    this.input = input;
    this.versions = settings;
    this.retry = effect === "none" ? "safe" : endpoint.retry;
    this.#deadlineMs = options.deadlineMs ?? settings.deadlineMs ?? Number.POSITIVE_INFINITY;
    this.startedAt = settings.clock.monotonic();
    // Only authenticated calls share the rate limit: revoking a leaked key never waits. Spec: Limits.
    this.#pacer = endpoint.auth.length > 0 ? pacer : undefined;
  }

  get sent(): AnyInput {
    return readInput(this.endpoint, this.input, this.versions);
  }

  /** Runs the call to its end. Rejects with a typed error, or with the caller's own abort reason, unchanged. */
  async run(): Promise<WithResponse<unknown>> {
    const { signal } = this.options;
    const limits = signal || Number.isFinite(this.#deadlineMs) ? limitCall(signal, this.#deadlineMs) : undefined;
    this.signal = limits?.signal;
    const { use } = this.settings;
    let failed: { readonly error: unknown } | undefined;
    try {
      if (use.length === 0) return await this.#exchange();
      const reasonOf = (thrown: unknown) => this.#reasonOf(thrown);
      return await passOn(this, use, () => this.#exchange(), reasonOf);
    } catch (thrown) {
      failed = { error: this.#reasonOf(thrown) };
      if (this.attempts > 0) rememberLostCall(failed.error, this, this.#sentExecution);
      throw failed.error;
    } finally {
      this.#isOver = true;
      limits?.lift();
      this.#observer?.ended(failed);
    }
  }

  /** Builds the request, which every attempt sends, and sends it until it gets a final response. */
  #exchange(): Promise<WithResponse<unknown>> {
    this.#checkIsOpen();
    let request: Outgoing;
    try {
      const input = this.sent;
      request = this.#foreign?.request ?? prepareRequest(this.endpoint, input, this.options, this.settings);
      this.#sentExecution = sentExecution(this, input, request);
    } catch (error) {
      // Its stack starts at the program's call, not inside of the client.
      throw startingAt(this.send, error);
    }
    this.#observer?.begin();
    let delayMs: number | undefined;
    return pRetry(() => this.#attempt(request, delayMs), {
      ...RETRY_DEFAULTS,
      retries: this.options.maxRetries ?? this.settings.maxRetries,
      shouldRetry: ({ error, retriesConsumed }) => {
        delayMs = this.#isOver ? undefined : takeRetry(error, retriesConsumed, this);
        if (delayMs !== undefined) this.#observer?.retrying(error, delayMs);
        return delayMs !== undefined;
      },
    });
  }

  /** Waits before a retry, takes a slot of the rate limit, sends the request in it, and returns the result. */
  async #attempt(request: Outgoing, delayMs: number | undefined): Promise<WithResponse<unknown>> {
    if (delayMs !== undefined) {
      this.#mayHaveRun ||= this.#outcome === "unknown";
      this.#phase = "retry_wait";
      await this.settings.clock.sleep(delayMs, this.signal);
    }
    let ended: Received | AttemptFailure | undefined;
    while (!ended) {
      this.#phase = "queue";
      this.#checkIsOpen();
      const slot = this.#pacer && (this.#pacer.takeNow() ?? (await this.#pacer.take(this.options.priority, this)));
      try {
        const isCurrent = !this.#beforeSend || (await this.#tellProgram(this.#beforeSend, request, slot));
        // It may have ended just before the slot was granted, and the signal fires only once.
        this.#checkIsOpen();
        if (isCurrent) ended = await attempt(request, this);
      } finally {
        if (slot) this.#pacer?.done(slot, ended instanceof Received ? ended : undefined);
      }
    }
    this.#phase = "middleware";
    this.#observer?.attempted(ended);
    if (ended instanceof Received) return this.#conclude(ended);
    this.#outcome = ended.isUnsent ? "not_sent" : "unknown";
    if (ended.kind === "deadline") this.#phase = ended.phase;
    throw await toAttemptError(ended, request.url, this);
  }

  /** Calls `beforeSend`. Returns whether its slot can be used: a 429 or a new window may have come meanwhile. */
  async #tellProgram(beforeSend: BeforeSend, request: Outgoing, slot: Slot | undefined): Promise<boolean> {
    this.#beforeSend = undefined;
    this.#phase = "middleware";
    await runBeforeSend(beforeSend, this.signal, request, slot);
    return !slot || this.#pacer?.isCurrent(slot) === true;
  }

  /** Stops what a middleware left running, or started, after the call ended: the caller has its result. */
  #checkIsOpen(): void {
    this.signal?.throwIfAborted();
    if (this.#isOver) throw new TypeError("The call has ended: next() must be called, and awaited, before that.");
  }

  /** Returns the result of a response, or throws its typed error if the call failed. */
  #conclude(received: Received): WithResponse<unknown> {
    const { status } = received;
    const { alreadyApplied, path } = this.endpoint;
    const isApplied = this.#mayHaveRun && alreadyApplied?.statuses.includes(status) === true && isFromService(received);
    // A success whose data can't be read may have run.
    this.#outcome = status < 300 ? "unknown" : received.outcome;
    let data: unknown;
    if (this.#foreign) data = this.#foreign.read(received, this);
    else if (status < 400) data = readData(received, this);
    else if (isApplied) data = alreadyApplied?.data(this.#sentExecution?.params ?? {});
    else throw toStatusError(received, path, this);
    this.retryBudget.earn();
    return resultOf(this, data, received, isApplied);
  }

  facts(): CallInfo {
    const outcome = this.retry === "effect" ? this.#outcome : undefined;
    return { operation: this.endpoint.name, attempts: this.attempts, outcome };
  }

  timeLeft(): number {
    return this.startedAt + this.#deadlineMs - this.settings.clock.monotonic();
  }

  /** The rejection reason of a call that was ended, for its caller and its middleware. */
  #reasonOf(reason: unknown): unknown {
    if (!(reason instanceof CallEnded)) return reason instanceof BeforeSendFailed ? reason.thrown : reason;
    if (reason.by === "caller") return this.options.signal?.reason;
    return toEndedError(reason, this.#phase, this.#deadlineMs, this);
  }

  observer(create: (call: Observed) => CallObserver): CallObserver {
    this.#observer ??= create(this);
    return this.#observer;
  }

  emit(happening: Happening): boolean {
    this.#observer?.emit(happening);
    return this.#observer !== undefined;
  }

  onSend(): void {
    this.attempts += 1;
    this.#observer?.sent();
  }
}
