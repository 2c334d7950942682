import { isObject, isString } from "../shared/json.js";
import { untilAborted } from "../shared/timers.js";
import { parsedArguments } from "./arguments.js";
import { type CallResult, type Ending, hasRun } from "./call-result.js";
import { digestOf, frozenCopy } from "./canonical.js";
import { boundedText } from "./cut.js";
import { type CallId, execute, recalled, recovered } from "./execute.js";
import * as messages from "./messages.js";
import { digestIn, findCall, finishCall, refusalOf, refuseCall } from "./start-once.js";
import type { AgentTool, RunOptions, ToolCall, ToolForm } from "./tool.js";
import type { ToolsetContext } from "./toolset-options.js";

/** Tools by the name that a model calls, each with the form in which the model got it. */
export type Offered = ReadonlyMap<string, { readonly tool: AgentTool; readonly form: ToolForm }>;

/**
 * Runs one call, from whichever library. Rejects only if it was aborted.
 *
 * @param earlier - An earlier call of the turn with the same id, which runs first: this one gets its result.
 */
export async function runCall(
  call: ToolCall,
  earlier: Promise<CallResult> | undefined,
  offered: Offered,
  context: ToolsetContext,
  options: RunOptions,
): Promise<CallResult> {
  await earlier?.catch(() => undefined);
  const { callId, name } = call;
  const { tool, form } = offered.get(name) ?? {};
  const record: CallId = {
    id: JSON.stringify([context.scope, callId]),
    digest: "",
    stamp: undefined,
    hasEnded: false,
    ran: undefined,
  };
  let ending: Ending;
  let isAborted = false;
  try {
    ending =
      tool && form
        ? await endingOf(call, tool, form, record, context, options)
        : { status: "not_run", text: messages.unknownTool(name, [...offered.keys()]) };
  } catch (error) {
    const toolName = tool?.name ?? name;
    isAborted = options.signal?.aborted ?? false;
    if (!record.stamp) options.signal?.throwIfAborted();
    // Once it has started, no result may say that it didn't run. Its record stays as started.
    ending = record.stamp
      ? { status: "unknown", text: messages.startedBefore(toolName), error }
      : { status: "not_run", text: messages.programFailed(toolName), error };
  }
  const labeled = withLabels(tool, ending, record, context);
  const result = resultOf(call, tool, { ...labeled, text: boundedText(ending.text, context.maxResultBytes) });
  const { status, error, isReplay } = result;
  context.emit({ type: "finished", callId, tool, userId: context.userId, status, error, isReplay });
  if (isAborted) options.signal?.throwIfAborted();
  return result;
}

/** The result of a call that ended. */
export function resultOf({ callId }: ToolCall, tool: AgentTool | undefined, ending: Ending): CallResult {
  return {
    callId,
    tool,
    data: undefined,
    files: [],
    error: undefined,
    mismatches: [],
    isReplay: false,
    labels: [],
    pending: undefined,
    required: undefined,
    ...ending,
  };
}

/** Adds the labels of what the model reads. Without a start, only a status that says so is one of the tool's result. */
function withLabels(
  tool: AgentTool | undefined,
  ending: Ending,
  { stamp, ran }: CallId,
  { guard }: ToolsetContext,
): Ending {
  if (!guard?.labels) return ending;
  const isOfTool = tool && (stamp !== undefined || hasRun(ending.status));
  return { ...ending, labels: guard.labels.of(isOfTool ? (ran ?? { tool }) : undefined, ending.labels) };
}

/**
 * Rejects a call that the model didn't write whole, now and later: what goes back to the model may look complete, and a
 * program may run it again, even after a dry run.
 */
async function rejected(
  text: string,
  { id, digest }: CallId,
  { executions }: ToolsetContext,
  signal: AbortSignal | undefined,
): Promise<Ending> {
  await refuseCall(executions, id, digest, " rejected", text, signal);
  return { status: "not_run", text };
}

async function endingOf(
  { callId, arguments: given, isTruncated, isFromProgram = false }: ToolCall,
  tool: AgentTool,
  form: ToolForm,
  record: CallId,
  context: ToolsetContext,
  options: RunOptions,
): Promise<Ending> {
  const { name } = tool;
  if (isFromProgram && context.guard?.isUnconditional(tool) === false)
    return { status: "not_run", text: messages.notForPrograms(name) };
  const parsed = parsedArguments(name, given);
  // What isn't an object goes back to some models as an empty one.
  const args = isString(parsed) ? {} : parsed;
  const requested = frozenCopy(form.decode ? form.decode(args) : args);
  if (!isObject(requested)) return { status: "not_run", text: messages.notAnObject(name) };
  // Without the version: a call that ran in another one has run.
  const digest = await digestOf([name, requested]);
  record.digest = digest;
  const { signal } = options;
  const problem = isTruncated ? messages.cutCall(name) : parsed;
  if (isString(problem)) return rejected(problem, record, context, signal);
  context.observer?.tell({ type: "arguments", callId, accountId: undefined, arguments: requested });
  const finding = findCall(context.executions, record.id);
  const earlier = await (signal ? untilAborted(signal, finding) : finding);
  // The model's whole call may arrive after a part of it was rejected.
  const isCompleted = earlier && digestIn(earlier.stamp) !== digest && refusalOf(earlier) === " rejected";
  if (earlier && !isCompleted) {
    const { settler, locals, userId } = context;
    const isLost = digestIn(earlier.stamp) === digest && !refusalOf(earlier) && earlier.result === undefined;
    if (!settler || !isLost || locals.has(name) || options.dryRun) return recalled(name, earlier, digest);
    const lost = { callId, tool, arguments: requested, requested, userId, accountId: undefined, inner: [] };
    const ending = await recovered(lost, earlier, settler, context, { signal });
    if (ending.status === "unknown") return recalled(name, earlier, digest);
    await finishCall(context.executions, record.id, earlier.stamp, ending);
    return ending;
  }
  if (earlier) await finishCall(context.executions, record.id, earlier.stamp, undefined);
  const { wrap, userId } = context;
  const call = { callId, tool, requested };
  let ending = wrap
    ? await wrap({ callId, tool, userId, arguments: requested, signal }, context, (args) =>
        execute({ ...call, args }, record, context, options),
      )
    : await execute({ ...call, args: requested }, record, context, options);
  const { stamp } = record;
  if (stamp === undefined) return ending;
  // Middleware can catch an abort and return its own result.
  if (!record.hasEnded && !hasRun(ending.status)) ending = { ...ending, status: "unknown" };
  const ended = withLabels(tool, ending, record, context);
  const finishing = finishCall(context.executions, record.id, stamp, ended.status === "not_run" ? undefined : ended);
  const recorded = finishing.catch((error: unknown) => {
    // The call has run. Its record stays as started, so its outcome is `unknown` and it never runs again.
    context.emit({ type: "record_failed", callId, tool, userId: context.userId, error });
  });
  // An aborted run doesn't wait for the store. The call still ends as it did.
  await (signal ? untilAborted(signal, recorded).catch(() => undefined) : recorded);
  return ending;
}
