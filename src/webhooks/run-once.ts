import { SvcError } from "../errors/base.js";
import { again, done } from "./answers.js";
import type { Claims, HeldClaim } from "./claims.js";
import type { Delivery } from "./delivery.js";
import type { Dispatch } from "./handlers.js";
import { within } from "./within.js";

/** Passes an error to the receiver's `onError`, with the status of the response. */
export type Report = (error: unknown, answer: Response, delivery?: Delivery) => Response;

/** What runs deliveries. */
export interface Runner {
  readonly claims: Claims;
  readonly dispatch: Dispatch;
  readonly handlerTimeoutMs: number;
  readonly report: Report;
}

const running = () => again(503, "running", "This delivery is being handled right now.");

/** Runs the handler of a delivery unless it was run before or is running now. Never rejects. */
export async function runOnce(runner: Runner, delivery: Delivery): Promise<Response> {
  const controller = new AbortController();
  let claim: HeldClaim | "running" | "committed";
  try {
    claim = await runner.claims.take(delivery.id, (error) => controller.abort(error));
  } catch (error) {
    const answer = again(503, "store_unavailable", "The receiver cannot tell whether it had this delivery.");
    return runner.report(error, answer, delivery);
  }
  if (claim === "committed") return done("duplicate");
  return claim === "running" ? running() : await run(runner, delivery, claim, controller);
}

async function run(
  runner: Runner,
  delivery: Delivery,
  claim: HeldClaim,
  controller: AbortController,
): Promise<Response> {
  const { handlerTimeoutMs } = runner;
  const handling = runner.dispatch(delivery, { delivery, signal: controller.signal });
  let timeout: SvcError | undefined;
  const onTimeout = () => {
    timeout = new SvcError(
      `The handler of delivery ${delivery.id} did not finish within handlerTimeoutMs (${handlerTimeoutMs} ms) and still runs. ` +
        "Until it ends, the sender gets 503. Let it end when its signal aborts, and hand long work to a queue.",
    );
    controller.abort(timeout);
    return timeout;
  };
  try {
    await within(handlerTimeoutMs, handling, onTimeout);
  } catch (error) {
    if (error !== timeout) {
      return await giveBack(runner, delivery, claim, again(500, "handler_failed", HANDLER_FAILED), error);
    }
    // It still runs, so its claim is kept: another delivery must not start a second copy.
    const answer = runner.report(error, running(), delivery);
    handling
      .then(() => record(runner, delivery, claim))
      .catch((late: unknown) => giveBack(runner, delivery, claim, answer, late === timeout ? undefined : late));
    return answer;
  }
  return await record(runner, delivery, claim);
}

const HANDLER_FAILED = "The receiver's handler failed. Deliver again.";

/** Releases the claim of a handler that failed. */
async function giveBack(
  { report }: Runner,
  delivery: Delivery,
  claim: HeldClaim,
  answer: Response,
  error: unknown,
): Promise<Response> {
  try {
    await claim.release();
  } catch (failure) {
    // The claim then ends with its lease.
    report(failure, answer, delivery);
  }
  return error === undefined ? answer : report(error, answer, delivery);
}

/** Records that the handler has run. If the store can't yet, the response doesn't wait: it goes on behind it. */
async function record({ claims, report }: Runner, delivery: Delivery, claim: HeldClaim): Promise<Response> {
  const { id } = delivery;
  const unrecorded = (next: string, cause: unknown) =>
    new SvcError(`The handler of delivery ${id} has run, but the store did not record it. ${next}`, { cause });
  const answer = again(503, "store_unavailable", "The receiver could not record this delivery. Deliver again.");
  const conclude = (isOurs: boolean): Response => {
    if (isOurs) return done("handled");
    const lost = `The claim of delivery ${id} was lost before its handler ended. Another receiver may have run the handler too.`;
    return report(new SvcError(lost, { cause: claim.problem }), running(), delivery);
  };
  const giveUp = (error: unknown) =>
    report(unrecorded("The next delivery runs the handler a second time.", error), answer, delivery);

  const committing = claim.commit();
  let delay: SvcError | undefined;
  const onTimeout = () => {
    const next =
      "The receiver tries again until the claim ends. If that fails, the next delivery runs the handler a second time.";
    delay = unrecorded(next, claim.problem);
    return delay;
  };
  try {
    return conclude(await within(claims.storeTimeoutMs, committing, onTimeout));
  } catch (error) {
    if (error !== delay) return giveUp(error);
    void committing.then(conclude, giveUp);
    return report(error, answer, delivery);
  }
}
