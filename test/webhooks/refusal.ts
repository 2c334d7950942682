import {
  type VerifyOptions,
  verifyWebhook,
  type WebhookInput,
  WebhookVerificationError,
} from "../../src/webhooks/index.js";
import { now, SECRET } from "./vectors.js";

/** The error that a verification ends with, `undefined` where the delivery is authentic. */
export async function refusal(input: unknown, options: VerifyOptions = {}): Promise<unknown> {
  try {
    // Tests pass what no type allows, too: a verifier meets it in JavaScript.
    await verifyWebhook(input as WebhookInput, { secret: SECRET, now, ...options });
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Why a delivery is refused, or the error that is no refusal. */
export async function reasonOf(input: unknown, options?: VerifyOptions): Promise<unknown> {
  const error = await refusal(input, options);
  return error instanceof WebhookVerificationError ? error.reason : error;
}
