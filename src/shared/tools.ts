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

/** The format of lockfiles that this version of the package writes and reads. */
export const LOCK_FORMAT = 1;

/** The problem with the format of a lockfile, or `undefined`. */
export function lockFormatProblem(format: unknown): string | undefined {
  if (format === LOCK_FORMAT) return undefined;
  return `formatVersion must be ${LOCK_FORMAT}, the format that this version of svc-sdk reads.`;
}

/** How a call of a toolset can end. */
export const CALL_STATUSES = ["succeeded", "failed", "not_run", "unknown", "pending", "dry_run"] as const;

/** Finds the status in the message of a call whose account can't be used. */
export const IN_STATE = /\baccount\b.* is in ([A-Z]+) state\b/;

/** The status of the account in the message of a failed call; `undefined` if it has none. */
export function accountStatusIn(message: string): string | undefined {
  return IN_STATE.exec(message)?.[1];
}

/** Why a user must act, by the status of the account. An INACTIVE account was disabled by a program. */
export const NEED_OF_STATUS = new Map<string | undefined, "unfinished" | "failed" | "expired" | "revoked">([
  ["INITIALIZING", "unfinished"],
  ["INITIATED", "unfinished"],
  ["FAILED", "failed"],
  ["EXPIRED", "expired"],
  ["REVOKED", "revoked"],
]);
