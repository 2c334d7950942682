import { ConfigError } from "../errors/local.js";
import type { Json } from "../shared/json.js";
import { authReason, type LinkOptions, needsAccount } from "./auth-required.js";
import type { CallResult, Conclusion } from "./call-result.js";
import { digestOf } from "./canonical.js";
import { resultText } from "./cut.js";
import { conclude, type Dispatching, type Ending } from "./dispatching.js";
import { wouldSend } from "./dry-run.js";
import { ensure } from "./ensure.js";
import type { ExecutionRecord } from "./executions.js";
import { openedOnce } from "./file-arguments.js";
import { takeFiles } from "./result-files.js";
import { type CallLimits, type Execution, type RunnableTool, type RunOptions, ToolFailure } from "./tool.js";
import { withUploads } from "./uploads.js";
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
): Promise<Ending> {
  const { callId, tool, userId } = execution;
  const facts = { callId, tool, userId };
  const { executions, guard, emit, files, maxResultBytes } = dispatching;
  const id = JSON.stringify([dispatching.scope, callId]);
  const digest = await digestOf([tool.name, tool.version, execution.arguments]);

  const earlier = await executions.find(id);
  if (earlier) return recalled(tool.name, earlier, digest);

  // Tokens of approvals are nobody else's business.
  const { signal, deadlineMs, timeoutMs } = options;
  const limits: CallLimits = { signal, deadlineMs, timeoutMs };
  const openFile = openedOnce(async (source) => {
    if (!dispatching.openFile) throw new ConfigError("this program doesn't open files.");
    return dispatching.openFile({ ...execution, source }, limits);
  });
  // The only place that asks the policy. Without one, every call runs.
  const judged = guard ? await guard.judge(execution, { schema: runnable.schema, openFile }, options) : execution;
  if ("status" in judged) return judged;
  if (options.dryRun) return wouldSend(judged, maxResultBytes);

  let args: unknown;
  try {
    args =
      tool.kind === "own"
        ? // Your own function may change its arguments.
          structuredClone(judged.arguments)
        : await withUploads(runnable.schema, judged.arguments, async (source) => {
            const { content, filename, mimetype } = await openFile(source);
            ensure(files, "a session needs files: svc.files.");
            const { toolkit: toolkit_slug = "", name: tool_slug } = tool;
            return files.upload(content, { toolkit_slug, tool_slug, filename, mimetype }, limits);
          });
  } catch (error) {
    signal?.throwIfAborted();
    return { status: "not_run", text: words.failed(tool.name, error, "not_run", maxResultBytes), error };
  }

  signal?.throwIfAborted();
  const raced = await executions.start(id, digest);
  if (raced) return recalled(tool.name, raced, digest);

  emit({ type: "started", ...facts });
  // Only files were replaced, and those are inside of the object.
  const ending = await perform(judged, args as Json, runnable, dispatching, limits).catch((error): Ending => {
    signal?.throwIfAborted();
    // It has started: whatever failed, nobody may read that it didn't run.
    return { status: "unknown", text: words.startedBefore(tool.name), error };
  });
  const { status, text } = ending;
  try {
    await executions.finish(id, status === "not_run" ? undefined : JSON.stringify({ status, text }));
  } catch (error) {
    // The call has run. Its record stays as started, so its outcome is `unknown` and it never runs again.
    emit({ type: "record_failed", ...facts, error });
  }
  return ending;
}

async function perform(
  { callId, tool, userId, accountId }: Execution,
  args: Json,
  runnable: RunnableTool,
  dispatching: Dispatching,
  limits: CallLimits,
): Promise<Ending> {
  const { maxResultBytes } = dispatching;
  try {
    const data = await runnable.execute(args, { callId, userId, accountId }, limits);
    const { data: visible, files } = await takeFiles(callId, data, dispatching);
    return { status: "succeeded", text: resultText(visible, maxResultBytes), data, files };
  } catch (error) {
    if (limits.signal?.aborted) {
      // It may have run, so its record stays as started.
      conclude(dispatching, tool, callId, { status: "unknown", text: words.startedBefore(tool.name), error });
      throw limits.signal.reason;
    }
    const reason = authReason(error);
    const { toolkit } = tool;
    if (reason && toolkit !== undefined) {
      // Connecting another account wouldn't help: the program has chosen one that isn't there.
      if (reason === "not_connected" && dispatching.accounts[toolkit]) {
        return { status: "not_run", text: words.programFailed(tool.name), error };
      }
      const link = (linkOptions: LinkOptions = {}) => dispatching.link(toolkit, linkOptions);
      const required = { reason, tool, toolkit, userId, link };
      return { status: "not_run", text: needsAccount(required), error, required };
    }
    // What your own function did before it threw can't be seen, even if its error is about a request that was rejected.
    const status = tool.kind === "own" ? "unknown" : words.statusOf(error);
    const reported = error instanceof ToolFailure ? error.cause : undefined;
    const { data, files } = await takeFiles(callId, reported, dispatching);
    return { status, text: words.failed(tool.name, error, status, maxResultBytes, data), error, files };
  }
}

function recalled(name: string, { digest, result }: ExecutionRecord, wanted: string): Conclusion {
  if (digest !== wanted) return { status: "not_run", text: words.idOfAnotherCall(name) };
  if (result === undefined) return { status: "unknown", text: words.startedBefore(name), isReplay: true };
  // This file wrote it.
  const recorded = JSON.parse(result) as Pick<CallResult, "status" | "text">;
  return { ...recorded, isReplay: true };
}
