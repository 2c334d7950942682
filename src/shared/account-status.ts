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
