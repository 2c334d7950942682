import type { Json } from "../shared/json.js";
import { type Ending, hasRun, type MiddlewareCall, type ToolMiddleware } from "./call-result.js";
import { frozenCopy } from "./canonical.js";
import { resultText } from "./cut.js";
import { takeFiles } from "./files.js";
import * as messages from "./messages.js";
import type { ToolsetContext } from "./toolset-options.js";

export async function wrapCall(
  use: readonly ToolMiddleware[],
  call: MiddlewareCall,
  context: ToolsetContext,
  run: (args: Json) => Promise<Ending>,
): Promise<Ending> {
  let ran: { readonly ending: Ending; readonly data: string | undefined } | undefined;
  let isRunning = false;
  // Neither the outermost function that returned or threw nor those that it wraps may start the call anymore.
  let firstEnded = use.length;
  const shown = ({ data }: Ending) => JSON.stringify(messages.readable(call.tool.name, data));
  const from = async (index: number): Promise<Ending> => {
    if (index > firstEnded) {
      throw new TypeError("toolset: a function in use called next() after the call had ended. Await next().");
    }
    const middleware = use[index];
    if (!middleware) {
      isRunning = true;
      try {
        const ending = await run(frozenCopy(call.arguments));
        ran = { ending, data: shown(ending) };
        return ending;
      } finally {
        isRunning = false;
      }
    }
    let isCalled = false;
    const next = () => {
      if (isCalled) throw new TypeError("toolset: a function in use called next() twice. A call runs once.");
      isCalled = true;
      const running = from(index + 1);
      // A function that doesn't await it must not end the process.
      running.catch(() => undefined);
      return running;
    };
    try {
      return await middleware(call, next);
    } finally {
      firstEnded = Math.min(firstEnded, index);
    }
  };
  let ending: Ending;
  try {
    ending = await from(0);
  } catch (error) {
    if (!isRunning) throw error;
    ending = { status: "unknown", text: messages.startedBefore(call.tool.name), error };
  }
  if (!STATUSES.includes(ending?.status) || typeof ending.text !== "string") {
    throw new TypeError("toolset: a function in use must return the result of next(), or { status, text }.");
  }
  // What has run, or still runs, can't be undone by a result that says otherwise.
  const before = isRunning ? "unknown" : ran?.ending.status;
  const status = before && hasRun(before) && !hasRun(ending.status) ? before : ending.status;
  // The text of the result from before would contain what was removed from the data.
  const isOldText =
    ran === undefined ? ending.data !== undefined && ending.text === "" : ending.text === ran.ending.text;
  if (status !== "succeeded" || !isOldText || shown(ending) === ran?.data) return { ...ending, status };
  const { data, files } = await takeFiles(call, messages.readable(call.tool.name, ending.data), context, {
    signal: call.signal,
  });
  return { ...ending, status, text: resultText(data, context.maxResultBytes), files };
}

const STATUSES: readonly unknown[] = ["succeeded", "failed", "unknown", "not_run", "pending", "dry_run"];
