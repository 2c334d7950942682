import type { Delivery } from "./delivery.js";
import { parseFor } from "./parse.js";
import { createVerifier, type VerifyOptions, type WebhookInput } from "./verify.js";

/**
 * Verifies a delivery, then parses it. Needs no client and no API key.
 *
 * Takes a `Request`, or `{ body, headers }` with the raw body. It doesn't detect duplicates: an event can come more
 * than once with the same `id`. {@link createReceiver} handles that.
 *
 * @throws {WebhookVerificationError} with a `reason`, if it isn't authentic.
 * @throws {WebhookPayloadError} if it is authentic, but not a JSON object.
 * @throws {ConfigError} if a secret or another option isn't usable. Spec: Events.
 */
export async function verifyWebhook(input: WebhookInput, options: VerifyOptions = {}): Promise<Delivery> {
  return parseFor("verifyWebhook", await createVerifier("verifyWebhook", options)(input));
}
