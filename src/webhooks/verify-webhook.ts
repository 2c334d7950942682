import type { Delivery } from "./delivery.js";
import { nameIn } from "./options.js";
import { parseVerified } from "./parse.js";
import { createVerifier, type VerifyOptions, type WebhookInput } from "./verify.js";

/**
 * Verifies a delivery, then parses it. Needs no client and no API key.
 *
 * Takes a `Request`, or `{ body, headers }` with the raw body. It doesn't detect duplicates: an event can come more
 * than once with the same `id`. {@link createReceiver} handles that.
 *
 * @throws {WebhookVerificationError} with a `reason`, if it isn't authentic.
 * @throws {WebhookPayloadError} if it is authentic, but not a JSON object.
 * @throws {ConfigError} if a secret or another option isn't usable.
 */
export async function verifyWebhook(input: WebhookInput, options: VerifyOptions = {}): Promise<Delivery> {
  try {
    return parseVerified(await createVerifier(options)(input));
  } catch (error) {
    throw nameIn(error, "verifyWebhook");
  }
}
