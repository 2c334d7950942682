import { Webhook } from "standardwebhooks";
import { ConfigError } from "../errors/local.js";
import { TIMESTAMP } from "./headers.js";
import { keysOf, type WebhookSecret } from "./keys.js";
import { isWellFormed, textOf } from "./text.js";

/** What {@link signWebhook} signs. */
export interface SignWebhookInput {
  /** The delivery's id, sent as `webhook-id`. Without a full stop. */
  id: string;
  /** When it is sent: seconds since 1970, or a date, whose part of a second is dropped. */
  timestamp: number | Date;
  /** The body exactly as it will be sent. */
  body: string | Uint8Array;
  /** The subscription's secret. */
  secret: WebhookSecret;
  /**
   * How the secret becomes the key: `text` as the service does it, `base64` as Standard Webhooks does.
   * @default "text"
   */
  secretEncoding?: "text" | "base64" | undefined;
}

/** The three headers of a signed delivery. Spec: Events. */
export interface WebhookHeaders {
  /** The delivery's id. */
  "webhook-id": string;
  /** Seconds since 1970. */
  "webhook-timestamp": string;
  /** `v1,` and the signature in base64. */
  "webhook-signature": string;
}

/**
 * Signs a delivery as the service does (see assumption W1), for the tests of your receiver. Send the body unchanged with these headers.
 *
 * @throws {ConfigError} when the id, timestamp, body or secret cannot be signed.
 */
export function signWebhook(input: SignWebhookInput): WebhookHeaders {
  const { id, body, secret, secretEncoding = "text" } = input;
  if (typeof id !== "string" || id === "" || id.includes(".") || !isWellFormed(id)) {
    throw new ConfigError("signWebhook: id must be a text without a full stop, and not empty.");
  }
  const seconds = input.timestamp instanceof Date ? Math.floor(input.timestamp.getTime() / 1000) : input.timestamp;
  const timestamp = String(seconds);
  if (!TIMESTAMP.test(timestamp)) {
    throw new ConfigError(
      "signWebhook: timestamp must be a date or a whole number of seconds since 1970. Date.now() gives milliseconds: divide by 1000 and round down.",
    );
  }
  const text = textOf(body);
  if (text === undefined) throw new ConfigError("signWebhook: body must be a text, or the bytes of one in UTF-8.");
  const [key] = keysOf(secret, secretEncoding, "signWebhook: secret");
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": standardSignature(key.material, id, timestamp, text),
  };
}

/** The signature of a delivery whose body is text, made by the library of the Standard Webhooks project. */
export function standardSignature(material: Uint8Array, id: string, timestamp: string, text: string): string {
  // A copy is of the realm that the library compares with. An encoder's bytes may be of another: jsdom's globals mix two.
  return new Webhook(new Uint8Array(material), { format: "raw" }).sign(id, new Date(Number(timestamp) * 1000), text);
}
