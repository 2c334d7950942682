import { SvcError } from "../errors/base.js";
import { within } from "../shared/timers.js";
import type { Claims, HeldClaim } from "./claims.js";
import type { Dispatch } from "./dispatch.js";
import type { Delivery } from "./parse.js";

/** Passes an error to the receiver's `onError`, with the status of the response. */
export type Report = (error: unknown, response: Response, delivery?: Delivery) => Response;

export interface Runner {
  readonly claims: Claims;
  readonly dispatch: Dispatch;
  readonly handlerTimeoutMs: number;
  readonly report: Report;
}

/** The delivery is handled, now or earlier. */
const accepted = (result: "handled" | "duplicate") => Response.json({ result });

/** The response to a delivery that isn't handled. After a 503, the sender should retry soon. */
export function errorResponse(status: number, reason: string, message: string): Response {
  const headers: HeadersInit = status === 503 ? { "retry-after": "1" } : status === 405 ? { allow: "POST" } : {};
  return Response.json({ error: { reason, message } }, { status, headers });
}

const running = () => errorResponse(503, "running", "This delivery is being handled right now.");

/** Runs the handler of a delivery unless it already ran or is running now. Never rejects. */
export async function runOnce(runner: Runner, delivery: Delivery): Promise<Response> {
  const controller = new AbortController();
  let claim: HeldClaim | "running" | "committed";
  try {
    claim = await runner.claims.take(delivery.id, (error) => controller.abort(error));
  } catch (error) {
    const response = errorResponse(
      503,
      "store_unavailable",
      "The receiver can't tell whether it handled this delivery.",
    );
    return runner.report(error, response, delivery);
  }
  if (claim === "committed") return accepted("duplicate");
  return claim === "running" ? running() : await run(runner, delivery, claim, controller);
}

async function run(
  runner: Runner,
  delivery: Delivery,
  claim: HeldClaim,
  controller: AbortController,
): Promise<Response> {
  const { handlerTimeoutMs } = runner;
  const handling = runner.dispatch(delivery, { delivery, signal: controller.signal, claim: claim.token });
  let timeout: SvcError | undefined;
  const onTimeout = () => {
    timeout = new SvcError(
      `createReceiver: The handler of delivery ${delivery.id} didn't finish within handlerTimeoutMs (${handlerTimeoutMs} ms) and ` +
        "still runs. Until it ends, the sender gets 503. Let it end when its signal aborts, and hand long work to a queue.",
    );
    controller.abort(timeout);
    return timeout;
  };
  try {
    await within(handlerTimeoutMs, handling, onTimeout);
  } catch (error) {
    // A handler may reject without an error.
    if (!timeout || error !== timeout) {
      return await fail(runner, delivery, claim, errorResponse(500, "handler_failed", HANDLER_FAILED), error);
    }
    // It still runs, so keep its claim: another delivery must not start a second copy.
    const response = runner.report(error, running(), delivery);
    handling
      .then(() => record(runner, delivery, claim))
      .catch((late: unknown) => fail(runner, delivery, claim, response, late, late === timeout));
    return response;
  }
  return await record(runner, delivery, claim);
}

const HANDLER_FAILED = "The receiver's handler failed. Deliver again.";

/** Releases the claim of a handler that failed, and reports its error. */
async function fail(
  { report }: Runner,
  delivery: Delivery,
  claim: HeldClaim,
  response: Response,
  error: unknown,
  isReported = false,
): Promise<Response> {
  try {
    await claim.release();
  } catch (failure) {
    // The claim then ends with its lease.
    report(failure, response, delivery);
  }
  return isReported ? response : report(error, response, delivery);
}

/** Commits the claim of a handler that has run. If the store is slow, it responds with 503 and keeps trying. */
async function record({ claims, report }: Runner, delivery: Delivery, claim: HeldClaim): Promise<Response> {
  const { id } = delivery;
  const unrecorded = (next: string, cause: unknown) =>
    new SvcError(
      `createReceiver: The handler of delivery ${id} has run, but the store didn't record it${cause instanceof Error ? ` (${cause.message})` : ""}. ${next}`,
      { cause },
    );
  const failed = (error: unknown) =>
    report(
      error,
      errorResponse(503, "store_unavailable", "The receiver couldn't record this delivery. Deliver again."),
      delivery,
    );
  const giveUp = (error: unknown) => failed(unrecorded("The next delivery runs the handler a second time.", error));
  const before = claim.problem;
  const conclude = (isOurs: boolean): Response => {
    if (isOurs) return accepted("handled");
    // The first attempt failed, and the next one found no claim: no other receiver has to be there.
    if (claim.problem !== before) return giveUp(claim.problem);
    const lost = `createReceiver: The claim of delivery ${id} was lost before its handler ended. Another receiver may have run the handler too.`;
    return report(new SvcError(lost, { cause: claim.problem }), running(), delivery);
  };
  const committing = claim.commit();
  let delay: SvcError | undefined;
  const onTimeout = () => {
    const next =
      "The receiver retries until the claim ends. If that fails, the next delivery runs the handler a second time.";
    delay = unrecorded(next, claim.problem);
    return delay;
  };
  try {
    return conclude(await within(claims.storeTimeoutMs, committing, onTimeout));
  } catch (error) {
    if (error !== delay) return giveUp(error);
    void committing.then(conclude, giveUp);
    return failed(error);
  }
}
