// The room of the built-in middleware. Its type is in `client/middleware.ts`. It imports nothing but the files around
// it. Start here, with the middleware that tells what happens, on which logs and spans are built.

import { ApiError } from "../../errors/api-error.js";
import { SvcError } from "../../errors/base.js";
import { ResponseError } from "../../errors/connection.js";
import { ConfigError } from "../../errors/local.js";
import { firstTime } from "../../shared/bounded-memory.js";
import { REQUEST_ID } from "../../shared/headers.js";
import { field } from "../../shared/json.js";
import { callBack } from "../../shared/timers.js";
import type { AttemptFailure, FailureKind } from "../attempt-failure.js";
import type { AnyInput } from "../endpoint.js";
import type { SvcEvent } from "../events.js";
import type { CallObserver, Happening, Middleware, Observed } from "../middleware.js";
import type { Received } from "../received-response.js";

/**
 * Calls a function for every event of every call: requests, attempts, waits, retries, results.
 *
 * ```ts
 * const metrics = observe((event) => {
 *   if (event.type === "deprecation") console.log(`${event.operation}: ${event.subject} is deprecated`);
 *   if (event.type !== "result") return;
 *   durations.set(event.operation, [...(durations.get(event.operation) ?? []), event.durationMs]);
 * });
 * ```
 *
 * Errors that the function throws are logged and don't affect the call. Events never contain credentials, arguments,
 * headers or bodies. In your own middleware, call `observe(listener)(call, next)` to pass on one call and listen to it.
 *
 * @throws {ConfigError} if it isn't a function.
 */
export function observe(listener: (event: SvcEvent) => void): Middleware {
  if (typeof listener !== "function") throw new ConfigError("observe: the listener must be a function.");
  return (call, next) => {
    call.observer((observed) => new CallObservation(observed)).on(listener);
    return next();
  };
}

/** The names of the errors that failures become. */
const ERROR_NAMES: Readonly<Record<FailureKind, string>> = {
  timeout: "TimeoutError",
  deadline: "TimeoutError",
  caller: "Aborted",
  limit: "RateLimitError",
  connection: "ConnectionError",
  too_large: "ResponseError",
};

/** Per client, whether a deprecation is reported for the first time. */
const isFirstOf = new WeakMap<object, (fact: string) => boolean>();

/** Sends one call's events to its listeners. */
class CallObservation implements CallObserver {
  readonly #call: Observed;
  readonly #listeners: ((event: SvcEvent) => unknown)[] = [];
  #isBegun = false;
  #isOver = false;
  #sentAt: number | undefined;
  #status: number | undefined;

  constructor(call: Observed) {
    this.#call = call;
  }

  on(listener: (event: SvcEvent) => unknown): void {
    this.#listeners.push(listener);
  }

  emit(happening: Happening): void {
    // The result is the last event, whatever a middleware left running.
    if (this.#isOver) return;
    // Whatever a middleware emits, the call's start is reported before.
    this.begin();
    const { callNumber, endpoint, settings } = this.#call;
    if (happening.type === "deprecation" && !this.#isNew(`${endpoint.name} ${happening.subject}`)) return;
    // `Happening` is each event without exactly these three fields.
    const event = { ...happening, callNumber, operation: endpoint.name, at: settings.clock.now() } as SvcEvent;
    Object.freeze(event);
    for (const listener of this.#listeners) callBack("a listener", listener, event);
  }

  #isNew(fact: string): boolean {
    const isFirst = isFirstOf.get(this.#call.send) ?? firstTime();
    isFirstOf.set(this.#call.send, isFirst);
    return isFirst(fact);
  }

  /** Starts the call, if it hasn't started yet. */
  begin(): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    const { endpoint, input, origin, settings } = this.#call;
    const { method } = endpoint;
    const path = endpoint.path.replaceAll("{apiVersion}", settings.apiVersion);
    this.emit({ type: "request", method, origin, path, tool: input.params?.["tool_slug"] });
    for (const subject of endpoint.deprecated ?? []) {
      if (subject === "operation" || isGiven(input, subject)) {
        this.emit({ type: "deprecation", subject, deprecation: undefined, sunset: undefined });
      }
    }
  }

  sent(): void {
    this.emit({ type: "attempt", attempt: this.#call.attempts });
    this.#sentAt = this.#call.settings.clock.monotonic();
  }

  /** An attempt is over. One that never sent anything doesn't count. */
  attempted(result: Received | AttemptFailure): void {
    if (this.#sentAt === undefined) return;
    const { attempts, redact, settings } = this.#call;
    const ended = { attempt: attempts, durationMs: settings.clock.monotonic() - this.#sentAt };
    this.#sentAt = undefined;
    if ("kind" in result) {
      const code = result.code && redact(result.code);
      this.emit({ type: "failure", ...ended, error: ERROR_NAMES[result.kind], code, phase: result.phase });
      return;
    }
    const { status, rateLimit, headers } = result;
    const shown = (name: string, length: number) => {
      const value = headers.get(name);
      return value ? redact(value).slice(0, length) : undefined;
    };
    this.#status = status;
    this.emit({ type: "response", ...ended, status, requestId: shown(REQUEST_ID, 200), rateLimit });
    // RFC 9745, RFC 8594.
    const deprecation = shown("deprecation", 100);
    const sunset = shown("sunset", 100);
    if (deprecation ?? sunset) this.emit({ type: "deprecation", subject: "operation", deprecation, sunset });
  }

  retrying(error: unknown, delayMs: number): void {
    const { attempts: attempt } = this.#call;
    this.emit({ type: "retry", attempt, delayMs, error: nameOf(error), status: statusOf(error) });
  }

  ended(failed: { readonly error: unknown } | undefined): void {
    const { settings, startedAt, options } = this.#call;
    const { attempts, outcome } = this.#call.facts();
    const durationMs = settings.clock.monotonic() - startedAt;
    const ended = { type: "result", attempts, durationMs } as const;
    if (!failed) {
      this.emit({ ...ended, succeeded: true, status: this.#status, error: undefined, outcome: undefined });
    } else {
      const { signal } = options;
      const name = signal?.aborted && signal.reason === failed.error ? "Aborted" : nameOf(failed.error);
      this.emit({ ...ended, succeeded: false, status: statusOf(failed.error), error: name, outcome });
    }
    this.#isOver = true;
  }
}

function nameOf(error: unknown): string {
  return error instanceof SvcError ? error.name : "Error";
}

function statusOf(error: unknown): number | undefined {
  return error instanceof ApiError || error instanceof ResponseError ? error.status : undefined;
}

function isGiven(input: AnyInput, subject: string): boolean {
  const [path = "", deprecated] = subject.split("=");
  let value: unknown = input;
  for (const name of path.split(".")) value = field(value, name);
  return value !== undefined && (deprecated === undefined || value === deprecated);
}
