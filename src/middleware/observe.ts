import type { SvcEvent } from "../core/events.js";
import type { Middleware } from "../core/middleware.js";

/**
 * Tells a function about everything that happens to every call: requests, attempts, waits, retries, results.
 *
 * ```ts
 * const svc = new Svc({ use: [observe((event) => console.log(event.type, event.operation))] });
 * ```
 *
 * What the function throws is logged and doesn't affect the call. No credential, argument, header or body is in any event.
 */
export function observe(listener: (event: SvcEvent) => void): Middleware {
  return (call, next) => {
    call.on(listener);
    return next();
  };
}
