import { ApiError } from "../errors/api-error.js";
import { type Outcome, SvcError } from "../errors/base.js";
import { type CallFacts, type Phase, ResponseError, TimeoutError } from "../errors/connection.js";
import type { AnswerHead } from "./answer.js";
import { AttemptFailure } from "./attempt-failure.js";
import { tellDeprecationHeaders } from "./deprecations.js";
import type { RepeatClass } from "./endpoint.js";
import type { Happening } from "./events.js";
import { outcomeOf } from "./failures.js";
import type { Observer, Tell } from "./observer.js";
import type { RequestOptions, Settings } from "./options.js";
import type { Pacer } from "./pacer.js";
import { alsoHiding, type Redact, secretsIn } from "./redact.js";
import { withRetries } from "./retry.js";
import { CallEnded, openScope, type Scope } from "./scope.js";

/** What the calls of one client share. */
export interface Shared {
  readonly settings: Settings;
  readonly pacer: Pacer;
  readonly observer: Observer;
  readonly redact: Redact;
}

/** What a call is, to those who bound, repeat and observe it. */
export interface CallKind {
  /** The call, named as the method. */
  readonly operation: string;
  readonly repeat: RepeatClass;
}

/** One call while it goes on: its bounds, its attempts, what is known of it, and who is told. */
export class OpenCall {
  readonly timeoutMs: number;
  readonly deadlineMs: number | undefined;
  readonly tell: Tell;
  readonly redact: Redact;
  /** How many requests were sent or tried. */
  attempts = 0;
  /** Where the call is. */
  phase: Phase = "queue";
  /** What the last attempt says about the effect. */
  known: Outcome = "not_sent";
  readonly #kind: CallKind;
  readonly #options: RequestOptions;
  readonly #settings: Settings;
  readonly #scope: Scope;

  /** It must be {@link run}, or a timer and a listener stay behind. */
  constructor(kind: CallKind, options: RequestOptions, { settings, observer, redact }: Shared) {
    this.timeoutMs = options.timeoutMs ?? settings.timeoutMs;
    this.deadlineMs = options.deadlineMs ?? settings.deadlineMs;
    this.tell = observer.call(kind.operation);
    this.redact = options.headers ? alsoHiding(redact, secretsIn(options.headers)) : redact;
    this.#kind = kind;
    this.#options = options;
    this.#settings = settings;
    this.#scope = openScope(this.deadlineMs, options.signal, settings.clock);
  }

  /** Aborts with a {@link CallEnded}. `undefined` where nothing can end the call early. */
  get signal(): AbortSignal | undefined {
    return this.#scope.signal;
  }

  /** Milliseconds until the deadline; infinite without one. */
  timeLeft(): number {
    return this.#scope.timeLeft();
  }

  /** What every error of the call carries. */
  facts(): CallFacts {
    const { operation, repeat } = this.#kind;
    return { operation, attempts: this.attempts, outcome: repeat === "effect" ? this.known : undefined };
  }

  /** Runs attempts until one succeeds or no further one may be made. */
  async repeat<Result>(attempt: () => Promise<Result>): Promise<Result> {
    const { maxRetryWaitMs, retryBudget: budget, clock } = this.#settings;
    const result = await withRetries(attempt, {
      repeat: this.#kind.repeat,
      maxRetries: this.#options.maxRetries ?? this.#settings.maxRetries,
      maxRetryWaitMs,
      budget,
      clock,
      signal: this.signal,
      timeLeft: this.#scope.timeLeft,
      onRetry: (error, delayMs) => {
        const failed = { attempt: this.attempts, delayMs, error: nameOf(error), status: statusOf(error) };
        this.tell({ type: "retry", ...failed });
      },
    });
    budget.earn();
    return result;
  }

  /** Sends one request and tells how it went. */
  async attempt<Answered extends AnswerHead>(send: () => Promise<Answered>): Promise<Answered | AttemptFailure> {
    const { clock } = this.#settings;
    this.attempts += 1;
    const attempt = this.attempts;
    this.tell({ type: "attempt", attempt });
    const startedAt = clock.monotonic();
    const result = await send().catch(asFailure);
    this.phase = "retry_wait";
    const durationMs = clock.monotonic() - startedAt;
    if (result instanceof AttemptFailure) {
      this.known = outcomeOf(result);
      const { error, phase } = result;
      const code = result.code && this.redact(result.code);
      this.tell({ type: "failure", attempt, durationMs, error, code, phase });
      if (result.kind === "aborted") throw new CallEnded("caller");
      return result;
    }
    const { status, rateLimit, headers } = result;
    // A `Headers` of the user's own making may say undefined.
    const id = headers.get("x-request-id") ?? undefined;
    const requestId = id && this.redact(id).slice(0, 200);
    this.tell({ type: "response", attempt, status, durationMs, requestId, rateLimit });
    tellDeprecationHeaders(headers, this.tell, this.redact);
    return result;
  }

  /** Runs the call to its end, telling how it begins and ends. Leaves nothing behind. */
  async run<Result extends { readonly status: number }>(
    begin: Extract<Happening, { type: "request" }>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const startedAt = this.#settings.clock.monotonic();
    this.tell(begin);
    try {
      const result = await work();
      this.#tellResult(startedAt, result.status, undefined);
      return result;
    } catch (error) {
      const isCallers = error instanceof CallEnded && error.by === "caller";
      const reason = error instanceof CallEnded ? this.#reasonOf(error) : error;
      this.#tellResult(startedAt, statusOf(reason), isCallers ? "Aborted" : nameOf(reason));
      throw reason;
    } finally {
      this.#scope.close();
    }
  }

  /** What the caller gets to see of a call that was ended: their own reason, where they ended it. */
  #reasonOf({ by, retryAfterMs }: CallEnded): unknown {
    if (by === "caller") return this.#options.signal?.reason;
    const timeoutMs = this.deadlineMs ?? this.timeoutMs;
    const retryAt = retryAfterMs === undefined ? undefined : new Date(this.#settings.clock.now() + retryAfterMs);
    const { phase } = this;
    return new TimeoutError({ ...this.facts(), phase, timeoutMs, bound: "deadlineMs", retryAfterMs, retryAt });
  }

  #tellResult(startedAt: number, status: number | undefined, error: string | undefined): void {
    const { attempts, outcome } = this.facts();
    const succeeded = error === undefined;
    this.tell({
      type: "result",
      succeeded,
      attempts,
      durationMs: this.#settings.clock.monotonic() - startedAt,
      status,
      error,
      outcome: succeeded ? undefined : outcome,
    });
  }
}

function asFailure(error: unknown): AttemptFailure {
  if (error instanceof AttemptFailure) return error;
  throw error;
}

function nameOf(error: unknown): string {
  return error instanceof SvcError ? error.name : "Error";
}

function statusOf(error: unknown): number | undefined {
  return error instanceof ApiError || error instanceof ResponseError ? error.status : undefined;
}
