import { ASKS, type QuestionOptions } from "../approvals/types.js";
import type { RunCalls } from "../call-result.js";
import type { RunOptions, ToolCall } from "../tool.js";

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
