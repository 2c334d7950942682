import { field, isString, type Json } from "../shared/json.js";
import { READ_ONLY } from "../shared/tools.js";
import { inputOf, isMismatches } from "./arguments.js";
import { authReason, needsAccount } from "./auth-required.js";
import type { Ending } from "./call-result.js";
import { frozenCopy } from "./canonical.js";
import { resultText } from "./cut.js";
import type { ExecutionRecord } from "./executions.js";
import { callFiles, takeFiles, uploaded } from "./files.js";
import * as messages from "./messages.js";
import type { RequestLimits } from "./origin.js";
import type { Settler } from "./settler.js";
import { digestIn, endOf, refusalOf, refuseCall, requestIdIn, startCall } from "./start-once.js";
import {
  type AgentTool,
  type CallLimits,
  type Execution,
  isPreview,
  ReportedFailure,
  type RunOptions,
} from "./tool.js";
import type { ToolsetContext } from "./toolset-options.js";

/** A call as its record identifies it. */
export interface CallId {
  readonly id: string;
  /** Digest of the tool and the arguments that the model wrote. */
  digest: string;
  /** The stamp of its start, once it has started. */
  stamp: string | undefined;
  /** As it was started, with the calls that it makes. */
  ran: Execution | undefined;
  /** Whether it has ended since. Otherwise it may have run, whatever its middleware says. */
  hasEnded: boolean;
}

/**
 * The one function that every execution passes, in this order: the check of the arguments, the policy's decision, the
 * approval, the budgets, the call's files, the durable record that it starts, the effect.
 *
 * @throws the error of a store, the policy or the approvals. Nothing has run then.
 */
export async function execute(
  { callId, tool, requested, args: given }: Pick<Execution, "callId" | "tool" | "requested"> & { readonly args: Json },
  record: CallId,
  context: ToolsetContext,
  options: RunOptions,
): Promise<Ending> {
  const { userId, executions, guard, emit, maxResultBytes } = context;
  const { name } = tool;
  const input = await inputOf(tool, callId, given, context);
  if (isMismatches(input)) {
    return { status: "not_run", text: messages.wrongArguments(name, input), mismatches: input };
  }
  const args = input === given ? given : frozenCopy(input);
  // Tokens of approvals stay private.
  const { signal, deadlineMs, timeoutMs } = options;
  const limits: CallLimits = { signal, deadlineMs, timeoutMs };
  const picked = (await context.accounts?.pick(tool, args, limits)) ?? {};
  if ("accounts" in picked) return needsAccount(tool, context, { reason: "account_required", ...picked });
  const { accountId, argument } = picked;
  context.observer?.tell({ type: "arguments", callId, accountId, arguments: args });
  const execution: Execution = { callId, tool, arguments: args, requested, userId, accountId, inner: [] };
  const local = context.locals.get(name);
  const schema = context.records.get(name)?.input_parameters ?? {};
  const files = context.withFiles.has(name) ? callFiles(schema, execution, context.openFile, limits) : undefined;
  // The only place that asks the policy. Without one, every call runs.
  const allowed = guard ? await guard.decide(execution, files, options) : execution;
  if ("denial" in allowed) {
    const { denial } = allowed;
    const earlier = isPreview(options)
      ? undefined
      : await refuseCall(executions, record.id, record.digest, " denied", denial, signal);
    return earlier ? recalled(name, earlier, record.digest) : { status: "not_run", text: denial };
  }
  if ("status" in allowed) return allowed;
  if (options.dryRun) return messages.wouldSend(allowed, context);

  // A local function may change its arguments.
  let sent: unknown = local ? structuredClone(input) : allowed.arguments;
  try {
    if (files) sent = await uploaded(allowed, files, context.files, limits);
  } catch (error) {
    signal?.throwIfAborted();
    return { status: "not_run", text: messages.failed(name, error, "not_run", maxResultBytes), error };
  }

  signal?.throwIfAborted();
  const started = await startCall(executions, record.id, record.digest, signal);
  if (!isString(started)) return recalled(name, started, record.digest);
  record.stamp = started;
  record.ran = allowed;
  emit({ type: "started", callId, tool, userId });
  // Only files were replaced, and those are inside of the object. The service knows the account by its id.
  const rest = { ...(sent as Json) };
  if (argument !== undefined) delete rest[argument];
  const headers = { ...context.observer?.headers(callId), "x-request-id": requestIdIn(started) };
  // Both are objects, like the arguments.
  const send = local
    ? () => local.execute(sent as Json, { callId, userId, accountId: allowed.accountId, ...limits })
    : () => sendToService(allowed, rest, context, { ...limits, headers });
  const ending = await perform(allowed, send, context, limits);
  record.hasEnded = true;
  return ending;
}

