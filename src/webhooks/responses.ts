import { ConfigError } from "../errors/local.js";
import { WebhookPayloadError, type WebhookRejectionReason, WebhookVerificationError } from "../errors/webhook.js";

/**
 * The response to a rejected delivery. It helps an operator who reads the sender's log, and contains no number, clock
 * or secret that would help an attacker. The error that `onError` gets says more.
 */
const REJECTIONS: Readonly<Record<WebhookRejectionReason, readonly [status: number, message: string]>> = {
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

/** The response to a delivery that was rejected, or that the receiver failed to read. */
export function failureResponse(error: unknown): Response {
  if (error instanceof WebhookPayloadError) return errorResponse(400, "bad_payload", "The body isn't a JSON object.");
  if (!(error instanceof WebhookVerificationError)) {
    return retryLater(500, "handler_failed", "The receiver failed. Deliver again.");
  }
  const [status, message] = REJECTIONS[error.reason];
  return errorResponse(status, error.reason, message);
}

/**
 * The response to a request that isn't a delivery; `undefined` if it may be one.
 *
 * @throws {ConfigError} if it isn't a `Request`: the receiver is mounted in an unsupported way.
 */
export function requestProblem(request: Request | undefined): Response | undefined {
  // Checked by shape: a Request from another realm or a polyfill isn't an instance of this realm's class.
  if (typeof request?.headers?.get !== "function") {
    throw new ConfigError(
      "createReceiver: the receiver was called without a Request. On a Node server, mount toNodeHandler(receiver) from svc-sdk/webhooks/node.",
    );
  }
  if (request.method !== "POST") {
    return errorResponse(405, "method_not_allowed", "Deliveries are POST requests.", { allow: "POST" });
  }
  // See assumption W7.
  if (!/^application\/json\s*(;|$)/i.test(String(request.headers.get("content-type")))) {
    return errorResponse(415, "unsupported_media_type", "Deliveries are application/json.");
  }
  return undefined;
}

/** The delivery is handled, now or earlier. */
export const accepted = (result: "handled" | "duplicate") => Response.json({ result });

/** Asks the sender to retry the delivery. */
export function retryLater(
  status: 500 | 503,
  reason: "handler_failed" | "running" | "store_unavailable",
  message: string,
): Response {
  return errorResponse(status, reason, message, status === 503 ? { "retry-after": "1" } : {});
}

function errorResponse(
  status: number,
  reason: string,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ error: { reason, message } }, { status, headers });
}
