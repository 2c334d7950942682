import { ConfigError } from "../errors/local.js";
import * as option from "../errors/option-rules.js";
import {
  nameIn,
  WebhookPayloadError,
  type WebhookRejectionReason,
  WebhookVerificationError,
} from "../errors/webhook.js";
import { isLiteral, isRecord } from "../shared/json.js";
import { createClaims } from "./claims.js";
import { memoryStore } from "./dedupe.js";
import { EVENT_CHECKS } from "./event-checks.js";
import { normalizeTrigger } from "./normalize.js";
import { type Delivery, parseVerified } from "./parse.js";
import type { Handler, HandlerKey, HandlersByKey, ReceiverErrorContext, ReceiverOptions } from "./receiver-options.js";
import { type Dispatch, errorResponse, type Report, type Runner, runOnce } from "./run-once.js";
import { createVerifier, TIMEOUT, VERIFY_RULES } from "./verify.js";

/** Responds to a delivery. Never rejects. Without a `Request`, it calls `onError` and responds with 500. */
export type Receiver = (request: Request) => Promise<Response>;

const RULES: option.Rules<ReceiverOptions> = {
  ...VERIFY_RULES,
  // A promise, a Map or an instance has no fields with handlers, so all deliveries would count as unhandled.
  on: option.required(
    option.fitting(
      "a plain object. Pass the handlers, or {} if onUnhandled handles everything",
      (value) => isRecord(value) && isLiteral(value),
    ),
  ),
  onUnhandled: option.required(
    option.fitting("a function. It gets deliveries that no handler matches; () => {} drops them", option.isFunction),
  ),
  onError: option.FUNCTION,
  store: option.withMethods(["claim", "renew", "commit", "release"], "redisStore(), memoryStore() or "),
  handlerTimeoutMs: TIMEOUT,
};

/**
 * Creates the function that receives deliveries: it verifies, parses, runs each event's handler once and responds.
 *
 * | Response | When |
 * |---|---|
 * | 200 | handled, now or by an earlier delivery of the same id |
 * | 400, 401, 405, 408, 413, 415 | not a delivery, not authentic, too slow, too large, not JSON; no handler ran |
 * | 500 | the handler failed (its claim is released, the sender delivers again), the body was already parsed, or the receiver was called without a `Request` |
 * | 503 and `Retry-After: 1` | an event with the same id is being handled, its handler takes too long, or the store doesn't respond or record |
 *
 * An event runs once as long as its process lives, isn't suspended, and reaches the store. If the process dies after
 * the handler's effect and before the commit, the event runs again; if that matters, key the effect itself by
 * `delivery.id`.
 *
 * Use it directly in Workers, Next.js, Bun, Deno and Hono. `svc-sdk/webhooks/node` adapts it to other servers.
 *
 * @throws {ConfigError} if a secret or another option isn't usable.
 */
export function createReceiver<Key extends HandlerKey>(
  options: Omit<ReceiverOptions, "on"> & { on: HandlersByKey<Key> },
): Receiver;
/** As above, with your own payload types by trigger slug: `createReceiver<{ GITHUB_COMMIT_EVENT: Commit }>({ … })`. */
export function createReceiver<Payloads>(options: ReceiverOptions<NoInfer<Payloads>>): Receiver;
// The first one again: compilers from 7 on explain an error with the last one alone.
export function createReceiver<Key extends HandlerKey>(
  options: Omit<ReceiverOptions, "on"> & { on: HandlersByKey<Key> },
): Receiver;
export function createReceiver(options: ReceiverOptions): Receiver {
  try {
    return receiverOf(options);
  } catch (error) {
    throw nameIn(error, "createReceiver");
  }
}

