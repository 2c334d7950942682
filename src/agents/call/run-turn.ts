// The room of a model's call, from the turn to the text that the model reads: arguments, record, permission, effect,
// result. It imports `tools`, `src/contract` and `src/json-schema`. Start here, then `call-run.ts`.

import { wellFormed } from "../../shared/well-formed.js";
import type { AgentTool, ToolCall, ToolForm } from "../agent-tool.js";
import { type CallResult, type Ending, NO_RESULT } from "../call-result.js";
import { runOptionsOf } from "../check-options.js";
import { ensureCalls } from "../ensure.js";
import { ASKS, type RunOptions } from "../run-options.js";
import type { ToolsetContext } from "../toolset-context.js";
import { parsedArguments } from "./arguments.js";
import { reportRequired } from "./auth-required.js";
import { CallRun } from "./call-run.js";
import * as messages from "./messages.js";
import { boundedText } from "./result-text.js";

/** Tools by the name that a model calls, each with the form in which the model got it. */
export type Offered = ReadonlyMap<string, { readonly tool: AgentTool; readonly form: ToolForm }>;

/** Runs the calls of a turn, and returns their results in order, as the model reads them. */
export async function runTurn(
  offered: Offered,
  context: ToolsetContext,
  calls: readonly ToolCall[],
  given?: RunOptions,
): Promise<CallResult[]> {
  ensureCalls(calls);
  const options = runOptionsOf(given);
  options.signal?.throwIfAborted();
  const { observer, guard, maxTurnBytes } = context;
  observer?.tell({ type: "turn", calls, toolOf: (name) => offered.get(name)?.tool });
  const ends = await settleCalls(offered, context, calls, options);
  observer?.tell({ type: "ended", calls, ends });
  const results: CallResult[] = [];
  for (const end of ends) {
    if (end.status === "rejected") throw end.reason;
    results.push(end.value);
  }
  // Before anything reads them: after a crash, the conversation has the labels of all that its model was given.
  const released = guard?.labels ? await guard.labels.release(results, options.signal) : results;
  // After a library's question comes the call, which tells the program.
  const isTold = context.onAuthRequired && !(ASKS in options);
  const reported = isTold ? await reportRequired(released, context) : released;
  const ended: CallResult[] = [];
  for (const result of await boundedTurn(reported, maxTurnBytes)) {
    // Whatever wrote the text, here it leaves the toolset.
    ended.push(result.text.isWellFormed() ? result : { ...result, text: wellFormed(result.text) });
  }
  context.origins?.record(
    calls.map(({ name, arguments: given }) => parsedArguments(name, given).args),
    ended,
  );
  return ended;
}

/**
 * Runs calls, all at the same time or as many as the toolset allows, until each has ended: nothing still runs when a
 * turn rejects.
 */
async function settleCalls(
  offered: Offered,
  context: ToolsetContext,
  calls: readonly ToolCall[],
  options: RunOptions,
): Promise<PromiseSettledResult<CallResult>[]> {
  const running = new Map<string, Promise<CallResult>>();
  const settled: PromiseSettledResult<CallResult>[] = [];
  const left = calls.entries();
  const work = async () => {
    for (const [index, call] of left) {
      const end = runCall(call, running.get(call.callId), offered, context, options);
      running.set(call.callId, end);
      for (const outcome of await Promise.allSettled([end])) settled[index] = outcome;
    }
  };
  await Promise.all(Array.from({ length: Math.min(context.concurrency ?? calls.length, calls.length) }, work));
  return settled;
}

/**
 * Runs one call, from whichever library. Rejects only if it was aborted.
 *
 * @param earlier - An earlier call of the turn with the same id, which runs first: this one gets its result.
 */
async function runCall(
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

/** Shortens the results of a turn to its limit. */
async function boundedTurn(results: readonly CallResult[], maxTurnBytes: number): Promise<readonly CallResult[]> {
  // A character has up to three bytes. Most turns are small.
  let mostBytes = 0;
  for (const { text } of results) mostBytes += text.length * 3;
  if (mostBytes <= maxTurnBytes) return results;
  return (await import("./share-turn.js")).shareTurn(results, maxTurnBytes);
}
