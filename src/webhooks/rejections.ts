import { ConfigError } from "../errors/local.js";
import { WebhookPayloadError, type WebhookRejectionReason, WebhookVerificationError } from "../errors/webhook.js";
import { field } from "../shared/json.js";
import { isRequest } from "./input.js";
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
 * Checks that a request may be a delivery.
 *
 * @throws {ConfigError} if it isn't a `Request`: the receiver is mounted in an unsupported way.
 * @throws {WebhookVerificationError} if it's another kind of request.
 */
export function checkRequest(request: unknown): asserts request is Request {
  const problem = isRequest(Object(request)) ? undefined : mountProblem(request);
  if (problem) throw new ConfigError(`the receiver was called without a Request. ${problem}`);
  const { method, headers } = request as Request;
  if (method !== "POST") {
    throw new WebhookVerificationError(
      "method_not_allowed",
      "The request isn't a POST, so it isn't a delivery. Serve pages and health checks at another path.",
    );
  }
  if (!/^application\/json\s*(;|$)/i.test(String(headers.get("content-type")))) {
    throw new WebhookVerificationError(
      "unsupported_media_type",
      "content-type isn't application/json, so the request isn't a delivery. If it is one, pass its headers on unchanged.",
    );
  }
}

/** The solution if the receiver was called with something other than a `Request`, for each framework. */
function mountProblem(argument: unknown): string | undefined {
  const place = [["req"], ["request"], ["req", "raw"]].find((path) =>
    isRequest(Object(path.reduce<unknown>((value, name) => field(value, name), argument))),
  );
  if (place) return `The argument isn't one, but its ${place.join(".")} is: pass that.`;
  if (field(field(argument, "node"), "req")) return "In h3 1, pass toWebRequest(event).";
  // Some servers and tests have requests with fewer methods. Headers are enough here.
  if (typeof field(field(argument, "headers"), "get") === "function") return undefined;
  return "On a Node server, mount toNodeHandler(receiver) from svc-sdk/webhooks/node.";
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
