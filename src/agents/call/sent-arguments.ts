import { loadPart } from "../../errors/base.js";
import type { Json } from "../../shared/json.js";
import type { Execution } from "../agent-tool.js";
import type { Ending } from "../call-result.js";
import type { CallFiles } from "../files.js";
import type { CallLimits } from "../run-options.js";
import type { ToolsetContext } from "../toolset-context.js";
import * as messages from "./messages.js";

type FileContext = Pick<ToolsetContext, "withFiles" | "records" | "openFile" | "files" | "locals" | "maxResultBytes">;

/** Few tools take files, so the code for them is loaded when it is needed. */
const fileCode = () => loadPart("toolset", import("../files.js"));

/** The files that a call uploads, which aren't opened yet; `undefined` if its tool takes none. */
export async function filesOf(
  execution: Execution,
  { withFiles, records, openFile }: FileContext,
  limits: CallLimits,
): Promise<CallFiles | undefined> {
  const { name } = execution.tool;
  if (!withFiles.has(name)) return undefined;
  const { callFiles } = await fileCode();
  return callFiles(records.get(name)?.input_parameters ?? {}, execution, openFile, limits);
}

/**
 * The arguments that are sent: with its uploaded files, and for a local tool as it parsed them. If a file can't be
 * uploaded, how the call ends.
 */
export async function sentArguments(
  allowed: Execution,
  parsed: Json,
  files: CallFiles | undefined,
  context: FileContext,
  limits: CallLimits,
): Promise<{ readonly args: Json } | Ending> {
  const { name } = allowed.tool;
  let args: unknown = allowed.arguments;
  try {
    // A local function may change its arguments.
    if (context.locals.has(name)) args = structuredClone(parsed);
    if (files) args = await (await fileCode()).uploaded(allowed, files, context.files, limits);
  } catch (error) {
    limits.signal?.throwIfAborted();
    const text = await messages.failed(name, error, "not_run", context.maxResultBytes);
    return { status: "not_run", text, error };
  }
  limits.signal?.throwIfAborted();
  // Only files were replaced, and those are inside of the object.
  return { args: args as Json };
}

/**
 * Arguments without the one that named the account, which only the model's schema has: the service knows the account by
 * its id.
 */
export function withoutAccount(args: Json, argument: string | undefined): Json {
  if (argument === undefined) return args;
  const { [argument]: _, ...rest } = args;
  return rest;
}
