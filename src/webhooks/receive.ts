import { ConfigError } from "../errors/local.js";
import { isRecord } from "../shared/json.js";
import { createClaims } from "./claims.js";
import { type DedupeStore, memoryStore } from "./dedupe.js";
import type { Delivery } from "./delivery.js";
import {
  type AnyPayloads,
  createDispatch,
  type Handler,
  type HandlerKey,
  type Handlers,
  type HandlersByKey,
} from "./handlers.js";
import { nameIn } from "./options.js";
import { parseVerified } from "./parse.js";
import { failureResponse, requestProblem } from "./responses.js";
import { type Report, type Runner, runOnce } from "./run-once.js";
import { createVerifier, type Verifier, type VerifyOptions } from "./verify.js";

/** The second argument of `onError`. */
export interface ReceiverErrorContext {
  /** The status of the response. Errors after the response are reported with the same status, or with 503. */
  readonly status: number;
  /** The delivery, if it was authentic and could be parsed. */
  readonly delivery: Delivery | undefined;
}

/** Options of {@link createReceiver}. */
export interface ReceiverOptions<Payloads = AnyPayloads> extends VerifyOptions {
  /** The handlers, by event type and by trigger slug. */
  on: Handlers<Payloads>;
  /**
   * Gets every authentic delivery that no handler in `on` matches: event types newer than this package, changed shapes,
   * and events without a handler. Store it or drop it: after this, the sender considers it handled.
   */
  onUnhandled: Handler<Delivery>;
  /**
   * Called for every delivery that was rejected or failed, and for failures of the store. If the handler may run a
   * second time, the error's message says so. By default, the receiver's own errors are logged to the console.
   * Rejections aren't logged, because anyone can cause them.
   */
  onError?: ((error: unknown, context: ReceiverErrorContext) => unknown) | undefined;
  /**
   * Records handled deliveries. Share one store between processes.
   * @default memoryStore()
   */
  store?: DedupeStore | undefined;
  // See assumption W5.
  /**
   * How long a handler may take, in milliseconds. Shorter than the sender waits.
   *
   * After that its signal aborts, and the sender gets 503. While the handler still runs, its claim is renewed, and the
   * sender gets 503 for every other delivery of the event as well. If the process dies, the claim ends after twice this
   * time, but at least 4 seconds. The store may take a quarter of that for each response.
   * @default 9_000
   */
  handlerTimeoutMs?: number | undefined;
}

/** Responds to a delivery. Never rejects. Without a `Request`, it calls `onError` and responds with 500. */
export type Receiver = (request: Request) => Promise<Response>;

/** The name in messages, for deliveries as well. */
const OPERATION = "createReceiver";

/** Every option that isn't a verifier's. The compiler keeps the list complete. */
const OWN_OPTIONS = Object.keys({
  on: 1,
  onUnhandled: 1,
  onError: 1,
  store: 1,
  handlerTimeoutMs: 1,
} satisfies Record<Exclude<keyof ReceiverOptions, keyof VerifyOptions>, 1>);

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
export function createReceiver<Payloads>(options: ReceiverOptions<Payloads>): Receiver {
  const verify = verifierOf(options);
  const { on, onUnhandled, store = memoryStore(), handlerTimeoutMs = 9_000, onError = logOwnErrors } = options;
  // A promise or a Map has no handlers, so all deliveries would count as unhandled.
  if (!isRecord(on))
    throw new ConfigError(
      "createReceiver: on must be an object. Pass the handlers, or {} if onUnhandled handles everything.",
    );
  if (typeof onUnhandled !== "function") {
    throw new ConfigError(
      "createReceiver: onUnhandled must be a function. It gets deliveries that no handler matches; () => {} drops them.",
    );
  }
  if (!(handlerTimeoutMs > 0 && handlerTimeoutMs < 2 ** 30)) {
    throw new ConfigError("createReceiver: handlerTimeoutMs must be above 0 and below 2^30.");
  }
  const report: Report = (error, response, delivery) => {
    const callOnError = async () => onError(error, { status: response.status, delivery });
    void callOnError().catch((failure: unknown) =>
      console.error("svc-sdk: onError of the webhook receiver failed", failure),
    );
    return response;
  };
  const runner: Runner = {
    claims: createClaims(store, handlerTimeoutMs),
    dispatch: createDispatch(on, onUnhandled),
    handlerTimeoutMs,
    report,
  };

  return async function receiver(request: Request, second?: Partial<NodeResponseLike>) {
    let delivery: Delivery;
    try {
      const problem = requestProblem(request);
      if (problem) return problem;
      delivery = parseVerified(await verify(request));
    } catch (thrown) {
      const error = nameIn(thrown, OPERATION);
      const response = report(error, failureResponse(error));
      if (error instanceof ConfigError) endNodeResponse(second);
      return response;
    }
    return await runOnce(runner, delivery);
  };
}

function verifierOf(options: VerifyOptions): Verifier {
  try {
    return createVerifier(options, OWN_OPTIONS);
  } catch (error) {
    throw nameIn(error, OPERATION);
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

function logOwnErrors(error: unknown, { status, delivery }: ReceiverErrorContext): void {
  // Rejections are not logged: anyone can cause them.
  if (status >= 500) console.error(`svc-sdk: webhook${delivery ? ` ${delivery.id}` : ""}: responded ${status}`, error);
}
