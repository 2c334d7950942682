import type { AgentTool, Execution } from "./agent-tool.js";
import type { CallResult, Ending } from "./call-result.js";
import type { CallFiles } from "./files.js";
import type { RunOptions } from "./run-options.js";

/**
 * Whether a call may run:
 *
 * - `runs`: it may, with the account that was approved.
 * - `ends`: it ends without having run.
 * - `denied`: a person denied it, which stays. The model reads the text.
 */
export type Permission =
  | { readonly kind: "runs"; readonly execution: Execution }
  | { readonly kind: "ends"; readonly ending: Ending }
  | { readonly kind: "denied"; readonly text: string };

/** A call whose result gets labels. */
export interface LabeledCall {
  readonly tool: AgentTool;
  /** The call as it was started, with the calls that it makes; `undefined` if this run didn't start it. */
  readonly started: Execution | undefined;
  /** The labels in its record, if the same policy gave them. */
  readonly recordedLabels: readonly string[] | undefined;
}

/** The labels of results and of the conversation. */
export interface Labels {
  /** The labels of a call's result. Its ending has those of its record, or those that middleware gave it. */
  of(call: LabeledCall, ending: Ending): readonly string[];
  /** Records the labels of results, which the model may read then. The others are withheld. */
  release(results: CallResult[], signal: AbortSignal | undefined): Promise<CallResult[]>;
  /** Adds a label to the conversation. @throws {ConfigError} if no rule gives it, or the conversation has no id. */
  add(label: string, signal: AbortSignal | undefined): Promise<void>;
}

/** A policy as a toolset asks it. */
export interface Guard {
  /** Identifies the policy. */
  readonly digest: string;
  /** Evaluates a call right before it would run: the policy's decision, the approval, the budgets. */
  decide(call: Execution, files: CallFiles | undefined, options: RunOptions): Promise<Permission>;
  /** Records that a call that was counted lacks an account, so that it isn't counted again. Never rejects. */
  parked(call: Execution): Promise<void>;
  /** Whether every call of a tool is allowed, whatever its arguments, without an approval or a budget. */
  isUnconditional(tool: AgentTool): boolean;
  /** `undefined` if the policy has none. */
  readonly labels: Labels | undefined;
}
