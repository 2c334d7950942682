import { RetryBudget } from "../core/call/retry.js";
import type { Middleware } from "../core/middleware.js";
import { ConfigError } from "../errors/local.js";
import { field } from "../shared/json.js";

/**
 * Shares one retry budget between clients of the same service. Pass the result to each of them.
 *
 * ```ts
 * const shared = shareRetryBudget(budget); // One for all clients of the same service.
 * const apiKey = process.env["SVC_API_KEY"];
 * const tenants = ["a", "b"].map(() => new Svc({ apiKey, use: [shared] }));
 * ```
 *
 * @param budget - Pays for the retries. Pass your own to read its `tokens`.
 * @throws {ConfigError} if it isn't a budget.
 */
export function shareRetryBudget(budget: Pick<RetryBudget, "spend" | "earn"> = new RetryBudget()): Middleware {
  if (typeof field(budget, "spend") !== "function" || typeof field(budget, "earn") !== "function") {
    throw new ConfigError("shareRetryBudget: the budget must be a RetryBudget, or an object with spend, earn.");
  }
  return (call, next) => {
    call.retryBudget = budget;
    return next();
  };
}
