import { WebhookVerificationError } from "../errors/webhook.js";
import { isObject, isString } from "../shared/json.js";
import { PARSED, viewOf } from "./request-body.js";

/** Whether a value is a `Request`. */
// Checked by shape: a Request from another realm or a polyfill isn't an instance of this realm's class.
export function isRequest(input: object): input is Request {
  return "bodyUsed" in input && "arrayBuffer" in input;
}

/** @throws {WebhookVerificationError} for an argument without headers or body: what was probably meant. */
export function checkInput(input: unknown): asserts input is object {
  if (isString(input) || viewOf(input)) {
    throw new WebhookVerificationError(
      "missing_header",
      "The headers are missing. Pass a Request or { body, headers } first, then the options: ({ body, headers }, { secret }).",
    );
  }
  if (!isObject(input)) {
    throw new WebhookVerificationError(
      "missing_header",
      "The request is missing. Pass a Request, or { body, headers } with all its headers: the signature alone isn't enough.",
    );
  }
  if ("webhook-signature" in input || ("get" in input && "append" in input)) {
    throw new WebhookVerificationError(
      "missing_header",
      "The argument is the headers alone. Pass a Request or { body, headers } first, then the options: ({ body, headers }, { secret }).",
    );
  }
  if (!("headers" in input) && !("body" in input) && !isRequest(input)) {
    throw new WebhookVerificationError(
      "body_already_parsed",
      `The argument is neither a Request nor { body, headers }. It looks like a parsed body, or wasn't awaited. ${PARSED}`,
    );
  }
}
