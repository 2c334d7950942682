import type { Execution } from "../agent-tool.js";
import type { ResultOptions, TakenFiles } from "../files.js";
import type { CallLimits } from "../run-options.js";

/** Takes files out of a result. Few results have some, so what does it is loaded when one has. */
export async function takeFiles(
  call: Pick<Execution, "callId" | "tool">,
  data: unknown,
  options: Omit<ResultOptions, "maxResultBytes">,
  limits: CallLimits,
): Promise<TakenFiles> {
  // As JSON writes it: a `toJSON` may return a file.
  const text = JSON.stringify(data) ?? "null";
  const whole: unknown = JSON.parse(text);
  if (!text.includes('"s3url"')) return { data: whole, files: [] };
  return (await import("../files.js")).filesTaken(call, whole, options, limits);
}
