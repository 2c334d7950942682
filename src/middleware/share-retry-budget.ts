import { RetryBudget } from "../core/call/retry.js";
import type { Middleware } from "../core/middleware.js";

/**
 * One retry budget for several clients of the same service: give the result to each of them.
 *
 * ```ts
 * const shared = shareRetryBudget();
 * const tenants = keys.map((apiKey) => new Svc({ apiKey, use: [shared] }));
 * ```
 *
 * @param budget - Pays for the retries. One of your own shows its `tokens`.
 */
export function shareRetryBudget(budget: Pick<RetryBudget, "spend" | "earn"> = new RetryBudget()): Middleware {
  return (call, next) => {
    call.retryBudget = budget;
    return next();
  };
}