function receiverOf(options: ReceiverOptions): Receiver {
  const verify = createVerifier(options, RULES);
  const { on, onUnhandled, store = memoryStore(), handlerTimeoutMs = 9_000, onError = logOwnErrors } = options;
  const report: Report = (error, response, delivery) => {
    const callOnError = async () => onError(error, { status: response.status, delivery });
    void callOnError().catch((failure: unknown) =>
      console.error("svc-sdk: onError of the webhook receiver failed", failure),
    );
    return response;
  };
  const claims = createClaims(store, handlerTimeoutMs);
  const runner: Runner = { claims, dispatch: createDispatch(on, onUnhandled), handlerTimeoutMs, report };

  return async function receiver(request: Request, second?: Partial<NodeResponseLike>) {
    let delivery: Delivery;
    try {
      const problem = requestProblem(request);
      if (problem) return problem;
      delivery = parseVerified(await verify(request));
    } catch (thrown) {
      const error = nameIn(thrown, "createReceiver");
      const response = report(error, failureResponse(error));
      if (error instanceof ConfigError) endNodeResponse(second);
      return response;
    }
    return await runOnce(runner, delivery);
  };
}

/**
 * Checks the handlers and creates the function that picks one.
 *
 * @throws {ConfigError} if a handler could never run. Names it.
 */
function createDispatch(handlers: object, onUnhandled: Handler<Delivery>): Dispatch {
  // Typed as accepting any event: the key alone decides which event a handler gets.
  const byKey = new Map<string | undefined, Handler<unknown>>();
  for (const [key, handler] of Object.entries(handlers)) {
    if (handler === undefined) continue;
    const name = `on[${JSON.stringify(key)}]`;
    if (typeof handler !== "function") throw new ConfigError(`${name} must be a function.`);
    const isType = key.includes(".");
    if (isType && !EVENT_CHECKS.V3.has(key)) {
      const types = [...EVENT_CHECKS.V3.keys()].join(", ");
      throw new ConfigError(`${name} would never run. The event types are ${types}; onUnhandled gets all others.`);
    }
    const slug = key.toUpperCase();
    if (!isType && key !== slug) throw new ConfigError(`${name} would never run. Write ${slug}.`);
    byKey.set(key, handler);
  }

  return async (delivery, context) => {
    const event = normalizeTrigger(delivery);
    const forSlug = byKey.get(event?.triggerSlug);
    const forType = delivery.kind === "known" ? byKey.get(delivery.type) : undefined;
    await (forSlug ? forSlug(event, context) : (forType ?? onUnhandled)(delivery, context));
  };
}

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
function failureResponse(error: unknown): Response {
  if (error instanceof WebhookPayloadError) return errorResponse(400, "bad_payload", "The body isn't a JSON object.");
  if (!(error instanceof WebhookVerificationError)) {
    return errorResponse(500, "handler_failed", "The receiver failed. Deliver again.");
  }
  const [status, message] = REJECTIONS[error.reason];
  return errorResponse(status, error.reason, message);
}

/**
 * The response to a request that isn't a delivery; `undefined` if it may be one.
 *
 * @throws {ConfigError} if it isn't a `Request`: the receiver is mounted in an unsupported way.
 */
function requestProblem(request: Request | undefined): Response | undefined {
  // Checked by shape: a Request from another realm or a polyfill isn't an instance of this realm's class.
  if (typeof request?.headers?.get !== "function") {
    throw new ConfigError(
      "the receiver was called without a Request. On a Node server, mount toNodeHandler(receiver) from svc-sdk/webhooks/node.",
    );
  }
  if (request.method !== "POST") {
    return errorResponse(405, "method_not_allowed", "Deliveries are POST requests.");
  }
  // See assumption W7.
  if (!/^application\/json\s*(;|$)/i.test(String(request.headers.get("content-type")))) {
    return errorResponse(415, "unsupported_media_type", "Deliveries are application/json.");
  }
  return undefined;
}

/** The used part of a Node server's response. Fetch API servers pass a second argument without these fields. */
interface NodeResponseLike {
  statusCode: number;
  end(): unknown;
}

/** Ends the response of a Node server, which ignores what a receiver returns: the sender would wait. */
function endNodeResponse(second: Partial<NodeResponseLike> | undefined): void {
  if (typeof second?.end !== "function" || second.statusCode === undefined) return;
  try {
    second.statusCode = 500;
    second.end();
  } catch {
    // It was already ended.
  }
}

function logOwnErrors(error: unknown, { status, delivery }: ReceiverErrorContext): void {
  // Rejections are not logged: anyone can cause them.
  if (status >= 500) console.error(`svc-sdk: webhook${delivery ? ` ${delivery.id}` : ""}: responded ${status}`, error);
}
