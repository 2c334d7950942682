import { SvcError } from "./base.js";

/** Why a delivery was refused. A closed list: a `switch` over it can be complete. */
export type WebhookRefusal =
  /** `webhook-id`, `webhook-timestamp` or `webhook-signature` is absent or empty. */
  | "missing_header"
  /** One of the three came more than once, so it is unclear which value was signed. */
  | "duplicate_header"
  /** `webhook-timestamp` is not a whole number of seconds since 1970. */
  | "bad_timestamp"
  /** Sent longer ago than the tolerance: a replay, or this machine's clock is ahead. */
  | "too_old"
  /** Sent further in the future than the tolerance: this machine's clock is behind. */
  | "too_new"
  /** No signature fits id, timestamp, body and secret. */
  | "no_match"
  /** The body is larger than `maxBodyBytes`. */
  | "body_too_large"
  /** The body did not arrive within `bodyTimeoutMs`. */
  | "body_too_slow"
  /** The bytes that were signed are gone: something parsed or read the body first. */
  | "body_already_parsed"
  /** `webhook-id` holds a full stop, with which the signed text could be read in two ways. */
  | "ambiguous_id";

/**
 * A delivery is not authentic, or cannot be shown to be. Do nothing with its content.
 *
 * Decide by `reason`; the message says what to do and holds neither a secret nor anything of the body.
 */
export class WebhookVerificationError extends SvcError {
  protected static override readonly brand: string = "WebhookVerificationError";

  /** Why it was refused. */
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** A delivery is authentic, but its body is not a JSON object. Sent again, it would be the same. */
export class WebhookPayloadError extends SvcError {
  protected static override readonly brand: string = "WebhookPayloadError";

  /** The delivery's id, from `webhook-id`. */
  readonly id: string;

  constructor(id: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.id = id;
  }
}
