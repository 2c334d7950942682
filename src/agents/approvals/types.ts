import type { AskDecision, Execution, RunOptions } from "../tool.js";

/** A call that needs an approval before it runs. */
export interface ApprovalRequest {
  /** The call. `inner` has the calls it makes, if it is one of a tool that runs several others: the approval is for all of them. */
  readonly execution: Execution;
  /** The decision that asks, with its reason and its rule. */
  readonly decision: AskDecision;
  /** Digest of the policy that asks. */
  readonly policyDigest: string;
  /** Calls of other users, sessions or conversations have other scopes, even if their ids are the same. */
  readonly scope: string;
}

/** A call that waits for an approval. Nothing of it has run. */
export interface PendingApproval {
  /** The call, with the calls it makes. */
  readonly execution: Execution;
  /** Why it needs an approval. */
  readonly reason: string;
  /** The text for the model. */
  readonly text: string;
}

/**
 * The judgement about a call that needs an approval:
 *
 * - `approved`: it may run, now and once.
 * - `pending`: no one has decided yet. The call ends with the status `pending`.
 * - `refused`: it doesn't run. The model reads the reason.
 */
export type Judgement =
  | { readonly status: "approved"; readonly approver: string | undefined }
  | { readonly status: "pending"; readonly pending: PendingApproval }
  | { readonly status: "refused"; readonly reason: string };

/** Judges calls that a policy asks about: the option `approvals` of a toolset. */
export interface Approvals {
  /**
   * Judges one call, after the policy's decision and before budgets, files and the record of its start. Throw or reject, and
   * nothing runs. A call that is `approved` can still be stopped by a budget, a file or the record of an earlier start.
   */
  judge(request: ApprovalRequest, options: RunOptions): Promise<Judgement>;
}
