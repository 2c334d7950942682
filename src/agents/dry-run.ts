import { isString, mapMembers } from "../shared/json.js";
import type { Conclusion } from "./call-result.js";
import type { Execution } from "./tool.js";
import * as words from "./words.js";

/** Ends a call with what would be sent, without secrets. */
export function wouldSend(execution: Execution, maxResultBytes: number, reason = ""): Conclusion {
  const { tool, userId, accountId, arguments: args } = execution;
  const data = { tool: tool.name, version: tool.version, userId, accountId, arguments: redacted(args) };
  return { status: "dry_run", text: words.dryRun(tool.name, reason, data, maxResultBytes), data };
}

const SECRET = /pass(word|wd|phrase|code)|pwd|secret|token|(api|private)[-_]?key|authorization|credential|cookie/i;

/**
 * A copy of arguments for people and logs, in which strings under names of secrets are hidden, also within lists and
 * objects.
 */
function redacted(value: unknown, isSecret = false): unknown {
  if (isString(value)) return isSecret ? "[redacted]" : value;
  return mapMembers(value, (member, name = "") => redacted(member, isSecret || SECRET.test(name)));
}
