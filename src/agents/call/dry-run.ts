import { sentence } from "../../shared/message-of.js";
import { redacted } from "../../shared/secret-names.js";
import type { Execution } from "../agent-tool.js";
import type { Ending } from "../call-result.js";
import type { ToolsetContext } from "../toolset-context.js";
import { resultText } from "./result-text.js";

/** Ends a call with what would be sent, without secrets. The model doesn't read the arguments that the program sets. */
export function wouldSend(
  execution: Execution,
  { bound, maxResultBytes }: Pick<ToolsetContext, "bound" | "maxResultBytes">,
  reason = "",
): Ending {
  const { tool, userId, accountId, arguments: args } = execution;
  const data = { tool: tool.name, version: tool.version, userId, accountId, arguments: redacted(args) };
  const shown = { ...data, arguments: redacted(bound ? bound.hide(tool.name, args) : args) };
  return { status: "dry_run", text: dryRun(tool.name, reason, shown, maxResultBytes), data };
}

function dryRun(name: string, reason: string, sent: unknown, maxBytes: number): string {
  return `Dry run: nothing was sent. ${reason && `${sentence(reason)} `}${name} would have been called with this: ${resultText(sent, maxBytes / 2)}`;
}
