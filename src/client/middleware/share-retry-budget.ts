import * as option from "../../errors/option-rules.js";
import type { Middleware } from "../middleware.js";
import { RetryBudget } from "../retry-budget.js";

/**
 * Shares one retry budget between clients of the same service. Pass the result to the `use` of each client.
 *
 * ```ts
 * const shared = shareRetryBudget(budget); // One for all clients of the same service.
 * const acme = new Svc({ apiKey: process.env["ACME_API_KEY"], use: [shared] });
 * const globex = new Svc({ apiKey: process.env["GLOBEX_API_KEY"], use: [shared] });
 * ```
 *
 * @param budget - Pays for the retries. Pass your own to read its `tokens`.
 * @throws {ConfigError} if it isn't a budget.
 */
export function shareRetryBudget(budget: Pick<RetryBudget, "spend" | "earn"> = new RetryBudget()): Middleware {
  option.check("shareRetryBudget", "the budget", budget, option.withMethods(["spend", "earn"], "a RetryBudget, or "));
  return (call, next) => {
    call.retryBudget = budget;
    return next();
  };
}
