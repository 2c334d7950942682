import type { RunOptions } from "../tool.js";

/** Marks a dry run that asks for approvals all the same: a library's own question about a call that it will run. */
export const ASKS = Symbol.for("svc-sdk.asks");

/** Options of such a run. */
export interface QuestionOptions extends RunOptions {
  readonly [ASKS]: true;
}
