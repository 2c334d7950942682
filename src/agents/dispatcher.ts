import type { Mismatch } from "../errors/local.js";
import { isObject, isText, type Json } from "../json.js";
import { type AuthRequired, authReason, needsAccount } from "./auth-required.js";
import { digestOf } from "./canonical.js";
import { structuralMismatches } from "./check.js";
import { resultText } from "./cut.js";
import type { AgentEvent } from "./events.js";
import type { ExecutionRecord, ExecutionStore } from "./executions.js";
import { hasStagedKey, withUploads } from "./file-arguments.js";
import { type Download, type ResultFiles, takeFiles } from "./result-files.js";
import type { CallResult, Decision, Execution, RunnableTool, RunOptions, ToolCall } from "./tool.js";
import * as words from "./words.js";

/** What the dispatcher works with, the same for every call of a toolset. */
export interface Dispatching {
  /** Calls of other users or sessions have other ids, even if a model gave them the same. */
  readonly scope: string;
  readonly userId: string | undefined;
  accountOf(tool: RunnableTool): string | undefined;
  readonly executions: ExecutionStore;
  readonly decide: ((execution: Execution) => Decision | undefined | Promise<Decision | undefined>) | undefined;
  readonly checkArguments: ((schema: unknown, value: unknown) => readonly Mismatch[]) | undefined;
  readonly upload: (execution: Execution, source: string, options: RunOptions) => Promise<unknown>;
  readonly download: Download | undefined;
  readonly resultFiles: ResultFiles;
  readonly maxResultBytes: number;
  linkFor(toolkit: string): AuthRequired["link"];
  emit(event: AgentEvent): void;
}

/** A tool under the name and with the schema that a model was given. */
export interface OfferedTool {
  readonly runnable: RunnableTool;
  /** Arguments as the model was asked for them, under the tool's own names and in its own shapes. */
  restore(value: unknown): unknown;
}

/** What became of a call, and what only the program can solve. */
export interface Dispatched {
  readonly result: CallResult;
  readonly required?: AuthRequired | undefined;
}

/** Runs one call: the way every call takes, whichever library it came through. Rejects only if it was cancelled. */
export async function dispatch(
  call: ToolCall,
  offered: ReadonlyMap<string, OfferedTool>,
  dispatching: Dispatching,
  options: RunOptions,
): Promise<Dispatched> {
  const tool = offered.get(call.name);
  const runnable = tool?.runnable;
  const notRun = (text: string, mismatches: readonly Mismatch[] = []) =>
    concluded(dispatching, runnable, { callId: call.callId, status: "not_run", text, mismatches });
  if (!tool || !runnable) return notRun(words.unknownTool(call.name, [...offered.keys()]));
  const { name } = runnable.tool;
  if (call.isCut) return notRun(words.cutCall(name));
  const parsed = parsedArguments(name, call.arguments);
  if (isText(parsed)) return notRun(parsed);
  const args = tool.restore(parsed);
  const mismatches = await mismatchesOf(runnable, args, dispatching);
  if (mismatches.length > 0 || !isObject(args)) return notRun(words.wrongArguments(name, mismatches), mismatches);
  const execution: Execution = {
    callId: call.callId,
    tool: runnable.tool,
    arguments: args,
    userId: dispatching.userId,
    accountId: dispatching.accountOf(runnable),
  };
  return execute(execution, runnable, dispatching, options);
}

/**
 * The one function that every execution passes. In this order: what is recorded of the call, the decision, its files, the
 * durable record that it starts, the effect, the record of its result.
 */
async function execute(
  execution: Execution,
  runnable: RunnableTool,
  dispatching: Dispatching,
  options: RunOptions,
): Promise<Dispatched> {
  const { callId, tool } = execution;
  const { executions, decide, maxResultBytes, emit } = dispatching;
  const { signal } = options;
  const conclude = (facts: Partial<CallResult> & Pick<CallResult, "status" | "text">) =>
    concluded(dispatching, runnable, { callId, ...facts });
  const id = JSON.stringify([dispatching.scope, callId]);
  let args = execution.arguments;
  try {
    signal?.throwIfAborted();
    const digest = await digestOf([tool.name, tool.version, args]);
    const earlier = await executions.find(id);
    if (earlier) return conclude(recalled(tool.name, earlier, digest));
    const decision = await decide?.(execution);
    if (decision?.allow === false)
      return conclude({ status: "not_run", text: words.denied(tool.name, decision.reason) });
    args = await withFiles(execution, runnable, dispatching, options);
    signal?.throwIfAborted();
    const raced = await executions.start(id, digest);
    if (raced) return conclude(recalled(tool.name, raced, digest));
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    return conclude({ status: "not_run", text: words.failed(tool.name, error, "not_run", maxResultBytes), error });
  }
  emit({ type: "started", callId, tool, userId: execution.userId });
  const ended = await perform(execution, args, runnable, dispatching, options);
  const { status, text } = ended.result;
  try {
    await executions.finish(id, status === "not_run" ? undefined : JSON.stringify({ status, text }));
  } catch (error) {
    // The call has run. Its record stays as started, so it is answered `unknown` and never run again.
    emit({ type: "record_failed", callId, tool, userId: execution.userId, error });
  }
  return ended;
}

