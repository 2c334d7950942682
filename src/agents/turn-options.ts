import type { SettleLimits } from "./settler.js";

/** Options of a toolset for the calls of a turn, and for their results. */
export interface TurnOptions {
  /**
   * Largest result that the model reads, in bytes. A larger one is shortened to valid JSON, with a note.
   * @default 32_768
   */
  readonly maxResultBytes?: number | undefined;
  /**
   * Largest sum of the results of one `run`, in bytes: of a turn, with the adapters whose `run` takes a response.
   * Failures and calls that wait for approval are kept before the others, which share the rest. Each stays valid JSON,
   * with a note.
   * @default 100_000
   */
  readonly maxTurnBytes?: number | undefined;
  /**
   * Maximum number of a turn's calls that run at the same time. Calls are taken in their order, and the start of a call
   * is recorded right before its effect: with 1, a crash in a call leaves the calls after it not run.
   * @default all calls of the turn
   */
  readonly concurrency?: number | undefined;
  /**
   * Settles a call whose outcome is unknown before the model gets the result: reads the service's execution log, as
   * `tools.settle` does. A call that a process started and didn't finish is settled when it is called again. An object
   * sets limits of the search.
   * @default false
   */
  readonly settle?: boolean | SettleLimits | undefined;
}
