import {
  type VerifyOptions,
  verifyWebhook,
  type WebhookInput,
  WebhookVerificationError,
} from "../../src/webhooks/index.js";
import { now, SECRET } from "./vectors.js";

/** The error that verifyWebhook rejects with; `undefined` if the delivery is authentic. */
export async function errorOf(input: unknown, options: VerifyOptions = {}): Promise<unknown> {
  try {
    // Tests also pass values that the types forbid: JavaScript callers can.
    await verifyWebhook(input as WebhookInput, { secret: SECRET, now, ...options });
  } catch (error) {
    return error;
  }
  return undefined;
}

/** The reason a delivery is rejected, or any other error. */
export async function reasonOf(input: unknown, options?: VerifyOptions): Promise<unknown> {
  const error = await errorOf(input, options);
  return error instanceof WebhookVerificationError ? error.reason : error;
}