async function perform(
  execution: Execution,
  args: Json,
  runnable: RunnableTool,
  dispatching: Dispatching,
  options: RunOptions,
): Promise<Dispatched> {
  const { callId, tool, userId } = execution;
  const { maxResultBytes, resultFiles, download } = dispatching;
  const conclude = (facts: Partial<CallResult> & Pick<CallResult, "status" | "text">, required?: AuthRequired) =>
    concluded(dispatching, runnable, { callId, ...facts }, required);
  try {
    const data = await runnable.execute(args, { ...options, callId, userId });
    const { data: visible, files } = await takeFiles(data, resultFiles, download);
    return conclude({ status: "succeeded", text: resultText(visible, maxResultBytes), data, files });
  } catch (error) {
    if (options.signal?.aborted) throw options.signal.reason;
    const reason = authReason(error);
    if (reason && tool.toolkit !== undefined) {
      const required = { reason, tool, toolkit: tool.toolkit, userId, link: dispatching.linkFor(tool.toolkit) };
      return conclude({ status: "not_run", text: needsAccount(required), error }, required);
    }
    const status = words.statusOf(error);
    return conclude({ status, text: words.failed(tool.name, error, status, maxResultBytes), error });
  }
}

function concluded(
  { emit, userId }: Dispatching,
  runnable: RunnableTool | undefined,
  facts: Partial<CallResult> & Pick<CallResult, "callId" | "status" | "text">,
  required?: AuthRequired,
): Dispatched {
  const tool = runnable?.tool;
  const result = { tool, data: undefined, files: [], error: undefined, mismatches: [], isReplay: false, ...facts };
  const { callId, status, error, isReplay } = result;
  emit({ type: "finished", callId, tool, userId, status, error, isReplay });
  return { result, required };
}

/** The parsed arguments, or what a model reads if they can't be parsed. */
function parsedArguments(name: string, given: unknown): Json | string {
  // Models and libraries write no arguments as nothing or as an empty string.
  if (given === undefined || given === null || given === "") return {};
  let value = given;
  if (isText(given)) {
    try {
      value = JSON.parse(given);
    } catch (error) {
      return words.brokenJson(name, given, error instanceof Error ? error.message : String(error));
    }
  }
  return isObject(value) ? value : words.notAnObject(name);
}

async function mismatchesOf(runnable: RunnableTool, args: unknown, { checkArguments }: Dispatching) {
  const { parameters } = runnable.tool;
  const structural = structuralMismatches(parameters, args);
  if (structural.length > 0 || !isObject(args)) return structural;
  if (runnable.tool.kind !== "own" && hasStagedKey(args) && !JSON.stringify(parameters).includes('"s3key"')) {
    return [{ path: "s3key", expected: "no key of a staged file: pass the file's path or https URL", seen: "string" }];
  }
  const own = await runnable.check?.(args);
  return own && own.length > 0 ? own : (checkArguments?.(parameters, args) ?? []);
}

async function withFiles(
  execution: Execution,
  { schema }: RunnableTool,
  { upload }: Dispatching,
  options: RunOptions,
): Promise<Json> {
  if (execution.tool.kind === "own") return execution.arguments;
  const uploaded = await withUploads(schema, execution.arguments, (source) => upload(execution, source, options));
  // Only files are replaced, and those are inside of the object.
  return uploaded as Json;
}

function recalled(
  name: string,
  { digest, result }: ExecutionRecord,
  wanted: string,
): Pick<CallResult, "status" | "text"> & { isReplay?: boolean } {
  if (digest !== wanted) return { status: "not_run", text: words.idOfAnotherCall(name) };
  if (result === undefined) return { status: "unknown", text: words.startedBefore(name), isReplay: true };
  // The dispatcher wrote it.
  return { ...(JSON.parse(result) as Pick<CallResult, "status" | "text">), isReplay: true };
}
