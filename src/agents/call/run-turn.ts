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
  const results = ends.map((end) => {
    if (end.status === "rejected") throw end.reason;
    return end.value;
  });
  // Before anything reads them: after a crash, the conversation has the labels of all that its model was given.
  const released = guard?.labels ? await guard.labels.release(results, options.signal) : results;
  // After a library's question comes the call, which tells the program.
  const isTold = context.onAuthRequired && !(ASKS in options);
  const reported = isTold ? await reportRequired(released, context) : released;
  const ended = (await boundedTurn(reported, maxTurnBytes)).map((result) =>
    // Whatever wrote the text, here it leaves the toolset.
    result.text.isWellFormed() ? result : { ...result, text: wellFormed(result.text) },
  );
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

/** Shortens the results of a turn to its limit. */
async function boundedTurn(results: readonly CallResult[], maxTurnBytes: number): Promise<readonly CallResult[]> {
  // A character has up to three bytes. Most turns are small.
  let mostBytes = 0;
  for (const { text } of results) mostBytes += text.length * 3;
  if (mostBytes <= maxTurnBytes) return results;
  return (await import("./share-turn.js")).shareTurn(results, maxTurnBytes);
}
