import type { Json } from "../shared/json.js";
import { frozenCopy } from "./arguments.js";
import type { CallStatus, Ending, MiddlewareCall, ToolMiddleware } from "./call-result.js";
import { resultText } from "./cut.js";
import { takeFiles } from "./files.js";
import type { ToolsetContext } from "./toolset-options.js";

/** The function that runs calls through the middleware of a toolset. */
export const wrapperOf =
  (use: readonly ToolMiddleware[]): NonNullable<ToolsetContext["wrap"]> =>
  (call, context, run) =>
    throughMiddleware(call, use, context, run);

async function throughMiddleware(
  call: MiddlewareCall,
  use: readonly ToolMiddleware[],
  context: ToolsetContext,
  run: (args: Json) => Promise<Ending>,
): Promise<Ending> {
  let ran: { readonly ending: Ending; readonly data: string | undefined } | undefined;
  const from = async (index: number): Promise<Ending> => {
    const middleware = use[index];
    if (!middleware) {
      const ending = await run(frozenCopy(call.arguments));
      ran = { ending, data: JSON.stringify(ending.data) };
      return ending;
    }
    let isCalled = false;
    return middleware(call, () => {
      if (isCalled) throw new TypeError("toolset: a function in use called next() twice. A call runs once.");
      isCalled = true;
      return from(index + 1);
    });
  };
  const ending = await from(0);
  if (!STATUSES.includes(ending?.status) || typeof ending.text !== "string") {
    throw new TypeError("toolset: a function in use must return the result of next(), or { status, text }.");
  }
  // What has run can't be undone by a result that says otherwise.
  const status =
    ran && HAS_RUN.includes(ran.ending.status) && !HAS_RUN.includes(ending.status) ? ran.ending.status : ending.status;
  // The text of the result from before would contain what was removed from the data.
  const isOldText =
    ran === undefined ? ending.data !== undefined && ending.text === "" : ending.text === ran.ending.text;
  if (status !== "succeeded" || !isOldText || JSON.stringify(ending.data) === ran?.data) return { ...ending, status };
  const { data, files } = await takeFiles(call.callId, ending.data, context);
  return { ...ending, status, text: resultText(data, context.maxResultBytes), files };
}

const HAS_RUN: readonly CallStatus[] = ["succeeded", "failed", "unknown"];
const STATUSES: readonly unknown[] = [...HAS_RUN, "not_run", "pending", "dry_run"];
