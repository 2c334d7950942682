import type { AgentTool, ToolCall, ToolForm } from "../agent-tool.js";
import { type CallResult, type Ending, NO_RESULT } from "../call-result.js";
import type { RunOptions } from "../run-options.js";
import type { ToolsetContext } from "../toolset-options.js";
import { CallRun } from "./call-run.js";
import * as messages from "./messages.js";
import { boundedText } from "./result-text.js";

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
  const { guard, emit, userId, maxResultBytes } = context;
  const { tool, form } = offered.get(name) ?? {};
  let ending: Ending;
  let isAborted = false;
  if (tool && form) {
    const run = new CallRun(call, tool, form, context, options);
    try {
      ending = await run.end();
    } catch (thrown) {
      isAborted = options.signal?.aborted ?? false;
      ending = run.failed(thrown);
    }
    if (guard?.labels) ending = { ...ending, labels: guard.labels.of(run, ending) };
  } else {
    ending = { status: "not_run", text: messages.unknownTool(name, [...offered.keys()]) };
  }
  const result = { ...NO_RESULT, callId, tool, ...ending, text: boundedText(ending.text, maxResultBytes) };
  const { status, error, isReplay } = result;
  await context.audit?.ended(result, options, emit);
  emit({ type: "finished", callId, tool, userId, status, error, isReplay });
  if (isAborted) options.signal?.throwIfAborted();
  return result;
}
