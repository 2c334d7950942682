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
  const { approvals, policy, scope, sessionId, maxResultBytes } = dispatching;
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
  switch (judgement?.status) {
    case "approved":
      return execution;
    case "pending": {
      const { pending, error } = judgement;
      return { status: "pending", text: words.pending(name, decision.reason, error !== undefined), pending, error };
    }
    default:
      return { status: "not_run", text: words.refused(name, judgement?.reason), error: judgement?.error };
  }
}
