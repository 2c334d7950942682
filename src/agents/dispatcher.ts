import type { Mismatch } from "../errors/local.js";
import { isObject, isString, type Json } from "../shared/json.js";
import { structuralMismatches } from "./check.js";
import { conclude, type Dispatched, type Dispatching, type Ending, type OfferedTool } from "./dispatching.js";
import { execute } from "./execute.js";
import { hasStagedKey } from "./file-arguments.js";
import type { Execution, RunnableTool, RunOptions, ToolCall } from "./tool.js";
import * as words from "./words.js";

/**
 * Runs one call, from whichever library: parses, restores, checks and executes it. Rejects only if it was
 * aborted.
 */
export async function dispatch(
  { callId, name, arguments: given, isCut }: ToolCall,
  offered: ReadonlyMap<string, OfferedTool>,
  dispatching: Dispatching,
  options: RunOptions,
): Promise<Dispatched> {
  const runnable = offered.get(name);
  const ended = (ending: Ending) => conclude(dispatching, runnable?.tool, callId, ending);
  const notRun = (text: string, facts: { mismatches?: readonly Mismatch[]; error?: unknown } = {}) =>
    ended({ status: "not_run", text, ...facts });
  if (!runnable) return notRun(words.unknownTool(name, [...offered.keys()]));
  const { tool } = runnable;
  if (isCut) return notRun(words.cutCall(tool.name));
  const parsed = parsedArguments(tool.name, given);
  if (isString(parsed)) return notRun(parsed);
  try {
    // A copy, so that what is checked and decided about is what is sent, and nothing changes it in between.
    const text = JSON.stringify(runnable.restore ? runnable.restore(parsed) : parsed) ?? "null";
    const args: unknown = JSON.parse(text, (_, member: unknown) => Object.freeze(member));
    if (!isObject(args)) return notRun(words.notAnObject(tool.name));
    const mismatches = await mismatchesOf(runnable, args, dispatching);
    if (mismatches.length > 0) return notRun(words.wrongArguments(tool.name, mismatches), { mismatches });
    const { userId, accounts } = dispatching;
    const accountId = accounts[tool.toolkit ?? ""];
    const execution: Execution = { callId, tool, arguments: args, userId, accountId, inner: [] };
    return ended(await execute(execution, runnable, dispatching, options));
  } catch (error) {
    options.signal?.throwIfAborted();
    return notRun(words.programFailed(tool.name), { error });
  }
}

/** The parsed arguments, or what a model reads if they can't be parsed. */
function parsedArguments(name: string, given: unknown): Json | string {
  // Models and libraries write no arguments as nothing or as an empty string.
  if ((given ?? "") === "") return {};
  let value = given;
  if (isString(given)) {
    try {
      value = JSON.parse(given);
    } catch (error) {
      return words.brokenJson(name, error);
    }
  }
  return isObject(value) ? value : words.notAnObject(name);
}

async function mismatchesOf(
  { tool, check }: RunnableTool,
  args: Json,
  { validateArguments }: Dispatching,
): Promise<readonly Mismatch[]> {
  const { kind, parameters } = tool;
  const structural = structuralMismatches(parameters, args);
  if (structural.length > 0) return structural;
  if (kind !== "own" && hasStagedKey(args) && !JSON.stringify(parameters).includes('"s3key"')) {
    return [{ path: "s3key", expected: "its path or https URL, not its key", received: "string" }];
  }
  const own = (await check?.(args)) ?? [];
  if (own.length > 0) return own;
  try {
    return validateArguments?.check(parameters, args) ?? [];
  } catch (error) {
    // Like the client's: arguments that a validator can't check are left to the service.
    console.warn("toolset: arguments are not checked.", error);
    return [];
  }
}
