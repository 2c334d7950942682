import { SvcError, withMessage } from "./base.js";
import { ConfigError } from "./local.js";

/** Why a delivery was rejected. A closed list, so a `switch` over it can be exhaustive. */
export type WebhookRejectionReason =
  /** The request isn't a POST. Only from a receiver. */
  | "method_not_allowed"
  /** The content type isn't `application/json`. Only from a receiver. */
  | "unsupported_media_type"
  /** `webhook-id`, `webhook-timestamp` or `webhook-signature` is missing or empty. */
  | "missing_header"
  /** One of the three headers has several values, so it's unclear which value was signed. */
  | "duplicate_header"
  /** `webhook-timestamp` isn't an integer number of seconds since 1970. */
  | "bad_timestamp"
  /** Sent longer ago than the tolerance allows: a replay, or this machine's clock is ahead. */
  | "too_old"
  /** Sent further in the future than the tolerance allows: this machine's clock is behind. */
  | "too_new"
  /** No signature matches the id, timestamp, body and secret. */
  | "no_match"
  /** The body is larger than `maxBodyBytes`. */
  | "body_too_large"
  /** The body didn't arrive within `bodyTimeoutMs`. */
  | "body_too_slow"
  /** The body was parsed or read before, so its signed bytes are gone. */
  | "body_already_parsed"
  /** `webhook-id` contains a period, so the signed content could be read in two ways. */
  | "ambiguous_id";

/**
 * A delivery isn't authentic, or can't be verified. Don't use its content.
 *
 * Check `reason`. The message says what to do and contains neither a secret nor any part of the body.
 */
export class WebhookVerificationError extends SvcError {
  protected static override readonly brand: string = "WebhookVerificationError";

  /** Why it was rejected. */
  readonly reason: WebhookRejectionReason;

  constructor(reason: WebhookRejectionReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** A delivery is authentic, but its body isn't a JSON object. Don't ask for it again: the body would be the same. */
export class WebhookPayloadError extends SvcError {
  protected static override readonly brand: string = "WebhookPayloadError";

  /** The delivery's id, from `webhook-id`. */
  readonly id: string;

  constructor(id: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.id = id;
  }
}

/** Puts the operation before the message of an error about a webhook. */
export function nameIn(error: unknown, operation: string): unknown {
  const isOurs =
    error instanceof ConfigError || error instanceof WebhookVerificationError || error instanceof WebhookPayloadError;
  if (!isOurs || error.message.startsWith(`${operation}: `)) return error;
  return withMessage(error, `${operation}: ${error.message}`);
}
