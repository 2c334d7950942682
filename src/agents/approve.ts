import type { ApprovalFile } from "./approvals/pending.js";
import type { Conclusion, Dispatching } from "./dispatching.js";
import type { AskDecision, Execution, RunOptions } from "./tool.js";
import * as words from "./words.js";

/** Reads the files that a call's arguments name. */
export type ReadFiles = () => Promise<readonly ApprovalFile[]>;

/**
 * Asks for the approval of a call.
 *
 * @returns The call, with the account that was approved, if it may run; otherwise how it ends.
 */
export async function approve(
  call: Execution,
  decision: AskDecision,
  readFiles: ReadFiles,
  dispatching: Dispatching,
  options: RunOptions,
): Promise<Conclusion | Execution> {
  const { approvals, policy, scope, sessionId, maxResultBytes, emit } = dispatching;
  const { name } = call.tool;
  if (!approvals || !policy) return { status: "not_run", text: words.needsApproval(name, decision.reason) };
  // What is approved is one account, not whichever is the newest when the call runs.
  const accountId = call.accountId ?? (await dispatching.resolveAccount(call.tool));
  const execution = { ...call, accountId };
  let files: readonly ApprovalFile[];
  try {
    files = await readFiles();
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return { status: "not_run", text: words.failed(name, error, "not_run", maxResultBytes), error };
  }
  const request = { execution, files, decision, policyDigest: policy.digest, scope, sessionId };
  const judgement = await approvals.judge(request, options);
  const { callId, tool, userId } = call;
  const facts = { callId, tool, userId, approver: undefined, error: undefined };
  switch (judgement?.status) {
    case "approved":
      emit({ ...facts, type: "judged", judgement: "approved", approver: judgement.approver });
      return execution;
    case "pending": {
      const { pending, error } = judgement;
      emit({ ...facts, type: "judged", judgement: "pending", error });
      return { status: "pending", text: words.pending(name, decision.reason, error !== undefined), pending, error };
    }
    default:
      emit({ ...facts, type: "judged", judgement: "refused", approver: judgement?.approver });
      return { status: "not_run", text: words.refused(name, judgement?.reason) };
  }
}
