import { type Answer, answerOf, readData } from "./answer.js";
import { AttemptFailure } from "./attempt-failure.js";
import type { AnyEndpoint } from "./endpoint.js";
import { outcomeOf, toConnectionError, toStatusError } from "./failures.js";
import type { OpenCall, Shared } from "./open-call.js";
import type { RequestOptions } from "./options.js";
import type { Told } from "./rate-window.js";
import { type PreparedRequest, send } from "./transport.js";

/** How a call ended well. */
export interface Done {
  readonly data: unknown;
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
  const { timeoutMs, signal, redact } = call;
  const { fetch, maxBodyBytes, clock } = settings;
  const { priority = "normal" } = options;
  const bounds = { fetch, maxBodyBytes, timeoutMs, signal, clock };
  // Only authenticated calls share the window: to revoke a key that leaked, nobody waits for a turn. Spec: Limits.
  const isPaced = endpoint.auth.length > 0;
  /** Whether any earlier attempt may have run; a later one that provably did not takes nothing back. */
  let mayHaveRun = false;

  const conclude = (result: Answer | AttemptFailure): Done => {
    const isAnswer = !(result instanceof AttemptFailure);
    if (isAnswer) call.known = outcomeOf(result);
    const facts = call.facts();
    const { attempts } = facts;
    if (isAnswer && result.status < 400) {
      return { data: readData(endpoint, result, facts, redact), answer: result, attempts, repeated: false };
    }
    const { alreadyDone } = endpoint;
    if (isAnswer && mayHaveRun && alreadyDone?.statuses.includes(result.status)) {
      return { data: alreadyDone.data(request.params), answer: result, attempts, repeated: true };
    }
    const context = { endpoint, facts, url: request.url, timeoutMs, maxBodyBytes, redact };
    throw isAnswer ? toStatusError(result, context) : toConnectionError(result, context);
  };

  return call.repeat(async () => {
    call.phase = "queue";
    signal?.throwIfAborted();
    const turn = isPaced
      ? (pacer.turnNow(priority) ??
        (await pacer.turn(priority, call, (expectedMs) => call.trace?.({ type: "wait", expectedMs }))))
      : undefined;
    if (signal?.aborted) {
      // It aborted while the turn was on its way here, and says so only once: nobody would hear it any more.
      if (turn) pacer.done(turn);
      throw signal.reason;
    }
    mayHaveRun ||= call.known === "unknown";
    let result: Answer | AttemptFailure;
    let told: Told | undefined;
    try {
      result = await call.attempt((onSend) => send(request, bounds, onSend, answerOf));
      if (!(result instanceof AttemptFailure)) told = toldBy(result);
    } finally {
      if (turn) pacer.done(turn, told);
    }
    return conclude(result);
  });
}

/** What an answer says to everyone who waits for a turn. */
function toldBy({ status, rateLimit, askedMs, isThrottled: isRefused }: Answer): Told {
  const isServed = status >= 200 && status < 300;
  return { rateLimit, isServed, isRefused, askedMs };
}
