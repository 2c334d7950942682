import { ConfigError } from "../../errors/local.js";
import { field, isString, type Json } from "../../shared/json.js";
import { untilAborted } from "../../shared/timers.js";
import type { Ending } from "../call-result.js";
import { sha256Of } from "../canonical.js";
import { type CallFiles, type FileContent, type OpenFile, withUploads } from "../files.js";
import * as messages from "../messages.js";
import { type ApprovalFile, isPending } from "../pending-approval.js";
import { type AskDecision, type Decision, type Execution, MULTI_EXECUTE, OUTCOMES, type RunOptions } from "../tool.js";
import type { GuardContext } from "../toolset-options.js";
import { type FindTools, innerCalls } from "./inner-calls.js";

/** For whom calls are counted. */
export interface BudgetSubject {
  /** The user; for a session that was opened by its id alone, the session's id. */
  readonly principal: string;
  /** The toolset's `conversationId`. */
  readonly conversationId: string | undefined;
}

/** Your own way to decide which calls run, for `customPolicy`. */
export interface CustomPolicy {
  /** Identifies the rules. An approval holds only for the policy it was given under. */
  readonly digest: string;
  /**
   * Evaluates one call, right before it would run. Throw, reject or return something else, and the call doesn't
   * run. A call of a tool that runs several others is decided for itself, without its tags, and for each of them with
   * theirs; the strictest outcome holds for all.
   */
  decide(execution: Execution): Decision | Promise<Decision>;
  /**
   * Counts calls against budgets before they run, in one step: all of them, or none. What was counted is never given
   * back. Throw, reject or return something else, and nothing runs. Without it, calls aren't counted.
   *
   * @param executions - One call. If its tool runs several others, followed by each of them.
   * @returns `allow` if they fit and are counted, `deny` if they don't.
   */
  count?(executions: readonly Execution[], counted: BudgetSubject): Promise<Decision>;
}

/** A toolset and the policy of its calls. */
export interface Deciding extends GuardContext {
  readonly policy: CustomPolicy;
  readonly findTools: FindTools;
}

/**
 * Evaluates a call: the policy's decision on the call and each inner call, then the approval, then the budgets.
 *
 * @returns The call if it may run, with the account that was approved; otherwise how it ends.
 */
export async function decide(
  deciding: Deciding,
  call: Execution,
  files: CallFiles | undefined,
  options: RunOptions,
): Promise<Ending | Execution> {
  const { policy, userId, sessionId, conversationId } = deciding;
  const { name, kind } = call.tool;
  const denied = (decision: Decision) => {
    report(deciding, call, decision);
    return { status: "not_run", text: messages.denied(name, reasonOf(decision)), error: decision.error } as const;
  };
  const inner = kind === "meta" && name === MULTI_EXECUTE ? await innerCalls(call, deciding, options) : [];
  if (isString(inner)) return denied({ outcome: "deny", reason: inner });
  // Frozen, so `decide` can't change the call that runs.
  inner.forEach(Object.freeze);
  const execution = Object.freeze({ ...call, inner });
  // The tags of a tool that runs several others say what it could do. What it does is said by those of its calls.
  const itself = inner.length > 0 ? { ...execution, tool: { ...call.tool, tags: [] } } : execution;

  const decisions: Decision[] = [];
  for (const part of [itself, ...inner]) {
    const decision = checked(
      await policy.decide(part),
      "decide must return an outcome (allow, ask, dry_run or deny), and a reason unless it allows.",
    );
    report(deciding, part, decision);
    decisions.push(decision);
  }
  const decision = strictest(decisions);
  if (decision.outcome === "deny") {
    return { status: "not_run", text: messages.denied(name, decision.reason), error: decision.error };
  }
  if (decision.outcome === "dry_run") return messages.wouldSend(execution, deciding, decision.reason);
  const approved =
    decision.outcome === "ask" ? await approve(execution, decision, files, deciding, options) : execution;
  if ("status" in approved) return approved;
  if (options.dryRun) return messages.wouldSend(approved, deciding);

  if (!policy.count) return approved;
  const principal = userId ?? sessionId ?? "";
  const { signal } = options;
  const counting = policy.count([approved, ...inner], { principal, conversationId });
  const counted = checked(
    await (signal ? untilAborted(signal, counting) : counting),
    "count must return an outcome (allow or deny), and a reason unless it allows.",
  );
  return counted.outcome === "allow" ? approved : denied(counted);
}

