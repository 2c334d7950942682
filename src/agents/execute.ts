import type { Json } from "../shared/json.js";
import { authReason, needsAccount } from "./auth-required.js";
import type { CallResult, Conclusion } from "./call-result.js";
import { digestOf } from "./canonical.js";
import { resultText } from "./cut.js";
import { conclude, type Dispatched, type Dispatching } from "./dispatching.js";
import { wouldSend } from "./dry-run.js";
import type { ExecutionRecord } from "./executions.js";
import { type OpenFile, openedOnce, withUploads } from "./file-arguments.js";
import { takeFiles } from "./result-files.js";
import { type CallLimits, type Execution, type RunnableTool, type RunOptions, ToolFailure } from "./tool.js";
import * as words from "./words.js";

/**
 * The one function that every execution passes, in this order: an earlier record of the call, the policy's decision,
 * the approval, the budgets, its files, the durable record that it starts, the effect, the record of its result.
 *
 * @throws the error of a store, the policy or the approvals. Nothing has run then.
 */
export async function execute(
  execution: Execution,
  runnable: RunnableTool,
  dispatching: Dispatching,
  options: RunOptions,
): Promise<Dispatched> {
  const { callId, tool, userId } = execution;
  const { executions, guard, emit } = dispatching;
  const ended = (conclusion: Conclusion) => conclude(dispatching, runnable, callId, conclusion);
  const id = JSON.stringify([dispatching.scope, callId]);
  const digest = await digestOf([tool.name, tool.version, execution.arguments]);

  const earlier = await executions.find(id);
  if (earlier) return ended(recalled(tool.name, earlier, digest));

  // Tokens of approvals are nobody else's business.
  const { signal, deadlineMs, timeoutMs } = options;
  const limits: CallLimits = { signal, deadlineMs, timeoutMs };
  const openFile = openedOnce((source) => dispatching.openFile(execution, source, limits));
  // The only place that asks the policy. Without one, every call runs.
  const judged = guard ? await guard.judge(execution, { schema: runnable.schema, openFile }, options) : execution;
  if ("status" in judged) return ended(judged);
  if (options.dryRun) return ended(wouldSend(judged, dispatching.maxResultBytes));

  const opened = await open(judged, runnable, openFile, dispatching, limits);
  if ("status" in opened) return ended(opened);

  signal?.throwIfAborted();
  const raced = await executions.start(id, digest);
  if (raced) return ended(recalled(tool.name, raced, digest));

  emit({ type: "started", callId, tool, userId });
  const dispatched = await perform(judged, opened.args, runnable, dispatching, limits);
  const { status, text } = dispatched.result;
  try {
    await executions.finish(id, status === "not_run" ? undefined : JSON.stringify({ status, text }));
  } catch (error) {
    // The call has run. Its record stays as started, so its outcome is `unknown` and it never runs again.
    emit({ type: "record_failed", callId, tool, userId, error });
  }
  return dispatched;
}

/** The arguments with their files uploaded, or why a file was rejected. */
async function open(
  execution: Execution,
  { schema }: RunnableTool,
  openFile: OpenFile,
  { upload, maxResultBytes }: Dispatching,
  limits: CallLimits,
): Promise<{ readonly args: Json } | Conclusion> {
  const { tool, arguments: args } = execution;
  // Your own function may change its arguments.
  if (tool.kind === "own") return { args: structuredClone(args) };
  try {
    const uploaded = await withUploads(schema, args, async (source) =>
      upload(execution, await openFile(source), limits),
    );
    // Only files are replaced, and those are inside of the object.
    return { args: uploaded as Json };
  } catch (error) {
    if (limits.signal?.aborted) throw error;
    return { status: "not_run", text: words.failed(tool.name, error, "not_run", maxResultBytes), error };
  }
}

async function perform(
  { callId, tool, userId, accountId }: Execution,
  args: Json,
  runnable: RunnableTool,
  dispatching: Dispatching,
  limits: CallLimits,
): Promise<Dispatched> {
  const { maxResultBytes, resultFiles, download } = dispatching;
  try {
    const data = await runnable.execute(args, { ...limits, callId, userId, accountId });
    const { data: visible, files } = await takeFiles(data, resultFiles, download);
    const text = resultText(visible, maxResultBytes);
    return conclude(dispatching, runnable, callId, { status: "succeeded", text, data, files });
  } catch (error) {
    if (limits.signal?.aborted) {
      // It may have run, so its record stays as started.
      conclude(dispatching, runnable, callId, { status: "unknown", text: words.startedBefore(tool.name), error });
      throw limits.signal.reason;
    }
    const reason = authReason(error);
    if (reason && tool.toolkit !== undefined) {
      const required = { reason, tool, toolkit: tool.toolkit, userId, link: dispatching.linkFor(tool.toolkit) };
      const conclusion = { status: "not_run", text: needsAccount(required), error } as const;
      return conclude(dispatching, runnable, callId, conclusion, required);
    }
    // What your own function did before it threw can't be seen, even if its error is about a request that was rejected.
    const status = tool.kind === "own" ? "unknown" : words.statusOf(error);
    const { data, files } = await takeFiles(
      error instanceof ToolFailure ? error.data : undefined,
      resultFiles,
      download,
    );
    const text = words.failed(tool.name, error, status, maxResultBytes, data);
    return conclude(dispatching, runnable, callId, { status, text, error, files });
  }
}

function recalled(name: string, { digest, result }: ExecutionRecord, wanted: string): Conclusion {
  if (digest !== wanted) return { status: "not_run", text: words.idOfAnotherCall(name) };
  if (result === undefined) return { status: "unknown", text: words.startedBefore(name), isReplay: true };
  // This file wrote it.
  const recorded = JSON.parse(result) as Pick<CallResult, "status" | "text">;
  return { ...recorded, isReplay: true };
}
