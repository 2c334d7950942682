import { ApiError, RateLimitError } from "../errors/api-error.js";
import { type Outcome, SvcError } from "../errors/base.js";
import { type CallFacts, type Phase, ResponseError, TimeoutError } from "../errors/connection.js";
import type { AnswerHead } from "./answer.js";
import { AttemptFailure } from "./attempt-failure.js";
import { tellDeprecationHeaders } from "./deprecations.js";
import type { AnyEndpoint } from "./endpoint.js";
import { outcomeOf } from "./failures.js";
import type { Observer, Tell } from "./observer.js";
import type { RequestOptions, Settings } from "./options.js";
import type { Pacer } from "./pacer.js";
import { alsoHiding, type Redact, secretsIn } from "./redact.js";
import { type Failed, retryDelay, withRetries } from "./retry.js";
import { CallEnded, openScope, type Scope } from "./scope.js";

/** What the calls of one client share. */
export interface Shared {
  readonly settings: Settings;
  readonly pacer: Pacer;
  readonly observer: Observer;
  readonly redact: Redact;
}

/** What a call is, to those who bound, repeat and observe it. */
type Kind = Pick<AnyEndpoint, "name" | "repeat">;

/** One call while it goes on: its bounds, its attempts, what is known of it, and who is told. */
export class OpenCall {
  readonly timeoutMs: number;
  readonly deadlineMs: number | undefined;
  /** Tells what everybody should know. */
  readonly tell: Tell;
  /** Tells each step. `undefined` where nobody follows them: most calls, and what is not told need not be put together. */
  readonly trace: Tell | undefined;
  readonly redact: Redact;
  /** How many requests were sent or tried. */
  attempts = 0;
  /** Where the call is between its attempts. */
  phase: Phase = "queue";
  /** What the last attempt says about the effect. */
  known: Outcome = "not_sent";
  readonly #kind: Kind;
  readonly #options: RequestOptions;
  readonly #settings: Settings;
  readonly #scope: Scope;

  /** It must be {@link run}, or a timer and a listener stay behind. */
  constructor(kind: Kind, options: RequestOptions, { settings, observer, redact }: Shared) {
    this.timeoutMs = options.timeoutMs ?? settings.timeoutMs;
    this.deadlineMs = options.deadlineMs ?? settings.deadlineMs;
    this.tell = observer.call(kind.name);
    this.trace = observer.isFollowed ? this.tell : undefined;
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
    const { name: operation, repeat } = this.#kind;
    return { operation, attempts: this.attempts, outcome: repeat === "effect" ? this.known : undefined };
  }

  /** Runs attempts until one succeeds or no further one may be made. */
  repeat<Result>(attempt: () => Promise<Result>): Promise<Result> {
    const maxRetries = this.#options.maxRetries ?? this.#settings.maxRetries;
    return withRetries(attempt, maxRetries, (failed) => this.#goOn(failed)).then((result) => {
      this.#settings.retryBudget.earn();
      return result;
    });
  }

  async #goOn(failed: Failed): Promise<boolean> {
    const { maxRetryWaitMs, retryBudget: budget, clock } = this.#settings;
    const { repeat } = this.#kind;
    const delayMs = retryDelay(failed, { repeat, maxRetryWaitMs, budget, clock, timeLeftMs: this.timeLeft() });
    if (delayMs === undefined) return false;
    const { error } = failed;
    this.trace?.({ type: "retry", attempt: this.attempts, delayMs, error: nameOf(error), status: statusOf(error) });
    await clock.sleep(delayMs, this.signal);
    return true;
  }

  /** Sends one request and tells how it went. `send` says when it goes out: one that never does is no attempt. */
  attempt<Answered extends AnswerHead>(
    send: (onSend: () => void) => Promise<Answered | AttemptFailure>,
  ): Promise<Answered | AttemptFailure> {
    let startedAt: number | undefined;
    const onSend = () => {
      this.attempts += 1;
      this.trace?.({ type: "attempt", attempt: this.attempts });
      startedAt = this.#settings.clock.monotonic();
    };
    return send(onSend).then((result) => {
      this.phase = "retry_wait";
      if (startedAt !== undefined) this.#traceAttempt(startedAt, result);
      if (result instanceof AttemptFailure) {
        this.known = outcomeOf(result);
        if (result.kind === "caller" || result.kind === "deadline") {
          this.phase = result.phase;
          throw new CallEnded(result.kind);
        }
      } else tellDeprecationHeaders(result.headers, this.tell, this.redact);
      return result;
    });
  }

  #traceAttempt(startedAt: number, result: AnswerHead | AttemptFailure): void {
    if (!this.trace) return;
    const ended = { attempt: this.attempts, durationMs: this.#settings.clock.monotonic() - startedAt };
    if (result instanceof AttemptFailure) {
      const { error, phase } = result;
      const code = result.code && this.redact(result.code);
      this.trace({ type: "failure", ...ended, error, code, phase });
      return;
    }
    const { status, rateLimit, headers } = result;
    // A `Headers` of the user's own making may say undefined.
    const id = headers.get("x-request-id") ?? undefined;
    const requestId = id && this.redact(id).slice(0, 200);
    this.trace({ type: "response", ...ended, status, requestId, rateLimit });
  }

  /** Runs the call to its end and tells how it ended. Leaves nothing behind. */
  run<Result extends { readonly status: number }>(work: () => Promise<Result>): Promise<Result> {
    const startedAt = this.#settings.clock.monotonic();
    return work().then(
      (result) => {
        this.#scope.close();
        this.#traceResult(startedAt, result.status, undefined);
        return result;
      },
      (error: unknown) => {
        this.#scope.close();
        const isCallers = error instanceof CallEnded && error.by === "caller";
        const reason = error instanceof CallEnded ? this.#reasonOf(error) : error;
        this.#traceResult(startedAt, statusOf(reason), isCallers ? "Aborted" : nameOf(reason));
        throw reason;
      },
    );
  }

  /** What the caller gets to see of a call that was ended: their own reason, where they ended it. */
  #reasonOf({ by, retryAfterMs }: CallEnded): unknown {
    if (by === "caller") return this.#options.signal?.reason;
    const timeoutMs = this.deadlineMs ?? this.timeoutMs;
    const retryAt = retryAfterMs === undefined ? undefined : new Date(this.#settings.clock.now() + retryAfterMs);
    if (by === "limit") return bannedError({ ...this.facts(), retryAfterMs, retryAt });
    const { phase } = this;
    return new TimeoutError({ ...this.facts(), phase, timeoutMs, bound: "deadlineMs", retryAfterMs, retryAt });
  }

  #traceResult(startedAt: number, status: number | undefined, error: string | undefined): void {
    if (!this.trace) return;
    const { attempts, outcome } = this.facts();
    const succeeded = error === undefined;
    this.trace({
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

/** A call that was not sent, because an earlier 429 asks for a longer wait than calls make. */
function bannedError(facts: CallFacts & Pick<RateLimitError, "retryAfterMs" | "retryAt">): RateLimitError {
  return new RateLimitError({
    ...facts,
    status: 429,
    path: "",
    message: "Not sent again: an earlier 429 asks all calls to wait for longer than maxRetryWaitMs",
    text: "",
    headers: {},
    rateLimit: undefined,
    isPlatformLimit: true,
  });
}

function nameOf(error: unknown): string {
  return error instanceof SvcError ? error.name : "Error";
}

function statusOf(error: unknown): number | undefined {
  return error instanceof ApiError || error instanceof ResponseError ? error.status : undefined;
}
