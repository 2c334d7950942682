/** Finds the status in the message of a call whose account can't be used. */
export const IN_STATE = /\baccount\b.* is in ([A-Z]+) state\b/;

/** The status of the account in the message of a failed call; `undefined` if it has none. */
function accountStatusIn(message: string): string | undefined {
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

/** The slug of a failed call whose account belongs to another user. */
export const OF_OTHER_USER = "ActionExecute_ConnectedAccountEntityIdMismatch";

/** The condition of a failed call whose account isn't ACTIVE. The message has its status. */
export const NOT_ACTIVE = "connected_account_not_active";

/** Why a user must connect an account, by the condition and the message of a failed call; `undefined` if no reason. */
export function needOf(condition: unknown, message: string) {
  if (condition === "no_connected_account") return "not_connected";
  if (condition === "auth_refresh_required") return "expired";
  return condition === NOT_ACTIVE ? NEED_OF_STATUS.get(accountStatusIn(message)) : undefined;
}
