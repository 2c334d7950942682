import { sha256Of } from "../../shared/digest.js";
import { isString, type Json } from "../../shared/json.js";
import type { Execution } from "../agent-tool.js";
import * as messages from "../call/messages.js";
import type { Ending } from "../call-result.js";
import { type CallFiles, type FileContent, type OpenFile, withUploads } from "../files.js";
import type { Permission } from "../guard.js";
import { type ApprovalFile, type ApprovalRequest, isPending } from "../pending-approval.js";
import type { GuardContext } from "../policy-base.js";
import type { RunOptions } from "../run-options.js";
import { accountFacts } from "./account-facts.js";
import { withAccount } from "./newest-account.js";

interface Asking extends GuardContext {
  /** The policy that asks. */
  readonly policy: { readonly digest: string };
}

/** Why a person is asked, and what the budgets have left. */
export type Question = Pick<ApprovalRequest, "decision" | "innerDecisions" | "labels" | "budgets">;

/** Asks for the approval of a call. */
export async function askApproval(
  call: Execution,
  question: Question,
  callFiles: CallFiles | undefined,
  asking: Asking,
  options: RunOptions,
): Promise<Permission> {
  const { approvals, policy, scope, sessionId, conversationId, maxResultBytes, emit } = asking;
  const { callId, tool, userId } = call;
  const { name } = tool;
  const { decision } = question;
  if (!approvals) return ends({ status: "not_run", text: messages.needsApproval(name, decision.reason) });
  const ready = await withAccount(call, asking, options);
  if (ready.kind !== "runs") return ready;
  const { execution } = ready;
  let files: readonly ApprovalFile[];
  try {
    files = callFiles ? await approvalFiles(callFiles.schema, call.arguments, callFiles.openFile) : [];
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return ends({ status: "not_run", text: await messages.failed(name, error, "not_run", maxResultBytes), error });
  }
  const request = {
    ...{ ...question, execution, files, policyDigest: policy.digest, scope, sessionId, conversationId },
    origins: asking.origins?.of(call.arguments) ?? [],
    readAccount: () => accountFacts(asking, execution.accountId, options),
  };
  const result = await approvals.resolve(request, options);
  const facts = { callId, tool, userId, approver: undefined, error: undefined, requestId: undefined };
  if (result?.status === "approved" && isString(result.approver)) {
    emit({ ...facts, type: "approval", status: "approved", approver: result.approver }, options);
    return ready;
  }
  if (result?.status === "pending" && isPending(result.pending)) {
    const { pending, error } = result;
    emit({ ...facts, type: "approval", status: "pending", error, requestId: pending.id }, options);
    const text = messages.pending(name, decision.reason, error !== undefined);
    return ends({ status: "pending", text, pendingApproval: pending, error });
  }
  if (result?.status === "denied" && isString(result.reason)) {
    emit({ ...facts, type: "approval", status: "denied", approver: result.approver }, options);
    return { kind: "denied", text: messages.notApproved(name, result.reason) };
  }
  throw new TypeError("toolset: approvals must return approved, pending or denied. Check what resolve() returns.");
}

const ends = (ending: Ending): Permission => ({ kind: "ends", ending });

/** The files that arguments name, each once, in their order. Each is opened once: these bytes are uploaded. */
async function approvalFiles(schema: Json, args: Json, open: OpenFile): Promise<ApprovalFile[]> {
  const sources = new Set<string>();
  await withUploads(schema, args, async (source) => sources.add(source));
  return Promise.all([...sources].map(async (source) => describedFile(source, await open(source))));
}

async function describedFile(source: string, { content, filename, mimetype }: FileContent): Promise<ApprovalFile> {
  // A view of shared memory, which `BlobPart` excludes, is copied like any other.
  const bytes = await new Blob([content as BlobPart]).arrayBuffer();
  return { source, sha256: await sha256Of(bytes), bytes: bytes.byteLength, filename, mimetype };
}
