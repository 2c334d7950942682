// The room of webhooks: it verifies, parses, normalizes and receives events. It imports only `shared`, `errors` and
// types of `resources`, so that a receiver stays small. Start here, then `verify.ts` and `run-once.ts`.

import { ConfigError } from "../errors/local.js";
import * as option from "../errors/option-rules.js";
import { nameIn, WebhookVerificationError } from "../errors/webhook.js";
import { field } from "../shared/json.js";
import { didYouMean } from "../shared/nearest-name.js";
import { Claims } from "./claims.js";
import { memoryDeliveries } from "./dedupe-store.js";
import { EVENT_CHECKS } from "./event-checks.js";
import { isRequest } from "./input.js";
import { createKeyRing } from "./keys.js";
import { normalizeTrigger } from "./normalize.js";
import { type Delivery, parseVerified } from "./parse.js";
import type { Handler, HandlerKey, HandlersByKey, ReceiverOptions } from "./receiver-options.js";
import { createErrorLog, failureResponse } from "./rejections.js";
import { type Dispatch, type Report, type Runner, runOnce } from "./run-once.js";
import { TIMEOUT, VERIFY_OPTIONS, verifyWith } from "./verify.js";

/** Responds to a delivery. Never rejects. Without a `Request`, it calls `onError` and responds with 500. */
export type Receiver = (request: Request) => Promise<Response>;

const RECEIVER_OPTIONS = {
  ...VERIFY_OPTIONS,
  // A promise or a Map has no fields with handlers, so all deliveries would count as unhandled.
  on: option.required({
    ...option.DICTIONARY,
    must: "a plain object. Pass the handlers, or {} if onUnhandled handles everything",
  }),
  onUnhandled: option.required(
    option.fitting("a function. It gets deliveries that no handler matches; () => {} drops them", option.isFunction),
  ),
  onError: option.FUNCTION,
  triggerSlugs: option.either(option.STRINGS, option.FUNCTION),
  store: option.withMethods(["claim", "renew", "commit", "release"], "redisDeliveries(), memoryDeliveries() or "),
  handlerTimeoutMs: { ...TIMEOUT, default: 9_000 },
} as const satisfies option.Rules<ReceiverOptions>;

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

function receiverOf(given: ReceiverOptions): Receiver {
  // A JavaScript program may have forgotten them.
  const options = option.checkAll("createReceiver", given ?? (null as never), RECEIVER_OPTIONS);
  const ring = createKeyRing(options);
  const { on, onUnhandled, store = memoryDeliveries(), handlerTimeoutMs, onError = createErrorLog() } = options;
  if (options.triggerSlugs) void warnOfUnknownSlugs(on, options.triggerSlugs);
  const report: Report = (error, response, delivery) => {
    const callOnError = async () => onError(error, { status: response.status, delivery });
    void callOnError().catch((failure: unknown) =>
      console.error("svc-sdk: onError of the webhook receiver failed", failure),
    );
    return response;
  };
  const claims = new Claims(store, handlerTimeoutMs);
  const runner: Runner = { claims, dispatch: createDispatch(on, onUnhandled), handlerTimeoutMs, report };

  return async function receiver(request: Request, second?: Partial<NodeResponseLike>) {
    let delivery: Delivery;
    try {
      checkRequest(request);
      delivery = parseVerified(await verifyWith(options, ring, request));
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
 * Checks that a request may be a delivery.
 *
 * @throws {ConfigError} if it isn't a `Request`: the receiver is mounted in an unsupported way.
 * @throws {WebhookVerificationError} if it's another kind of request.
 */
function checkRequest(request: unknown): asserts request is Request {
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

/** Logs each handler whose trigger type doesn't exist, with the slug that was probably meant. */
async function warnOfUnknownSlugs(
  handlers: object,
  triggerSlugs: readonly string[] | (() => Promise<readonly string[]>),
): Promise<void> {
  try {
    const known = typeof triggerSlugs === "function" ? await triggerSlugs() : triggerSlugs;
    for (const slug of Object.keys(handlers)) {
      if (slug.includes(".") || known.includes(slug)) continue;
      const advice = didYouMean(slug, known, " Remove the handler, or check the slug.");
      console.warn(
        `svc-sdk: createReceiver: on[${JSON.stringify(slug)}] never runs: no trigger type has this slug.${advice}`,
      );
    }
  } catch (error) {
    console.warn("svc-sdk: createReceiver: triggerSlugs failed, so the handlers' slugs aren't checked", error);
  }
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
