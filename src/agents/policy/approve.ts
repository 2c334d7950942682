import { ConfigError } from "../../errors/local.js";
import { approvalFiles } from "../approvals/approval-files.js";
import type { ApprovalFile } from "../approvals/pending.js";
import type { Conclusion } from "../call-result.js";
import type { CallFiles, GuardedToolset } from "../guard.js";
import type { AskDecision, Execution, RunOptions } from "../tool.js";
import * as words from "../words.js";
import type { Judging } from "./types.js";

/**
 * Asks for the approval of a call.
 *
 * @returns The call, with the account that was approved, if it may run; otherwise how it ends.
 */
export async function approve(
  call: Execution,
  decision: AskDecision,
  { schema, openFile }: CallFiles,
  { approvals, policy, client, scope, sessionId, maxResultBytes, emit }: Judging,
  options: RunOptions,
): Promise<Conclusion | Execution> {
  const { callId, tool, userId } = call;
  const { name } = tool;
  if (!approvals) return { status: "not_run", text: words.needsApproval(name, decision.reason) };
  // What is approved is one account, not whichever is the newest when the call runs.
  const accountId = call.accountId ?? (client && (await newestAccount(client, call, options)));
  const execution = Object.freeze({ ...call, accountId });
  let files: readonly ApprovalFile[];
  try {
    files = tool.kind === "own" ? [] : await approvalFiles(schema, call.arguments, openFile);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return { status: "not_run", text: words.failed(name, error, "not_run", maxResultBytes), error };
  }
  const request = { execution, files, decision, policyDigest: policy.digest, scope, sessionId };
  const judgement = await approvals.judge(request, options);
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

/**
 * The account that the service would choose: the user's newest active one. `undefined` without one, and for tools that
 * need none.
 */
async function newestAccount(
  { connectedAccounts }: NonNullable<GuardedToolset["client"]>,
  { tool: { kind, toolkit }, userId }: Execution,
  { signal, deadlineMs, timeoutMs }: RunOptions,
): Promise<string | undefined> {
  if (kind !== "service" || toolkit === undefined || userId === undefined) return undefined;
  if (!connectedAccounts) throw new ConfigError("toolset: approvals need a client with connectedAccounts.");
  const query = {
    user_ids: [userId],
    toolkit_slugs: [toolkit],
    statuses: ["ACTIVE"],
    order_by: "created_at",
    order_direction: "desc",
    limit: 1,
  } as const;
  const { items } = await connectedAccounts.list(query, { signal, deadlineMs, timeoutMs });
  return items[0]?.id;
}
