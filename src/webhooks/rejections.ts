import { WebhookPayloadError, type WebhookRejectionReason, WebhookVerificationError } from "../errors/webhook.js";
import type { ReceiverErrorContext } from "./receiver-options.js";

/**
 * The response to a rejected delivery. It helps an operator who reads the sender's log, and contains no number, clock
 * or secret that would help an attacker. The error that `onError` gets says more.
 */
const REJECTIONS: Readonly<Record<WebhookRejectionReason, readonly [status: number, message: string]>> = {
  method_not_allowed: [405, "Deliveries are POST requests."],
  // See assumption W7.
  unsupported_media_type: [415, "Deliveries are application/json."],
  missing_header: [400, "Deliveries have the headers webhook-id, webhook-timestamp and webhook-signature."],
  duplicate_header: [400, "A webhook header came more than once."],
  bad_timestamp: [400, "webhook-timestamp must be an integer number of seconds since 1970."],
  ambiguous_id: [400, "webhook-id must not contain a period."],
  too_old: [401, "The delivery is too old. Check the clocks."],
  too_new: [401, "The delivery's time is in the future. Check the clocks."],
  no_match: [
    401,
    "No signature matches. Check that the receiver has this subscription's secret and gets the body unchanged.",
  ],
  body_too_large: [413, "The body is too large."],
  body_too_slow: [408, "The body took too long."],
  // The sender did nothing wrong and should retry after the receiver is fixed.
  body_already_parsed: [
    500,
    "Something in front of the receiver parses the body. Keep it raw for this route; the receiver's log says how.",
  ],
};

/** The response to a delivery that isn't handled. After a 503, the sender should retry soon. */
export function errorResponse(status: number, reason: string, message: string): Response {
  const headers: HeadersInit = status === 503 ? { "retry-after": "1" } : status === 405 ? { allow: "POST" } : {};
  return Response.json({ error: { reason, message } }, { status, headers });
}

/** The response to a delivery that was rejected, or that the receiver failed to read. */
export function failureResponse(error: unknown): Response {
  if (error instanceof WebhookPayloadError) return errorResponse(400, "bad_payload", "The body isn't a JSON object.");
  if (!(error instanceof WebhookVerificationError)) {
    return errorResponse(500, "handler_failed", "The receiver failed. Deliver again.");
  }
  const [status, message] = REJECTIONS[error.reason];
  return errorResponse(status, error.reason, message);
}

/**
 * Creates the default `onError`. It logs each failure of the receiver, and the first rejection for each reason, because
 * anyone can cause more of them.
 */
export function createErrorLog(): (error: unknown, context: ReceiverErrorContext) => void {
  const logged = new Set<string>();
  return (error, { status, delivery }) => {
    const responded = `svc-sdk: webhook${delivery ? ` ${delivery.id}` : ""}: responded ${status}`;
    if (status >= 500) return console.error(responded, error);
    const reason = error instanceof WebhookVerificationError ? error.reason : "bad_payload";
    if (logged.has(reason)) return;
    logged.add(reason);
    const message = error instanceof Error ? error.message : "";
    console.warn(`${responded}: ${message} This is logged once for ${reason}: onError gets every rejection.`);
  };
}
