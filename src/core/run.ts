import type { Outcome } from "../errors/base.js";
import { type CallFacts, type Phase, TimeoutError } from "../errors/connection.js";
import { readData, readRateLimit } from "./answer.js";
import { AttemptFailure } from "./attempt-failure.js";
import type { AnyEndpoint } from "./endpoint.js";
import { outcomeOf, toConnectionError, toStatusError } from "./failures.js";
import type { RequestOptions, Settings } from "./options.js";
import type { Pacer } from "./pacer.js";
import type { Redact } from "./redact.js";
import { type RetryBudget, withRetries } from "./retry.js";
import { readRetryAfter } from "./retry-after.js";
import { CallEnded, openScope } from "./scope.js";
import { type Answer, type PreparedRequest, send } from "./transport.js";

/** What the calls of one client share. */
export interface Shared {
  readonly settings: Settings;
  readonly pacer: Pacer;
  readonly budget: RetryBudget;
  readonly redact: Redact;
}

/** How a call ended well. */
export interface Done {
  readonly data: unknown;
  readonly answer: Answer;
  readonly attempts: number;
  /** An earlier attempt had already done it. */
  readonly repeated: boolean;
}

/**
 * Runs a prepared call to its end: takes turns, sends attempts, waits between them, reads the answer.
 *
 * @throws a typed error, or the caller's own abort reason, untouched.
 */
export async function run(
  endpoint: AnyEndpoint,
  request: PreparedRequest,
  options: RequestOptions,
  shared: Shared,
): Promise<Done> {
  const { settings, pacer, budget, redact } = shared;
  const timeoutMs = options.timeoutMs ?? settings.timeoutMs;
  const deadlineMs = options.deadlineMs ?? settings.deadlineMs;
  const scope = openScope(deadlineMs, options.signal, settings.clock);
  let attempts = 0;
  let phase: Phase = "queue";
  let known: Outcome = "not_sent";
  /** Whether any earlier attempt may have run; a later one that provably did not takes nothing back. */
  let mayHaveRun = false;

  const facts = (): CallFacts => ({
    operation: endpoint.name,
    attempts,
    outcome: endpoint.repeat === "effect" ? known : undefined,
  });

  const attempt = async (): Promise<Done> => {
    phase = "queue";
    await pacer.turn(options.priority ?? "normal", scope.signal);
    if (scope.signal.aborted) {
      // It aborted while the turn was on its way here, and says so only once: nobody would hear it any more.
      pacer.done();
      throw scope.signal.reason;
    }
    attempts += 1;
    mayHaveRun ||= known === "unknown";
    const result = await exchange(request, timeoutMs, scope.signal, shared);
    phase = "retry_wait";
    tell(settings.onResponse, endpoint.name, attempts, result);
    if (result instanceof AttemptFailure && result.kind === "aborted") throw new CallEnded("caller");
    known = outcomeOf(result);

    const now = settings.clock.now();
    const context = {
      endpoint,
      facts: facts(),
      url: request.url,
      timeoutMs,
      deadlineMs,
      maxBodyBytes: settings.maxBodyBytes,
      now,
      redact,
    };
    if (result instanceof AttemptFailure) throw toConnectionError(result, context);
    if (result.status < 400) {
      return { data: readData(endpoint, result, context.facts, redact), answer: result, attempts, repeated: false };
    }
    const { alreadyDone } = endpoint;
    if (mayHaveRun && alreadyDone?.statuses.includes(result.status)) {
      return { data: alreadyDone.data(request.params), answer: result, attempts, repeated: true };
    }
    throw toStatusError(result, context);
  };

  try {
    const done = await withRetries(attempt, {
      repeat: endpoint.repeat,
      maxRetries: options.maxRetries ?? settings.maxRetries,
      maxRetryWaitMs: settings.maxRetryWaitMs,
      budget,
      clock: settings.clock,
      signal: scope.signal,
      timeLeft: scope.timeLeft,
    });
    budget.earn();
    return done;
  } catch (error) {
    if (!(error instanceof CallEnded)) throw error;
    if (error.by === "caller") throw options.signal?.reason;
    throw new TimeoutError({ ...facts(), phase, timeoutMs: deadlineMs ?? timeoutMs, bound: "deadlineMs" });
  } finally {
    scope.close();
  }
}

/** One attempt. Gives its turn back with what the answer said about the rate window. */
async function exchange(
  request: PreparedRequest,
  timeoutMs: number,
  signal: AbortSignal,
  { settings, pacer }: Shared,
): Promise<Answer | AttemptFailure> {
  const { fetch, maxBodyBytes, clock } = settings;
  try {
    const answer = await send(request, { fetch, maxBodyBytes, timeoutMs, signal });
    const askedMs = answer.status === 429 ? readRetryAfter(answer.headers, clock.now()) : undefined;
    // What no call may wait for is not waited for in the queue either: each then asks, and fails at once.
    const holdMs = askedMs !== undefined && askedMs <= settings.maxRetryWaitMs ? askedMs : undefined;
    pacer.done({ rateLimit: readRateLimit(answer.headers), holdMs });
    return answer;
  } catch (failure) {
    pacer.done();
    if (failure instanceof AttemptFailure) return failure;
    throw failure;
  }
}

/** An observer's own fault is shown and must not change the call: it may already have acted. */
function tell(
  observer: Settings["onResponse"],
  operation: string,
  attempt: number,
  result: Answer | AttemptFailure,
): void {
  if (!observer || result instanceof AttemptFailure) return;
  const { status, headers } = result;
  try {
    const requestId = headers.get("x-request-id") ?? undefined;
    observer({ operation, attempt, status, requestId, rateLimit: readRateLimit(headers) });
  } catch (error) {
    console.error("svc-sdk: onResponse threw", error);
  }
}
