import { SvcError } from "../errors/base.js";
import { outcomeWithin } from "../shared/timers.js";
import type { Claims, CommitEnd, RenewedClaim } from "./claims.js";
import type { Dispatch } from "./dispatch.js";
import type { Delivery } from "./parse.js";
import { errorResponse } from "./rejections.js";

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

const running = () => errorResponse(503, "running", "This delivery is being handled right now.");
const unavailable = (message: string) => errorResponse(503, "store_unavailable", message);

/** Runs the handler of a delivery unless it already ran or is running now. Never rejects. */
export async function runOnce(runner: Runner, delivery: Delivery): Promise<Response> {
  const controller = new AbortController();
  try {
    const claim = await runner.claims.take(delivery.id, (error) => controller.abort(error));
    if (claim === "committed") return accepted("duplicate");
    if (claim === "running") return running();
    return await new HandlerRun(runner, delivery, claim).respond(controller);
  } catch (error) {
    const response = unavailable("The receiver can't tell whether it handled this delivery.");
    return runner.report(error, response, delivery);
  }
}

/** One run of a handler, for a delivery whose claim the receiver holds. */
class HandlerRun {
  readonly #runner: Runner;
  readonly #delivery: Delivery;
  readonly #claim: RenewedClaim;

  constructor(runner: Runner, delivery: Delivery, claim: RenewedClaim) {
    this.#runner = runner;
    this.#delivery = delivery;
    this.#claim = claim;
  }

  /** Runs the handler, and ends its claim when the handler has ended. */
  async respond(controller: AbortController): Promise<Response> {
    const { dispatch, handlerTimeoutMs } = this.#runner;
    const { token } = this.#claim;
    const handling = dispatch(this.#delivery, { delivery: this.#delivery, signal: controller.signal, claim: token });
    const outcome = await outcomeWithin(handling, handlerTimeoutMs);
    switch (outcome.status) {
      case "fulfilled":
        return await this.#commit();
      case "rejected": {
        const response = errorResponse(500, "handler_failed", "The receiver's handler failed. Deliver again.");
        await this.#release(response);
        return this.#report(outcome.reason, response);
      }
      case "late":
        return this.#leaveRunning(handling, controller);
    }
  }

  /** Keeps the claim of a handler that still runs: another delivery must not start a second copy. */
  #leaveRunning(handling: Promise<void>, controller: AbortController): Response {
    const error = this.#error(
      `The handler of delivery ${this.#delivery.id} didn't finish within handlerTimeoutMs (${this.#runner.handlerTimeoutMs} ms) and ` +
        "still runs. Until it ends, the sender gets 503. Let it end when its signal aborts, and hand long work to a queue.",
    );
    controller.abort(error);
    const response = running();
    handling.then(
      () => this.#commit(),
      async (reason: unknown) => {
        await this.#release(response);
        // A handler that ended because of the abort has nothing new to report.
        if (reason !== error) this.#report(reason, response);
      },
    );
    return this.#report(error, response);
  }

  /** Releases the claim of a handler that failed. If that fails, the claim ends with its lease. */
  async #release(response: Response): Promise<void> {
    try {
      await this.#claim.release();
    } catch (error) {
      this.#report(error, response);
    }
  }

  /** Commits the claim of a handler that has run. If the store is slow, it responds with 503 and keeps trying. */
  async #commit(): Promise<Response> {
    const committing = this.#claim.commit();
    const outcome = await outcomeWithin(committing, this.#runner.claims.storeTimeoutMs);
    switch (outcome.status) {
      case "fulfilled":
        return this.#committed(outcome.value);
      case "rejected":
        return this.#unrecorded(outcome.reason, SECOND_RUN);
      case "late":
        committing.then(
          (end) => this.#committed(end),
          (error: unknown) => this.#unrecorded(error, SECOND_RUN),
        );
        return this.#unrecorded(
          this.#claim.problem,
          "The receiver retries until the claim ends. If that fails, the next delivery runs the handler a second time.",
        );
    }
  }

  /** The response when the store has replied to a commit. */
  #committed(end: CommitEnd): Response {
    const { problem } = this.#claim;
    switch (end) {
      case "committed":
        return accepted("handled");
      case "uncertain":
        // No other receiver has to be there.
        return this.#unrecorded(problem, SECOND_RUN);
      case "lost": {
        const lost = `The claim of delivery ${this.#delivery.id} was lost before its handler ended. Another receiver may have run the handler too.`;
        return this.#report(this.#error(lost, problem), running());
      }
    }
  }

  /** The handler has run, but the store hasn't recorded it. */
  #unrecorded(cause: unknown, next: string): Response {
    const why = cause instanceof Error ? ` (${cause.message})` : "";
    const error = `The handler of delivery ${this.#delivery.id} has run, but the store didn't record it${why}. ${next}`;
    return this.#report(
      this.#error(error, cause),
      unavailable("The receiver couldn't record this delivery. Deliver again."),
    );
  }

  #error(message: string, cause?: unknown): SvcError {
    return new SvcError(`createReceiver: ${message}`, { cause });
  }

  #report(error: unknown, response: Response): Response {
    return this.#runner.report(error, response, this.#delivery);
  }
}

const SECOND_RUN = "The next delivery runs the handler a second time.";
