import { ASKS, type QuestionOptions } from "../approvals/question.js";
import type { RunOptions, ToolCall } from "../tool.js";
import type { RunCalls } from "../toolset.js";

/** Whether a call that a library is about to run has to wait for its approval. Asks for it, and runs nothing. */
export async function needsApproval(
  run: RunCalls,
  call: ToolCall,
  approvals: RunOptions["approvals"],
): Promise<boolean> {
  const question: QuestionOptions = { approvals, dryRun: true, [ASKS]: true };
  const [result] = await run([call], question);
  return result?.status === "pending";
}
