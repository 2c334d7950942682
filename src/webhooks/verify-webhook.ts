import type { Delivery } from "./delivery.js";
import { parseDelivery } from "./parse.js";
import { createVerifier, type VerifyOptions, type WebhookInput } from "./verify.js";

/**
 * Verifies a delivery, then reads it. Needs no client and no API key.
 *
 * Takes a `Request`, or `{ body, headers }` with the raw body. Whether the event came before is not looked at: it can come
 * more than once with the same `id`, and {@link createReceiver} takes care of that.
 *
 * @throws {WebhookVerificationError} with a `reason`, when it is not authentic.
 * @throws {WebhookPayloadError} when it is authentic, but not a JSON object.
 * @throws {ConfigError} when a secret or another option is not usable. Spec: Events.
 */
export async function verifyWebhook(input: WebhookInput, options: VerifyOptions = {}): Promise<Delivery> {
  return parseDelivery(await createVerifier(options)(input));
}
