import { ConfigError } from "../../errors/local.js";
import { NEED_OF_STATUS } from "../../shared/account-status.js";
import { sha256Of } from "../../shared/digest.js";
import { isObject, isString, type Json } from "../../shared/json.js";
import type { Execution } from "../agent-tool.js";
import { needsAccount } from "../call/auth-required.js";
import * as messages from "../call/messages.js";
import type { Ending, Permission } from "../call-result.js";
import { type CallFiles, type FileContent, type OpenFile, withUploads } from "../files.js";
import { type ApprovalFile, type ApprovalRequest, isPending } from "../pending-approval.js";
import type { RunOptions } from "../run-options.js";
import type { GuardContext } from "../toolset-options.js";
import { accountFacts } from "./account-facts.js";

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

/** A call with the account that it would run through; without one, how it ends. */
export async function withAccount(call: Execution, context: GuardContext, options: RunOptions): Promise<Permission> {
  const accountId = await accountOf(call, context, options);
  return isObject(accountId) ? ends(accountId) : { kind: "runs", execution: Object.freeze({ ...call, accountId }) };
}

/**
 * The account that a call would run through: what is approved is one account, not whichever is the newest when the call
 * runs. Without one, how the call ends: no approval could let it run.
 *
 * @returns `undefined` for tools that need none.
 */
async function accountOf(
  { tool, userId, accountId }: Execution,
  context: GuardContext,
  { signal, deadlineMs, timeoutMs }: RunOptions,
): Promise<string | undefined | Ending> {
  const { client, records } = context;
  const { kind, name, toolkit } = tool;
  const needsOne = kind === "service" && toolkit !== undefined && !records.get(name)?.no_auth;
  if (accountId !== undefined || !client || !needsOne || userId === undefined) return accountId;
  const { connectedAccounts } = client;
  if (!connectedAccounts) throw new ConfigError("toolset: approvals need a client with connectedAccounts.");
  // A list reads it as several users, and would show their accounts.
  if (userId.includes(",")) {
    throw new ConfigError(
      "toolset: accounts of a userId with a comma can't be listed: pass accounts to use approvals.",
    );
  }
  const query = {
    user_ids: [userId],
    toolkit_slugs: [toolkit],
    order_by: "created_at",
    order_direction: "desc",
    limit: 1,
  } as const;
  const limits = { signal, deadlineMs, timeoutMs };
  const { items: active } = await connectedAccounts.list({ ...query, statuses: ["ACTIVE"] }, limits);
  if (active[0]) return active[0].id;
  const { items } = await connectedAccounts.list(query, limits);
  const status = items[0]?.status;
  const reason = status === "INACTIVE" ? "inactive" : (NEED_OF_STATUS.get(status) ?? "not_connected");
  return needsAccount(tool, context, { reason });
}

/** The files that arguments name, each once, in their order. */
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
