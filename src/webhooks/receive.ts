import { ConfigError } from "../errors/local.js";
import { isObject } from "../json.js";
import { failureAnswer, requestProblem } from "./answers.js";
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
import { parseDelivery } from "./parse.js";
import { type Report, type Runner, runOnce } from "./run-once.js";
import { createVerifier, type VerifyOptions } from "./verify.js";

/** The circumstances of an error, for `onError`. */
export interface ReceiverFailure {
  /** The status of the response. What fails after it is reported with the same status, or with 503. */
  readonly status: number;
  /** The delivery, where it was authentic and understood so far. */
  readonly delivery: Delivery | undefined;
}

/** Options of {@link createReceiver}. */
export interface ReceiverOptions<Payloads = AnyPayloads> extends VerifyOptions {
  /** The handlers, by event type and by trigger slug. */
  on: Handlers<Payloads>;
  /**
   * Gets every authentic delivery that no handler of `on` takes: event types newer than this package, changed shapes, and
   * what you have no handler for. Keep it or drop it, but decide: after this the sender believes it handled.
   */
  onUnknown: Handler<Delivery>;
  /**
   * Called for every delivery that was rejected or failed, and for failures of the store. If the handler may run a second
   * time, the error's message says so. By default the receiver's own faults go to the console, and rejections, which anyone
   * can cause, go nowhere.
   */
  onError?: ((error: unknown, failure: ReceiverFailure) => unknown) | undefined;
  /**
   * Records handled deliveries. Share one store between processes.
   * @default memoryStore()
   */
  store?: DedupeStore | undefined;
  /**
   * How long a handler may take, in milliseconds. Shorter than the sender waits: see assumption W5.
   *
   * Then its signal aborts and the delivery is answered with 503. While the handler still runs, its claim is renewed and
   * every further delivery of the event is answered with 503 as well. If its process dies, the claim ends after twice this
   * time, but at least 4 seconds. The store may take a quarter of that for each response.
   * @default 9_000
   */
  handlerTimeoutMs?: number | undefined;
}

/** Answers a delivery. Never rejects; given what is no `Request`, it says so to `onError` and answers with 500. */
export type Receiver = (request: Request) => Promise<Response>;

/** What there is beside the options of a verifier; the compiler keeps the list complete. */
const OWN_OPTIONS = Object.keys({
  on: 1,
  onUnknown: 1,
  onError: 1,
  store: 1,
  handlerTimeoutMs: 1,
} satisfies Record<Exclude<keyof ReceiverOptions, keyof VerifyOptions>, 1>);

/**
 * Makes the function that receives deliveries: verifies, parses, runs each event's handler once and answers.
 *
 * | Answer | When |
 * |---|---|
 * | 200 | handled, now or by an earlier delivery of the same id |
 * | 400, 401, 405, 408, 413, 415 | not a delivery, not authentic, too slow, too large, not JSON; no handler ran |
 * | 500 | the handler failed (its claim is released, the sender delivers again), the body was parsed before, or the receiver got no `Request` |
 * | 503 and `Retry-After: 1` | an event with the same id is being handled, its handler takes too long, or the store doesn't respond or record |
 *
 * An event runs once as long as its process lives, isn't suspended, and reaches the store. If the process dies after the
 * handler's effect and before the commit, the event runs again; if that matters, key the effect itself by `delivery.id`.
 *
 * It is itself the handler for Workers, Next.js, Bun, Deno and Hono; `svc-sdk/webhooks/node` adapts it for the rest.
 *
 * @throws {ConfigError} when a secret or another option is not usable. Spec: Events.
 */
export function createReceiver<Key extends HandlerKey>(
  options: Omit<ReceiverOptions, "on"> & { on: HandlersByKey<Key> },
): Receiver;
/** As above, with your own payload type for each trigger slug: `createReceiver<{ GITHUB_COMMIT_EVENT: Commit }>({ … })`. */
export function createReceiver<Payloads>(options: ReceiverOptions<NoInfer<Payloads>>): Receiver;
export function createReceiver<Payloads>(options: ReceiverOptions<Payloads>): Receiver {
  const verify = createVerifier(options, OWN_OPTIONS);
  const { on, onUnknown, store = memoryStore(), handlerTimeoutMs = 9_000, onError = logOwnFaults } = options;
  if (!isObject(on)) throw new ConfigError("createReceiver: on must hold the handlers.");
  if (typeof onUnknown !== "function") {
    throw new ConfigError(
      "createReceiver: onUnknown must say what happens to deliveries that no handler takes. () => {} drops them.",
    );
  }
  if (!(handlerTimeoutMs > 0 && handlerTimeoutMs < 2 ** 30)) {
    throw new ConfigError("createReceiver: handlerTimeoutMs must be above 0 and below 2^30.");
  }
  const report: Report = (error, answer, delivery) => {
    const tell = async () => onError(error, { status: answer.status, delivery });
    void tell().catch((failure: unknown) => console.error("svc-sdk: onError of the webhook receiver failed", failure));
    return answer;
  };
  const runner: Runner = {
    claims: createClaims(store, handlerTimeoutMs),
    dispatch: createDispatch(on, onUnknown),
    handlerTimeoutMs,
    report,
  };

  return async (request: Request, second?: Partial<NodeResponseLike>) => {
    let delivery: Delivery;
    try {
      const problem = requestProblem(request);
      if (problem) return problem;
      delivery = parseDelivery(await verify(request));
    } catch (error) {
      const answer = report(error, failureAnswer(error));
      if (error instanceof ConfigError) endNodeResponse(second);
      return answer;
    }
    return await runOnce(runner, delivery);
  };
}

/** The part of a Node server's response that is used. What a server of the Fetch API passes beside a request has none of it. */
interface NodeResponseLike {
  statusCode: number;
  end(): unknown;
}

/** On a Node server what a receiver returns reaches nobody, and the sender would wait. */
function endNodeResponse(second: Partial<NodeResponseLike> | undefined): void {
  if (typeof second?.end !== "function" || second.statusCode === undefined) return;
  try {
    second.statusCode = 500;
    second.end();
  } catch {
    // It was ended already.
  }
}

function logOwnFaults(error: unknown, { status, delivery }: ReceiverFailure): void {
  // Rejections are not logged: anyone can cause them.
  if (status >= 500) console.error(`svc-sdk: webhook${delivery ? ` ${delivery.id}` : ""} answered ${status}`, error);
}
