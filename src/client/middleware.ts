import { MiddlewareError, mayHaveRun, saysNotRun } from "../errors/local.js";
import { chain } from "../shared/chain.js";
import type { WithResponse } from "./api-promise.js";
import type { AttemptFailure } from "./attempt-failure.js";
import type { AnyEndpoint, AnyInput, RetryClass } from "./endpoint.js";
import type { SvcEvent } from "./events.js";
import type { Received } from "./received-response.js";
import type { RequestOptions } from "./request-options.js";
import type { RetryBudget } from "./retry-budget.js";
import type { RunningCall } from "./running-call.js";
import type { Versions } from "./tool-versions.js";

/** An event without the fields of the call. */
export type Happening = SvcEvent extends infer Event
  ? Event extends SvcEvent
    ? Omit<Event, "callNumber" | "operation" | "at">
    : never
  : never;

/** One call, as a {@link Middleware} sees it. */
export interface CallContext {
  /** Number of the call, unique across all clients. */
  readonly callNumber: number;
  /** The operation's name, method, path and retry class. */
  readonly endpoint: AnyEndpoint;
  /** Path parameters, query and body, as you passed them. Assign it to change the request. */
  input: AnyInput;
  /** The tool versions used if the call doesn't specify one. Assign it to add some. */
  versions: Versions;
  /** The effect of a retry. Assign `safe` if you know that the call only reads. */
  retry: RetryClass;
  /** The input as it will be sent: with its tool version, if one is configured. */
  readonly sent: AnyInput;
  /** The options of the call. */
  readonly options: RequestOptions;
  /** Aborts when the caller aborts the call or its deadline passes. `undefined` if neither can happen. */
  readonly signal: AbortSignal | undefined;
  /** Pays for the retries of the call. Assign it to share one between clients. */
  retryBudget: Pick<RetryBudget, "spend" | "earn">;
  /** The observer of the call; creates it if it has none. For listeners, use `observe`. */
  observer(create: (call: Observed) => CallObserver): CallObserver;
  /** Sends an event to the listeners. Returns whether there are any. */
  emit(happening: Happening): boolean;
  /** Sends another call with the same client. */
  send(endpoint: AnyEndpoint, input: AnyInput, options?: RequestOptions): Promise<WithResponse<unknown>>;
}

/** A call, as its events show it. */
export interface Observed extends CallContext, RunningCall {
  readonly retry: RetryClass;
  readonly retryBudget: CallContext["retryBudget"];
}

/** Turns the steps of a call into events. Most calls have none. */
export interface CallObserver {
  on(listener: (event: SvcEvent) => unknown): void;
  emit(happening: Happening): void;
  /** The call starts. */
  begin(): void;
  /** A request is about to be sent. */
  sent(): void;
  /** An attempt is over. */
  attempted(result: Received | AttemptFailure): void;
  /** A failed attempt will be retried. */
  retrying(error: unknown, delayMs: number): void;
  /** The call is over. */
  ended(failed: { readonly error: unknown } | undefined): void;
}

/**
 * A function that wraps each call: the option `use` of `new Svc`. The first in the list is the outermost.
 *
 * ```ts
 * const timed: Middleware = async (call, next) => {
 *   const startedAt = performance.now();
 *   try {
 *     return await next(); // Includes retries, waits and throttling.
 *   } finally {
 *     console.log(call.endpoint.name, performance.now() - startedAt);
 *   }
 * };
 * const svc = new Svc({ use: [timed] });
 * ```
 *
 * It may change `call.input` before `next`, read or replace the result after it, or throw. Call `next` at most once: a
 * second call rejects, because a call that may have run must not be sent again. If your function throws an error after
 * `next` that says that its call ran nothing or only read, such as the error of another call, the error becomes the
 * `cause` of a `MiddlewareError`.
 */
export type Middleware = (
  call: CallContext,
  next: () => Promise<WithResponse<unknown>>,
) => Promise<WithResponse<unknown>>;

/**
 * Passes a call through the middleware, the first outermost, and then sends it. Each piece gets the errors the caller
 * would.
 */
export function passOn(
  call: CallContext,
  use: readonly Middleware[],
  send: () => Promise<WithResponse<unknown>>,
  reasonOf: (thrown: unknown) => unknown,
): Promise<WithResponse<unknown>> {
  return chain(use, send, (middleware, next) => () => passThrough(call, middleware, next, reasonOf))();
}

/** Whether an error says that its call ran nothing, or only read. Of another call, it would be read as this one's. */
function deniesEffect(error: unknown): error is Error {
  return saysNotRun(error) || !mayHaveRun(error);
}

async function passThrough(
  call: CallContext,
  middleware: Middleware,
  send: () => Promise<WithResponse<unknown>>,
  reasonOf: (thrown: unknown) => unknown,
): Promise<WithResponse<unknown>> {
  let isPassed = false;
  let hasRun = false;
  let failure: unknown;
  const next = async () => {
    if (isPassed) throw new TypeError("next() was called twice. A call that may have run is never sent again.");
    isPassed = true;
    try {
      hasRun = true;
      return await send();
    } catch (thrown) {
      failure = reasonOf(thrown);
      hasRun = !saysNotRun(failure);
      throw failure;
    }
  };
  let result: WithResponse<unknown>;
  try {
    result = await middleware(call, () => {
      const passed = next();
      // A piece that fails while it runs, or forgets it, must not end the process too.
      passed.catch(() => undefined);
      return passed;
    });
  } catch (error) {
    if (call.retry !== "effect" || !hasRun || error === failure || !deniesEffect(error)) throw error;
    throw new MiddlewareError(call.endpoint.name, error);
  }
  // A program without types may forget to return it.
  if (result?.meta) return result;
  const advice =
    typeof result === "function"
      ? "a middleware returned a function. If it makes a middleware, call it in use."
      : "a middleware returned no result. Return what next() resolves with.";
  throw new TypeError(`${call.endpoint.name}: ${advice}`);
}
