import type { RunCalls } from "../call-result.js";
import type { AskDecision, Execution, RunOptions, ToolCall } from "../tool.js";
import type { ApprovalFile, PendingApproval } from "./pending.js";

/** A call that needs an approval before it runs. */
export interface ApprovalRequest {
  /**
   * The call, with the account it will run through. `inner` has the calls it makes: the approval is for all of them.
   */
  readonly execution: Execution;
  /** The files that its arguments name, opened once: these bytes are uploaded. */
  readonly files: readonly ApprovalFile[];
  /** The decision that asks, with its reason and its rule. */
  readonly decision: AskDecision;
  /** Digest of the policy that asks. */
  readonly policyDigest: string;
  /** Calls of other users, sessions or conversations have other scopes, even if their ids are the same. */
  readonly scope: string;
  /** Id of the agent session; `undefined` without one. */
  readonly sessionId: string | undefined;
}

/**
 * The answer to a request for approval:
 *
 * - `approved`: it may run, now and once.
 * - `pending`: no one has decided yet. The call ends with the status `pending`. `error` says why a token didn't count.
 * - `denied`: it doesn't run. The model reads the reason.
 */
export type ApprovalResult =
  | { readonly status: "approved"; readonly approver: string }
  | { readonly status: "pending"; readonly pending: PendingApproval; readonly error: unknown }
  | { readonly status: "denied"; readonly reason: string; readonly approver?: string | undefined };

/** Answers the requests of a policy for approval: the option `approvals` of a toolset. */
export interface Approvals {
  /**
   * Approves or denies one call, after the policy's decision and before budgets and the record of its start. Throw or
   * reject, and nothing runs. A budget or the record of an earlier start can still stop an approved call.
   */
  resolve(request: ApprovalRequest, options: RunOptions): Promise<ApprovalResult>;
}

/** Marks a dry run that still asks for approvals: a library asks before it runs a call. */
export const ASKS = Symbol.for("svc-sdk.asks");

/** Options of such a run. */
interface QuestionOptions extends RunOptions {
  readonly [ASKS]: true;
}

/** Whether the next call of a library has to wait for approval. Asks for it, and runs nothing. */
export async function needsApproval(
  run: RunCalls,
  call: ToolCall,
  approvals: RunOptions["approvals"],
): Promise<boolean> {
  const question: QuestionOptions = { approvals, dryRun: true, [ASKS]: true };
  const [result] = await run([call], question);
  return result?.status === "pending";
}
