import { SvcError } from "../errors/base.js";
import { saysNotRun } from "../errors/local.js";
import type { ExecutionToSettle, Settlement, SettleOptions, Svc } from "../index.js";
import type { Json } from "../shared/json.js";
import { ReportedFailure } from "./agent-tool.js";
import type { Ending } from "./call-result.js";
import type { CallLimits } from "./run-options.js";
import type { Subject } from "./subject.js";

/** Limits of the search in the execution log, and what you know about your calls. As the options of `tools.settle`. */
export type SettleLimits = Pick<SettleOptions, "deadlineMs" | "pollMs" | "exclusive" | "loggedWithinMs">;

type Settle = Svc["tools"]["settle"];

/** Looks up in the execution log what became of calls whose outcome is unknown. */
export class Settler {
  readonly #settle: Settle;
  readonly #owner: Pick<ExecutionToSettle, "userId" | "sessionId">;
  readonly #limits: SettleLimits;

  constructor(settle: Settle, { userId, sessionId }: Pick<Subject, "userId" | "sessionId">, limits: SettleLimits) {
    this.#settle = settle;
    this.#owner = sessionId === undefined ? { userId } : { sessionId };
    this.#limits = limits;
  }

  /**
   * The data of a call, even if its response is lost.
   *
   * @throws {ReportedFailure} if the tool ran and reported a failure.
   * @throws the call's error if the log doesn't tell what became of it.
   */
  async settled(sending: Promise<unknown>, { signal }: CallLimits): Promise<unknown> {
    try {
      return await sending;
    } catch (error) {
      if (signal?.aborted || error instanceof ReportedFailure || saysNotRun(error)) throw error;
      return dataOf(await this.#look(error, this.#limits, signal), error);
    }
  }

  /**
   * Looks up a call of which only the start is recorded, perhaps by another process.
   *
   * @param requestId - The `x-request-id` of the call.
   * @param end - Ends the call in the program's middleware, which may change the arguments, with the data that `find`
   * returns. `find` throws as `settled` does.
   * @returns How it ended, as middleware returns it; otherwise why that stays unknown, if there is an error.
   */
  async lookUp(
    toolSlug: string,
    requestId: string,
    end: (find: (args: Json) => Promise<unknown>) => Promise<Ending>,
    { signal }: CallLimits,
  ): Promise<{ readonly ending: Ending | undefined; readonly error: unknown }> {
    // When it started isn't known, and its process may still send it. So its absence from the log proves nothing.
    const { loggedWithinMs: _, ...limits } = this.#limits;
    const started = { toolSlug, ...this.#owner, startedAfter: new Date(), requestId };
    let isFound = false;
    const find = async (args: Json) => {
      const settlement = await this.#look({ ...started, arguments: args }, limits, signal);
      isFound = settlement.outcome === "succeeded" || settlement.outcome === "failed";
      const reason = settlement.outcome === "unknown" ? settlement.reason : "";
      const words = "the execution log doesn't tell what became of a call that another run has started";
      return dataOf(settlement, new SvcError(`${words}: ${reason}. tools.settle() documents the reasons.`));
    };
    try {
      const ending = await end(find);
      // Middleware that ends the call itself doesn't know that it may have run.
      return { ending: isFound && ending.status !== "unknown" ? ending : undefined, error: ending.error };
    } catch (error) {
      signal?.throwIfAborted();
      return { ending: undefined, error };
    }
  }

  /** A failure of the search says nothing about the call, not even if it says that nothing was sent. */
  async #look(subject: unknown, limits: SettleLimits, signal: AbortSignal | undefined): Promise<Settlement> {
    try {
      return await this.#settle(subject, { ...limits, signal });
    } catch (cause) {
      signal?.throwIfAborted();
      return { outcome: "unknown", reason: "log_unavailable", cause };
    }
  }
}

function dataOf(settlement: Settlement, error: unknown): unknown {
  switch (settlement.outcome) {
    case "succeeded":
      // A project that stores no results.
      return settlement.data ?? { successful: true };
    case "failed":
      throw new ReportedFailure(settlement.error, { cause: settlement.data });
    case "not_run":
      throw Object.assign(new SvcError("the call didn't reach the service."), { outcome: "not_sent", cause: error });
    default:
      throw error;
  }
}
