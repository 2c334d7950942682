import type { SettleLimits } from "./settler.js";

/** Options of a toolset for the calls of a turn, and for their results. */
export interface TurnOptions {
  /**
   * Largest result that the model reads, in bytes. A larger one is shortened to valid JSON, with a note.
   * @default 32_768
   */
  readonly maxResultBytes?: number | undefined;
  /**
   * Largest total size of the results of one `run`, in bytes. For adapters whose `run` takes a response, this is one
   * turn. Failures and calls that wait for approval have priority, and the remaining results share the rest. Each stays
   * valid JSON, with a note.
   * @default 100_000
   */
  readonly maxTurnBytes?: number | undefined;
  /**
   * Maximum number of a turn's calls that run at the same time. Calls start in order. With 1, a crash during a call
   * leaves the following calls not run.
   * @default all calls of the turn
   */
  readonly concurrency?: number | undefined;
  /**
   * Looks up calls with an unknown outcome in the service's execution log before the model gets the result, like
   * `tools.settle`. A call that another process started and never finished is looked up when it is called again: if the
   * log doesn't have it, it stays `unknown`, because that process may still send it. Pass an object to limit the
   * search, and to promise `exclusive` or `loggedWithinMs`.
   * @default false
   */
  readonly settle?: boolean | SettleLimits | undefined;
}
