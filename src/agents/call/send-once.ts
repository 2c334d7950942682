import { REQUEST_ID } from "../../shared/headers.js";
import { field, type Json } from "../../shared/json.js";
import { hasRun, READ_ONLY } from "../../shared/tools.js";
import { type AgentTool, type Execution, NotStarted, ReportedFailure } from "../agent-tool.js";
import type { Ending } from "../call-result.js";
import type { ExecutionRecord } from "../execution-store.js";
import type { ResultOptions } from "../files.js";
import type { CallLimits } from "../run-options.js";
import type { ToolsetContext } from "../toolset-context.js";
import { authReason, needsAccount } from "./auth-required.js";
import type { CallStart } from "./call-record.js";
import { requestIdIn } from "./execution-record.js";
import * as messages from "./messages.js";
import { resultText } from "./result-text.js";
import { takeFiles } from "./take-files.js";

/** A call that is sent next. */
type Beginning = Pick<CallLimits, "signal"> & { readonly waitedMs?: number | undefined };

type SendContext = Pick<ToolsetContext, "locals" | "observer" | "settler" | "trustHints" | "execute" | "emit">;

/**
 * Sends a call, and records its start right before: a call that still waits for the rate limit when its process dies
 * provably didn't run. Only if the limit is exceeded while the start is recorded, a recorded call waits too.
 *
 * @param sent - The arguments, with uploaded files in place of their names.
 * @returns How it ended, or the record of an earlier start.
 * @throws the store's error, or that of the call's deadline: nothing has run then. The reason of an abort, after which
 * the call may have run.
 */
export async function sendOnce(
  start: CallStart,
  execution: Execution,
  sent: Json,
  context: SendContext & Parameters<typeof endingOf>[2],
  limits: CallLimits,
): Promise<Ending | ExecutionRecord> {
  const { callId, tool, userId } = execution;
  const { settler, locals } = context;
  const begin = async ({ signal, waitedMs = 0 }: Beginning) => {
    await start.record(signal);
    if (start.earlier) throw new NotStarted(`${tool.name} was started before.`);
    context.emit({ type: "started", callId, tool, userId, waitedMs });
  };
  const sending = send(execution, sent, start.stamp, begin, context, limits);
  await sending.catch(() => undefined);
  // Even if the call was ended in the meantime, its start may still be recorded.
  await start.settled();
  if (start.earlier) return start.earlier;
  if (start.isTried && !start.isRecorded) {
    // Its error, or that of the deadline. Middleware of the client may have replaced both.
    await sending;
    await start.record(undefined);
  }
  const settled = settler && !locals.has(tool.name) ? settler.settled(sending, limits) : sending;
  try {
    const ending = await endingOf(execution, settled, context, limits);
    // Middleware of the client may have acted, and never sent the call.
    return hasRun(ending.status) && !start.isTried ? await recordLate(start, tool, ending, limits) : ending;
  } finally {
    start.leave();
  }
}

/** Records the start of a call that has acted without it. If the store fails, its outcome is unknown. */
async function recordLate(
  start: CallStart,
  { name }: AgentTool,
  ending: Ending,
  { signal }: CallLimits,
): Promise<Ending | ExecutionRecord> {
  try {
    await start.record(signal);
    return start.earlier ?? ending;
  } catch (error) {
    signal?.throwIfAborted();
    start.forget();
    return { status: "unknown", text: messages.startedBefore(name), error };
  }
}

/** Sends a call to the service, or to the function of a local tool. `begin` runs right before. */
async function send(
  { callId, tool, userId, accountId }: Execution,
  sent: Json,
  stamp: string,
  begin: (beginning: Beginning) => Promise<void>,
  context: SendContext,
  limits: CallLimits,
): Promise<unknown> {
  const { locals, observer } = context;
  const local = locals.get(tool.name);
  if (local) {
    await begin(limits);
    return local.execute(sent, { callId, userId, accountId, ...limits });
  }
  const headers = { ...observer?.headers?.(callId), [REQUEST_ID]: requestIdIn(stamp) };
  const effect = onlyReads(tool, context) ? "none" : undefined;
  return context.execute(tool, sent, accountId, { ...limits, headers, effect, beforeSend: begin });
}

/** Whether a tool only reads. Tags of the service count only if the program trusts them; a local tool's are its own. */
function onlyReads(
  { name, tags }: AgentTool,
  { locals, trustHints }: Pick<ToolsetContext, "locals" | "trustHints">,
): boolean {
  return (trustHints === true || locals.has(name)) && tags.includes(READ_ONLY);
}

/** How a call ends whose data comes from the service, a local tool or the execution log. */
export async function endingOf(
  execution: Pick<Execution, "callId" | "tool">,
  sending: Promise<unknown>,
  context: ResultOptions & Pick<ToolsetContext, "locals" | "trustHints" | "accounts" | "link" | "userId">,
  limits: CallLimits,
): Promise<Ending> {
  const { tool } = execution;
  const { maxResultBytes } = context;
  const { name, toolkit } = tool;
  const isRead = onlyReads(tool, context);
  const isLocal = context.locals.has(name);
  try {
    const data = await sending;
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
    return { status, text: await messages.failed(name, error, next, maxResultBytes, data), error, files };
  }
}
