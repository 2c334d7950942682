import type { CallFacts } from "../errors/connection.js";
import { type Answer, isPlatformLimit, readData } from "./answer.js";
import { AttemptFailure } from "./attempt-failure.js";
import type { AnyEndpoint } from "./endpoint.js";
import { type ErrorContext, outcomeOf, toConnectionError, toStatusError } from "./failures.js";
import type { OpenCall, Shared } from "./open-call.js";
import type { RequestOptions } from "./options.js";
import type { Told } from "./rate-window.js";
import { type PreparedRequest, send } from "./transport.js";

/** How a call ended well. */
export interface Done {
  readonly data: unknown;
  readonly status: number;
  readonly answer: Answer;
  readonly attempts: number;
  /** An earlier attempt had already done it. */
  readonly repeated: boolean;
}

/**
 * Sends a prepared request until it is answered for good: takes turns, sends attempts, waits between them, reads the answer.
 *
 * @throws a typed error, or what ended the call.
 */
export function exchange(
  endpoint: AnyEndpoint,
  request: PreparedRequest,
  call: OpenCall,
  options: RequestOptions,
  shared: Shared,
): Promise<Done> {
  const { settings, pacer } = shared;
  const { timeoutMs, deadlineMs, signal, redact } = call;
  const { fetch, maxBodyBytes, clock } = settings;
  const bounds = { fetch, maxBodyBytes, timeoutMs, signal, clock };
  /** Whether any earlier attempt may have run; a later one that provably did not takes nothing back. */
  let mayHaveRun = false;

  /** What an answer says to everyone who waits for a turn. */
  const toldBy = (answer: Answer): Told => {
    const { status, rateLimit, retryAfterMs } = answer;
    const isServed = status >= 200 && status < 300;
    return { rateLimit, isServed, isRefused: isPlatformLimit(answer), retryAfterMs };
  };

  const contextOf = (facts: CallFacts): ErrorContext => {
    return { endpoint, facts, url: request.url, timeoutMs, deadlineMs, maxBodyBytes, redact };
  };

  return call.repeat(async () => {
    call.phase = "queue";
    const turn = await pacer.turn(options.priority ?? "normal", call, (expectedMs) => {
      call.tell({ type: "wait", expectedMs });
    });
    if (signal?.aborted) {
      // It aborted while the turn was on its way here, and says so only once: nobody would hear it any more.
      pacer.done(turn);
      throw signal.reason;
    }
    mayHaveRun ||= call.known === "unknown";
    let told: Told | undefined;
    let result: Answer | AttemptFailure;
    try {
      result = await call.attempt(() => send(request, bounds));
      if (!(result instanceof AttemptFailure)) told = toldBy(result);
    } finally {
      pacer.done(turn, told);
    }
    if (result instanceof AttemptFailure) throw toConnectionError(result, contextOf(call.facts()));
    call.known = outcomeOf(result);

    const facts = call.facts();
    const { status } = result;
    const { attempts } = facts;
    if (status < 400)
      return { data: readData(endpoint, result, facts, redact), status, answer: result, attempts, repeated: false };
    const { alreadyDone } = endpoint;
    if (mayHaveRun && alreadyDone?.statuses.includes(status)) {
      return { data: alreadyDone.data(request.params), status, answer: result, attempts, repeated: true };
    }
    throw toStatusError(result, contextOf(facts));
  });
}
