import { SvcError } from "../errors/base.js";
import { outcomeWithin } from "../shared/timers.js";
import type { Claims, CommitEnd, RenewedClaim } from "./claims.js";
import type { Delivery } from "./parse.js";
import type { HandlerContext } from "./receiver-options.js";
import { errorResponse } from "./rejections.js";

/** Passes an error to the receiver's `onError`, with the status of the response. */
export type Report = (error: unknown, response: Response, delivery?: Delivery) => Response;

/** Runs the handler of a delivery. */
export type Dispatch = (delivery: Delivery, context: HandlerContext) => Promise<void>;

export interface Runner {
  readonly claims: Claims;
  readonly dispatch: Dispatch;
  readonly handlerTimeoutMs: number;
  readonly report: Report;
}

/** The delivery is handled, now or earlier. */
const accepted = (result: "handled" | "duplicate") => Response.json({ result });

const running = () => errorResponse(503, "running", "This delivery is being handled right now.");
const unavailable = (message: string) => errorResponse(503, "store_unavailable", message);

/** One run of a handler, for a delivery whose claim the receiver holds. */
interface HandlerRun extends Runner {
  readonly delivery: Delivery;
  readonly claim: RenewedClaim;
}

/** Runs the handler of a delivery unless it already ran or is running now, and ends its claim. Never rejects. */
export async function runOnce(runner: Runner, delivery: Delivery): Promise<Response> {
  const { claims, dispatch, handlerTimeoutMs, report } = runner;
  const controller = new AbortController();
  try {
    const claim = await claims.take(delivery.id, (error) => controller.abort(error));
    if (claim === "committed") return accepted("duplicate");
    if (claim === "running") return running();
    const run: HandlerRun = { ...runner, delivery, claim };
    const handling = dispatch(delivery, { delivery, signal: controller.signal, claim: claim.token });
    const outcome = await outcomeWithin(handling, handlerTimeoutMs);
    switch (outcome.status) {
      case "fulfilled":
        return await commit(run);
      case "rejected": {
        const response = errorResponse(500, "handler_failed", "The receiver's handler failed. Deliver again.");
        await release(run, response);
        return report(outcome.reason, response, delivery);
      }
      case "late":
        return leaveRunning(run, handling, controller);
    }
  } catch (error) {
    const response = unavailable("The receiver can't tell whether it handled this delivery.");
    return report(error, response, delivery);
  }
}

/** Keeps the claim of a handler that still runs: another delivery must not start a second copy. */
function leaveRunning(run: HandlerRun, handling: Promise<void>, controller: AbortController): Response {
  const { delivery, handlerTimeoutMs, report } = run;
  const error = failure(
    `The handler of delivery ${delivery.id} didn't finish within handlerTimeoutMs (${handlerTimeoutMs} ms) and ` +
      "still runs. Until it ends, the sender gets 503. Let it end when its signal aborts, and hand long work to a queue.",
  );
  controller.abort(error);
  const response = running();
  handling.then(
    () => commit(run),
    async (reason: unknown) => {
      await release(run, response);
      // A handler that ended because of the abort has nothing new to report.
      if (reason !== error) report(reason, response, delivery);
    },
  );
  return report(error, response, delivery);
}

/** Releases the claim of a handler that failed. If that fails, the claim ends with its lease. */
async function release({ claim, delivery, report }: HandlerRun, response: Response): Promise<void> {
  try {
    await claim.release();
  } catch (error) {
    report(error, response, delivery);
  }
}

/** Commits the claim of a handler that has run. If the store is slow, it responds with 503 and keeps trying. */
async function commit(run: HandlerRun): Promise<Response> {
  const committing = run.claim.commit();
  const outcome = await outcomeWithin(committing, run.claims.storeTimeoutMs);
  switch (outcome.status) {
    case "fulfilled":
      return committed(run, outcome.value);
    case "rejected":
      return unrecorded(run, outcome.reason, SECOND_RUN);
    case "late":
      committing.then(
        (end) => committed(run, end),
        (error: unknown) => unrecorded(run, error, SECOND_RUN),
      );
      return unrecorded(
        run,
        run.claim.problem,
        "The receiver retries until the claim ends. If that fails, the next delivery runs the handler a second time.",
      );
  }
}

/** The response when the store has replied to a commit. */
function committed(run: HandlerRun, end: CommitEnd): Response {
  const { claim, delivery, report } = run;
  switch (end) {
    case "committed":
      return accepted("handled");
    case "uncertain":
      // No other receiver has to be there.
      return unrecorded(run, claim.problem, SECOND_RUN);
    case "lost": {
      const lost = `The claim of delivery ${delivery.id} was lost before its handler ended. Another receiver may have run the handler too.`;
      return report(failure(lost, claim.problem), running(), delivery);
    }
  }
}

/** The handler has run, but the store hasn't recorded it. */
function unrecorded({ delivery, report }: HandlerRun, cause: unknown, next: string): Response {
  const why = cause instanceof Error ? ` (${cause.message})` : "";
  const error = `The handler of delivery ${delivery.id} has run, but the store didn't record it${why}. ${next}`;
  const response = unavailable("The receiver couldn't record this delivery. Deliver again.");
  return report(failure(error, cause), response, delivery);
}

const failure = (message: string, cause?: unknown) => new SvcError(`createReceiver: ${message}`, { cause });

const SECOND_RUN = "The next delivery runs the handler a second time.";