/** The first decision with the strictest outcome. */
function strictest(decisions: readonly Decision[]): Decision {
  const [first] = decisions.toSorted((one, other) => OUTCOMES.indexOf(one.outcome) - OUTCOMES.indexOf(other.outcome));
  return first ?? { outcome: "deny", reason: "Nothing allows it." };
}

/** Whatever isn't a decision denies, what untyped callers forget to return included. The error says what is wrong. */
function checked(decision: Decision | undefined, expected: string): Decision {
  const isComplete = decision?.outcome === "allow" || isString(field(decision, "reason"));
  if (decision && OUTCOMES.includes(decision.outcome) && isComplete) return decision;
  return { outcome: "deny", reason: "A rule of the policy failed.", error: new TypeError(expected) };
}

function report({ emit, eventArguments }: Deciding, execution: Execution, decision: Decision): void {
  const { callId, tool, userId, accountId, arguments: args } = execution;
  const { outcome, rule, error } = decision;
  const facts = { callId, tool, userId, accountId, outcome, rule, reason: reasonOf(decision), error };
  emit({ type: "decided", ...facts, arguments: eventArguments ? args : undefined });
}

function reasonOf(decision: Decision): string | undefined {
  return decision.outcome === "allow" ? undefined : decision.reason;
}

/**
 * Asks for the approval of a call.
 *
 * @returns The call, with the account that was approved, if it may run; otherwise how it ends.
 */
async function approve(
  call: Execution,
  decision: AskDecision,
  callFiles: CallFiles | undefined,
  { approvals, policy, client, accounts, scope, sessionId, maxResultBytes, emit }: Deciding,
  options: RunOptions,
): Promise<Ending | Execution> {
  const { callId, tool, userId } = call;
  const { name } = tool;
  if (!approvals) return { status: "not_run", text: messages.needsApproval(name, decision.reason) };
  // What is approved is one account, not whichever is the newest when the call runs.
  const isNewest = client && !accounts;
  const accountId = isNewest ? await newestAccount(client, call, options) : call.accountId;
  const execution = Object.freeze({ ...call, accountId });
  let files: readonly ApprovalFile[];
  try {
    files = callFiles ? await approvalFiles(callFiles.schema, call.arguments, callFiles.openFile) : [];
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return { status: "not_run", text: messages.failed(name, error, "not_run", maxResultBytes), error };
  }
  const request = { execution, files, decision, policyDigest: policy.digest, scope, sessionId };
  const result = await approvals.resolve(request, options);
  const facts = { callId, tool, userId, approver: undefined, error: undefined };
  if (result?.status === "approved" && isString(result.approver)) {
    emit({ ...facts, type: "approval", status: "approved", approver: result.approver });
    return execution;
  }
  if (result?.status === "pending" && isPending(result.pending)) {
    const { pending, error } = result;
    emit({ ...facts, type: "approval", status: "pending", error });
    return { status: "pending", text: messages.pending(name, decision.reason, error !== undefined), pending, error };
  }
  if (result?.status === "denied" && isString(result.reason)) {
    emit({ ...facts, type: "approval", status: "denied", approver: result.approver });
    return { status: "not_run", text: messages.notApproved(name, result.reason) };
  }
  throw new TypeError("toolset: approvals must return approved, pending or denied. Check what resolve() returns.");
}

/**
 * The account that the service would choose: the user's newest active one. `undefined` without one, and for tools that
 * need none.
 */
async function newestAccount(
  { connectedAccounts }: NonNullable<GuardContext["client"]>,
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

/** The files that arguments name, each once, in their order. */
async function approvalFiles(schema: Json, args: Json, open: OpenFile): Promise<ApprovalFile[]> {
  const sources = new Set<string>();
  await withUploads(schema, args, async (source) => sources.add(source));
  return Promise.all([...sources].map(async (source) => described(source, await open(source))));
}

async function described(source: string, { content, filename, mimetype }: FileContent): Promise<ApprovalFile> {
  // A view of shared memory, which `BlobPart` excludes, is copied like any other.
  const bytes = await new Blob([content as BlobPart]).arrayBuffer();
  return { source, sha256: await sha256Of(bytes), bytes: bytes.byteLength, filename, mimetype };
}
