import { Webhook } from "standardwebhooks";
import { ConfigError } from "../errors/local.js";
import { TIMESTAMP } from "./headers.js";
import { keysOf, type SigningKey, type WebhookSecret } from "./keys.js";
import { nameIn } from "./options.js";
import { isWellFormed, textOf } from "./text.js";

/** The delivery that {@link signWebhook} signs. */
export interface SignWebhookInput {
  /** The delivery's id, sent as `webhook-id`. Without a period. */
  id: string;
  /** When it is sent: integer seconds since 1970, or a `Date`, rounded down to the second. */
  timestamp: number | Date;
  /** The body exactly as it will be sent. */
  body: string | Uint8Array;
  /** The subscription's secret. */
  secret: WebhookSecret;
  /**
   * How the secret becomes the key: `text` like the service, `base64` like Standard Webhooks.
   * @default "text"
   */
  secretEncoding?: "text" | "base64" | undefined;
}

/** The three headers of a signed delivery. */
export interface WebhookHeaders {
  /** The delivery's id. */
  "webhook-id": string;
  /** Seconds since 1970. */
  "webhook-timestamp": string;
  /** `v1,` and the signature in base64. */
  "webhook-signature": string;
}

// See assumption W1.
/**
 * Signs a delivery like the service, to test your receiver. Send the body unchanged with these headers.
 *
 * @throws {ConfigError} if the id, timestamp, body or secret can't be signed.
 */
export function signWebhook(input: SignWebhookInput): WebhookHeaders {
  const { id, body, secret, secretEncoding = "text" } = input;
  if (typeof id !== "string" || id === "" || id.includes(".") || !isWellFormed(id)) {
    throw new ConfigError("signWebhook: id must be a non-empty string without a period.");
  }
  const seconds = input.timestamp instanceof Date ? Math.floor(input.timestamp.getTime() / 1000) : input.timestamp;
  const timestamp = String(seconds);
  if (!TIMESTAMP.test(timestamp)) {
    throw new ConfigError(
      "signWebhook: timestamp must be a Date or an integer number of seconds since 1970. Date.now() returns milliseconds: divide by 1000 and round down.",
    );
  }
  const text = textOf(body);
  if (text === undefined)
    throw new ConfigError("signWebhook: body must be a valid Unicode string, or its bytes in UTF-8.");
  const { material } = keyOf(secret, secretEncoding);
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": standardSignature(material, id, timestamp, text),
  };
}

function keyOf(secret: WebhookSecret, encoding: "text" | "base64"): SigningKey {
  try {
    return keysOf(secret, encoding)[0];
  } catch (error) {
    throw nameIn(error, "signWebhook");
  }
}

/** Signs a delivery whose body is a string, with the library of the Standard Webhooks project. */
function standardSignature(material: Uint8Array, id: string, timestamp: string, text: string): string {
  // Copy it into the library's realm, which the library checks: jsdom's TextEncoder returns bytes of another realm.
  return new Webhook(new Uint8Array(material), { format: "raw" }).sign(id, new Date(Number(timestamp) * 1000), text);
}
