import { Webhook } from "standardwebhooks";
import { ConfigError } from "../errors/local.js";
import * as option from "../errors/option-rules.js";
import { nameIn } from "../errors/webhook.js";
import { TIMESTAMP, type WebhookHeaders } from "./headers.js";
import { textOf } from "./input.js";
import { keysOf, type WebhookSecret } from "./keys.js";

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

// The values are checked together, when they are used.
const SIGN_WEBHOOK_INPUT = {
  id: {},
  timestamp: {},
  body: {},
  secret: {},
  secretEncoding: { default: "text" },
} as const satisfies option.Rules<SignWebhookInput>;

// See assumption W1.
/**
 * Signs a delivery like the service, to test your receiver. Send the body unchanged with these headers.
 *
 * @throws {ConfigError} if the id, timestamp, body or secret can't be signed.
 */
export function signWebhook(input: SignWebhookInput): WebhookHeaders {
  try {
    // A JavaScript program may have forgotten it.
    return sign(option.checkAll("signWebhook", input ?? {}, SIGN_WEBHOOK_INPUT));
  } catch (error) {
    throw nameIn(error, "signWebhook");
  }
}

function sign({
  id,
  timestamp: at,
  body,
  secret,
  secretEncoding,
}: option.Filled<SignWebhookInput, typeof SIGN_WEBHOOK_INPUT>): WebhookHeaders {
  if (typeof id !== "string" || id === "" || id.includes(".") || !id.isWellFormed()) {
    throw new ConfigError("id must be a non-empty string without a period.");
  }
  const timestamp = String(at instanceof Date ? Math.floor(at.getTime() / 1000) : at);
  if (!TIMESTAMP.test(timestamp)) {
    throw new ConfigError(
      "timestamp must be a Date or an integer number of seconds since 1970. Date.now() returns milliseconds: divide by 1000 and round down.",
    );
  }
  const text = textOf(body);
  if (text === undefined) throw new ConfigError("body must be a valid Unicode string, or its bytes in UTF-8.");
  const [{ material }] = keysOf(secret, secretEncoding);
  // Synchronous in every runtime. Copy the key into the library's realm, which the library checks: jsdom's TextEncoder
  // returns bytes of another realm.
  const webhook = new Webhook(new Uint8Array(material), { format: "raw" });
  const signature = webhook.sign(id, new Date(Number(timestamp) * 1000), text);
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
}
