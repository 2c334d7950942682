import type { SvcEvent } from "../core/events.js";
import type { Middleware } from "../core/middleware.js";
import { ConfigError } from "../errors/local.js";
import { Observation } from "./observation.js";

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
 * Errors it throws are logged and don't affect the call. Events never contain credentials, arguments, headers or
 * bodies. In your own middleware, `observe(listener)(call, next)` passes one call on and listens to it.
 *
 * @throws {ConfigError} if it isn't a function.
 */
export function observe(listener: (event: SvcEvent) => void): Middleware {
  if (typeof listener !== "function") throw new ConfigError("observe: the listener must be a function.");
  return (call, next) => {
    call.observer((observed) => new Observation(observed)).on(listener);
    return next();
  };
}
