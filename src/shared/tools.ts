import { nameWithin } from "./nearest-name.js";

/** The hint that a tool only reads. */
export const READ_ONLY = "readOnlyHint";

/** The hints about what a tool does, which are among its tags. */
export const TOOL_HINTS = [READ_ONLY, "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/** The hint that a tag was probably meant to be, if it's misspelled: no rule would find it. */
export function misspelledHint(tag: string): string | undefined {
  const meant = nameWithin(2, tag, TOOL_HINTS);
  return meant === tag ? undefined : meant;
}

/** A dated version of a toolkit, `<YYYYMMDD>_<NN>`, as the whole string. */
export const DATED_VERSION = /^\d{8}_\d{2}$/;

/** How a call of a toolset can end. */
export const CALL_STATUSES = ["succeeded", "failed", "not_run", "unknown", "pending", "dry_run"] as const;

/** The tools with which an agent works in a session. They can be called only in a session. */
export const META_TOOLS = [
  "SVC_SEARCH_TOOLS",
  "SVC_GET_TOOL_SCHEMAS",
  "SVC_MULTI_EXECUTE_TOOL",
  "SVC_MANAGE_CONNECTIONS",
  "SVC_WAIT_FOR_CONNECTIONS",
  "SVC_REMOTE_WORKBENCH",
  "SVC_REMOTE_BASH_TOOL",
] as const;

/** Name of a meta tool that this version knows. */
export type MetaTool = (typeof META_TOOLS)[number];

/** Whether a slug is that of a meta tool, known to this version or not. */
export function isMetaTool(slug: string): boolean {
  return slug.startsWith("SVC_");
}

/** Whether a call with this status has run, or may have. */
export function hasRun(status: (typeof CALL_STATUSES)[number]): boolean {
  return status === "succeeded" || status === "failed" || status === "unknown";
}

/** Whether a library is told that a call failed. A pending call hasn't yet, and a dry run did what it should. */
export function isFailure(status: (typeof CALL_STATUSES)[number] | undefined): boolean {
  return status === undefined || status === "failed" || status === "not_run" || status === "unknown";
}