function sendToService(
  { tool, accountId }: Execution,
  args: Json,
  context: ToolsetContext,
  limits: RequestLimits,
): Promise<unknown> {
  const { execute: send, settler } = context;
  const effect = onlyReads(tool, context) ? "none" : undefined;
  const sending = send(tool, args, accountId, { ...limits, effect });
  return settler ? settler.settled(sending, limits) : sending;
}

/** Whether a tool only reads. Tags of the service count only if the program trusts them; a local tool's are its own. */
function onlyReads({ name, tags }: AgentTool, { locals, trustHints }: ToolsetContext): boolean {
  return (trustHints === true || locals.has(name)) && tags.includes(READ_ONLY);
}

/** How a call ends whose result `send` returns: of the service, of a local tool, or of the execution log. */
async function perform(
  execution: Execution,
  send: () => unknown,
  context: ToolsetContext,
  limits: CallLimits,
): Promise<Ending> {
  const { tool } = execution;
  const { maxResultBytes } = context;
  const { name, toolkit } = tool;
  const isRead = onlyReads(tool, context);
  const isLocal = context.locals.has(name);
  try {
    const data = await send();
    // A program may return anything.
    const json = context.locals.has(name) ? messages.readable(name, data) : data;
    const { data: visible, files } = await takeFiles(execution, json, context, limits);
    return { status: "succeeded", text: resultText(visible, maxResultBytes), data, files };
  } catch (error) {
    // It may have run, so its record stays as started.
    limits.signal?.throwIfAborted();
    // What a local function did before it threw can't be seen, even if its error reports a rejected request.
    const status = messages.statusOf(error, isLocal, isRead);
    // A read has no outcome that says so: its status does.
    const isRejected = status === "not_run" || (isRead && !isLocal && Number(field(error, "status")) < 500);
    const reason = isRejected ? authReason(error) : undefined;
    if (reason && toolkit !== undefined) {
      // Connecting another account wouldn't help: the program has chosen one that isn't there.
      if (reason === "not_connected" && context.accounts?.isSet(toolkit)) {
        return { status: "not_run", text: messages.programFailed(name), error };
      }
      context.accounts?.lost(toolkit);
      return { ...needsAccount(tool, context, { reason }), error };
    }
    const reported = error instanceof ReportedFailure ? error.cause : undefined;
    const { data, files } = await takeFiles(execution, reported, context, limits);
    const next = isRead && !(error instanceof ReportedFailure) ? "read" : status;
    return { status, text: messages.failed(name, error, next, maxResultBytes, data), error, files };
  }
}

/**
 * How a call ends of which only the start is recorded: as the execution log tells, if the toolset settles calls. The
 * end isn't recorded yet.
 */
export async function recovered(
  execution: Execution,
  { stamp }: ExecutionRecord,
  settler: Settler,
  context: ToolsetContext,
  limits: CallLimits,
): Promise<Ending> {
  const { tool, arguments: args, userId } = execution;
  const { sessionId } = context;
  const user = sessionId === undefined ? { userId } : { sessionId };
  const lost = {
    toolSlug: tool.name,
    arguments: args,
    ...user,
    startedAfter: new Date(),
    requestId: requestIdIn(stamp),
  };
  return { ...(await perform(execution, () => settler.recovered(lost, limits), context, limits)), isReplay: true };
}

/** How a call that has a record ends. */
export function recalled(name: string, record: ExecutionRecord, digest: string): Ending {
  const { stamp, result } = record;
  if (digestIn(stamp) !== digest) return { status: "not_run", text: messages.idOfAnotherCall(name) };
  const refusal = refusalOf(record);
  if (refusal === " rejected") return { status: "not_run", text: messages.cutCall(name) };
  const started: Ending = refusal
    ? { status: "not_run", text: messages.notApproved(name), isReplay: true }
    : { status: "unknown", text: messages.startedBefore(name), isReplay: true };
  if (result === undefined) return started;
  try {
    return { ...endOf(result, refusal), isReplay: true };
  } catch (error) {
    return { ...started, error };
  }
}
