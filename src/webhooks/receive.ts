import { ConfigError } from "../errors/local.js";
import { isObject } from "../json.js";
import { again, done, failureAnswer, requestProblem } from "./answers.js";
import { type Claim, type DedupeStore, memoryStore } from "./dedupe.js";
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
import { createVerifier, type VerifyOptions } from "./verify.js";
import { within } from "./within.js";

/** What went wrong, for `onError`. */
export interface ReceiverFailure {
  /** The status that was answered. */
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
   * Told about every delivery that was refused or failed, and about failures of the store. By default what is the receiver's
   * own fault goes to the console, and refusals, which anybody can cause, go nowhere.
   */
  onError?: ((error: unknown, failure: ReceiverFailure) => unknown) | undefined;
  /**
   * Remembers what was run. A fleet needs a shared one.
   * @default memoryStore()
   */
  store?: DedupeStore | undefined;
  /**
   * How long a handler may take, in milliseconds. Shorter than the sender waits: see assumption W5. A claim ends by itself
   * after twice this time, should its process die. Each answer of the store may take half of it, but at least a second.
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
 * | 400, 401, 405, 413, 415 | not a delivery, not authentic, not JSON; no handler ran |
 * | 500 | the handler failed or took too long (its claim is released, the sender delivers again), the body was parsed before, or the receiver got no `Request` |
 * | 503 and `Retry-After: 1` | an earlier delivery of the same id is being handled, or the store does not answer |
 *
 * An event runs once as long as its process lives. One that dies after a handler's effect and before the commit has the event
 * run again; where that matters, let the effect itself be keyed by `delivery.id`.
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
  const dispatch = createDispatch(on, onUnknown);
  // A store is a network away, however little time the handlers have.
  const storeTimeoutMs = Math.max(handlerTimeoutMs / 2, 1_000);
  const leaseMs = handlerTimeoutMs + 2 * storeTimeoutMs;
  // Clients keep what they are asked until they are connected again, be it for hours.
  const inTime = <Value>(call: Promise<Value>) =>
    within(storeTimeoutMs, call, `The store did not answer within ${storeTimeoutMs} ms. Is it connected?`);

  const report = (error: unknown, answer: Response, delivery?: Delivery): Response => {
    const tell = async () => onError(error, { status: answer.status, delivery });
    void tell().catch((failure: unknown) => console.error("svc-sdk: onError of the webhook receiver failed", failure));
    return answer;
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
    return await runOnce(delivery);
  };

  async function runOnce(delivery: Delivery): Promise<Response> {
    const { id } = delivery;
    let claiming: Promise<Claim> | undefined;
    let token: string;
    try {
      claiming = store.claim(id, leaseMs);
      const claim = await inTime(claiming);
      if (claim.status === "committed") return done("duplicate");
      if (claim.status === "running") return again(503, "running", "This delivery is being handled right now.");
      token = claim.token;
    } catch (error) {
      // Nobody runs what is claimed too late: without this the next delivery would have to wait for the lease's end.
      const giveUp = async (claim: Claim) => claim.status === "claimed" && (await store.release(id, claim.token));
      claiming?.then(giveUp).catch(() => undefined);
      return report(
        error,
        again(503, "store_unavailable", "The receiver cannot tell whether it had this delivery."),
        delivery,
      );
    }

    const controller = new AbortController();
    const run = dispatch(delivery, { delivery, signal: controller.signal });
    try {
      await within(
        handlerTimeoutMs,
        run,
        `The handler of delivery ${id} did not finish within handlerTimeoutMs (${handlerTimeoutMs} ms). Hand long work to a queue, or raise it as far as the sender waits.`,
        controller,
      );
    } catch (error) {
      const answer = again(500, "handler_failed", "The receiver's handler failed. Deliver again.");
      await giveBack(delivery, token, answer);
      // What the handler does from here on has nobody left to tell.
      if (controller.signal.aborted) run.then(() => commitLate(id)).catch(() => undefined);
      return report(error, answer, delivery);
    }
    return await finish(delivery, token);
  }

  async function giveBack(delivery: Delivery, token: string, answer: Response): Promise<void> {
    try {
      await inTime(store.release(delivery.id, token));
    } catch (error) {
      // The claim then ends with its lease.
      report(error, answer, delivery);
    }
  }

  async function finish(delivery: Delivery, token: string): Promise<Response> {
    try {
      if (await inTime(store.commit(delivery.id, token))) return done("handled");
      // The lease ended during the run, so another receiver has it. Its outcome is the one that counts.
      return again(503, "running", "This delivery is being handled right now.");
    } catch (error) {
      // The handler is through: to ask for another delivery would be to ask for a second run.
      return report(error, done("handled"), delivery);
    }
  }

  /** A handler that finishes after its time has still had its effect: the delivery that follows need not run it again. */
  async function commitLate(id: string): Promise<void> {
    const claim = await store.claim(id, leaseMs);
    if (claim.status === "claimed") await store.commit(id, claim.token);
  }
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
  // Refusals are not logged: anybody can cause them.
  if (status >= 500 || status === 200)
    console.error(`svc-sdk: webhook${delivery ? ` ${delivery.id}` : ""} answered ${status}`, error);
}
