import { type WebhookRejectionReason, WebhookVerificationError } from "../errors/webhook.js";

/** Creates the error for a delivery that isn't accepted. Its message starts with the operation. */
export type Reject = (
  reason: WebhookRejectionReason,
  problem: string,
  options?: ErrorOptions,
) => WebhookVerificationError;

/** Creates the errors of one operation, such as `verifyWebhook`. */
export function createReject(operation: string): Reject {
  return (reason, problem, options) => new WebhookVerificationError(reason, `${operation}: ${problem}`, options);
}
