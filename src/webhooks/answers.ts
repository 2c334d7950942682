import { ConfigError } from "../errors/local.js";
import { WebhookPayloadError, type WebhookRefusal, WebhookVerificationError } from "../errors/webhook.js";

/**
 * What a refused sender is told. Enough for an operator who reads the sender's log; no figure, clock or secret that would
 * help somebody who tries. The error that `onError` gets says more.
 */
const REFUSALS: Readonly<Record<WebhookRefusal, readonly [status: number, message: string]>> = {
  missing_header: [400, "Deliveries carry webhook-id, webhook-timestamp and webhook-signature."],
  duplicate_header: [400, "A webhook header came more than once."],
  bad_timestamp: [400, "webhook-timestamp must be whole seconds since 1970."],
  ambiguous_id: [400, "webhook-id must not hold a full stop."],
  too_old: [401, "The delivery is too old. Check the clocks."],
  too_new: [401, "The delivery's time is in the future. Check the clocks."],
  no_match: [
    401,
    "No signature fits. Check that the receiver has this subscription's secret and gets the body unchanged.",
  ],
  body_too_large: [413, "The body is too large."],
  body_too_slow: [408, "The body took too long."],
  // The sender did nothing wrong and is right to come back once the receiver is mended.
  body_already_parsed: [
    500,
    "Something in front of the receiver parses the body. Keep it raw for this route; the receiver's log says how.",
  ],
};

/** The answer to a delivery that was refused, or that the receiver failed to read. */
export function failureAnswer(error: unknown): Response {
  if (error instanceof WebhookPayloadError) return errorAnswer(400, "bad_payload", "The body is not a JSON object.");
  if (!(error instanceof WebhookVerificationError)) {
    return again(500, "handler_failed", "The receiver failed. Deliver again.");
  }
  const [status, message] = REFUSALS[error.reason];
  return errorAnswer(status, error.reason, message);
}

/**
 * The answer to a request that is no delivery; `undefined` when it may be one.
 *
 * @throws {ConfigError} for what is no `Request`: the receiver is mounted where it does not fit.
 */
export function requestProblem(request: Request | undefined): Response | undefined {
  // By shape: that of another realm or a polyfill is no instance of this one's.
  if (typeof request?.headers?.get !== "function") {
    throw new ConfigError(
      "The receiver was given no Request. On a Node server, mount toNodeHandler(receiver) of svc-sdk/webhooks/node.",
    );
  }
  if (request.method !== "POST") {
    return errorAnswer(405, "method_not_allowed", "Deliveries are POST requests.", { allow: "POST" });
  }
  // See assumption W7.
  if (!/^application\/json\s*(;|$)/i.test(String(request.headers.get("content-type")))) {
    return errorAnswer(415, "unsupported_media_type", "Deliveries are application/json.");
  }
  return undefined;
}

/** The delivery is dealt with, now or before. */
export const done = (result: "handled" | "duplicate") => Response.json({ result });

/** The delivery has to come again. */
export function again(
  status: 500 | 503,
  reason: "handler_failed" | "running" | "store_unavailable",
  message: string,
): Response {
  return errorAnswer(status, reason, message, status === 503 ? { "retry-after": "1" } : {});
}

function errorAnswer(status: number, reason: string, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error: { reason, message } }, { status, headers });
}
