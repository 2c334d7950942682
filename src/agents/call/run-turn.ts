// The room of a model's call, from the turn to the text that the model reads: arguments, record, permission, effect,
// result. It imports `tools`, `src/contract` and `src/json-schema`. Start here, then `call-run.ts`.

import { wellFormed } from "../../shared/well-formed.js";
import type { ToolCall } from "../agent-tool.js";
import type { CallResult } from "../call-result.js";
import { runOptionsOf } from "../check-options.js";
import { ensureCalls } from "../ensure.js";
import { ASKS, type RunOptions } from "../run-options.js";
import type { ToolsetContext } from "../toolset-options.js";
import { parsedArguments } from "./arguments.js";
import { reportRequired } from "./auth-required.js";
import { type Offered, runCall } from "./dispatcher.js";

/** Runs the calls of a turn: all at the same time, or as many as the toolset allows. Answered in order. */
export async function runTurn(
  offered: Offered,
  context: ToolsetContext,
  calls: readonly ToolCall[],
  given?: RunOptions,
): Promise<CallResult[]> {
  ensureCalls(calls);
  const options = runOptionsOf(given);
  options.signal?.throwIfAborted();
  const { observer } = context;
  observer?.tell({ type: "turn", calls, toolOf: (name) => offered.get(name)?.tool });
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
  // All of them, so that nothing still runs when this rejects.
  await Promise.all(Array.from({ length: Math.min(context.concurrency ?? calls.length, calls.length) }, work));
  const results: CallResult[] = [];
  observer?.tell({ type: "ended", calls, ends: settled });
  for (const end of settled) {
    if (end.status === "rejected") throw end.reason;
    results.push(end.value);
  }
  const { guard } = context;
  // Before anything reads them: after a crash, the conversation has the labels of all that its model was given.
  const released = guard?.labels ? await guard.labels.release(results, options.signal) : results;
  // After a library's question comes the call, which tells the program.
  const isTold = context.onAuthRequired && !(ASKS in options);
  const reported = isTold ? await reportRequired(released, context) : released;
  const { maxTurnBytes } = context;
  // A character has up to three bytes. Most turns are small.
  let mostBytes = 0;
  for (const { text } of reported) mostBytes += text.length * 3;
  const shared =
    mostBytes <= maxTurnBytes ? reported : (await import("./share-turn.js")).shareTurn(reported, maxTurnBytes);
  const ended: CallResult[] = [];
  for (const result of shared) {
    // Whatever wrote the text, here it leaves the toolset.
    ended.push(result.text.isWellFormed() ? result : { ...result, text: wellFormed(result.text) });
  }
  context.origins?.record(
    calls.map(({ name, arguments: given }) => parsedArguments(name, given).args),
    ended,
  );
  return ended;
}
