import { hasBrand, SvcError } from "../../errors/base.js";
import { TimeoutError } from "../../errors/connection.js";
import { NEED_OF_STATUS, needOf } from "../../shared/account-status.js";
import { field, textOf } from "../../shared/json.js";
import type { ConnectionStatus } from "./schema.js";
import type { CONNECTION_STATUSES } from "./state-fields-schema.js";

/** The account's data in the error. Contains nothing else of its record, which may contain credentials. */
export interface ConnectionStateInfo {
  /** Starts with `ca_`. */
  readonly connectedAccountId: string;
  /** Status of the account. */
  readonly status: ConnectionStatus;
  /** The service's `status_reason`, in words. */
  readonly reason: string | undefined;
}

const NEXT_STEP: Readonly<Record<string, string>> = {
  INITIALIZING: "The user hasn't opened the hosted page yet.",
  INITIATED: "The user opened the hosted page but hasn't finished.",
  INACTIVE: "Enable it with connectedAccounts.enable, and its auth config with authConfigs.enable.",
  FAILED: "Send the user through connectedAccounts.link again.",
  EXPIRED: "Ask the user to connect again with connectedAccounts.link.",
  REVOKED: "Ask the user to connect again with connectedAccounts.link.",
} satisfies Record<Exclude<(typeof CONNECTION_STATUSES)[number], "ACTIVE">, string>;

/** A connected account is not ACTIVE. Check `status`: FAILED, EXPIRED and REVOKED don't become ACTIVE automatically. */
export class ConnectionStateError extends SvcError implements ConnectionStateInfo {
  protected static override readonly brand: string = "ConnectionStateError";

  /** The operation, usually named like its method. */
  readonly operation: string;
  readonly connectedAccountId: string;
  readonly status: ConnectionStatus;
  readonly reason: string | undefined;

  constructor(operation: string, facts: ConnectionStateInfo) {
    const { connectedAccountId, status, reason } = facts;
    const why = reason === undefined ? "" : ` (${reason})`;
    const next = Object.hasOwn(NEXT_STEP, status) ? ` ${NEXT_STEP[status]}` : "";
    super(`${operation}: ${connectedAccountId} is ${status}${why}.${next}`);
    this.operation = operation;
    this.connectedAccountId = connectedAccountId;
    this.status = status;
    this.reason = reason;
  }
}

/** The reason why a user must act before a call can run. */
export type ConnectionNeed =
  /** The user has no account of the toolkit. */
  | "not_connected"
  /** The user hasn't finished on the hosted page. */
  | "unfinished"
  /** The user was on the hosted page, but no account was connected. */
  | "failed"
  /** The account's credentials can't be refreshed, or the user didn't finish in time. */
  | "expired"
  /** The account's credentials were revoked. */
  | "revoked";

/** Whether an account leaves a status only if its user connects again, so that waiting can't help. */
export function isLost(status: ConnectionStatus): boolean {
  const need = NEED_OF_STATUS.get(status);
  return need !== undefined && need !== "unfinished";
}

/**
 * Returns the reason if a call failed because the user must connect an account, for the first time or again. Otherwise
 * returns `undefined`. Send the user to the page of `connectedAccounts.link` or of a session's `link`, then repeat the
 * call.
 *
 * ```ts
 * if (!needsConnection(error)) throw error;
 * const { redirect_url } = await svc.connectedAccounts.link({ auth_config_id, user_id });
 * ```
 *
 * Recognizes errors of executions, {@link ConnectionStateError}, the timeout of `waitUntilActive`, and a toolset's
 * `AuthRequiredError`, unless the user only has to choose between accounts. Returns `undefined` for everything else:
 * your program can enable an INACTIVE account, and an unknown account id (`connected_account_not_found`) may be a
 * mistake in it.
 *
 * @param error - Anything that was thrown, or the `error` of a toolset's result.
 */
export function needsConnection(error: unknown): ConnectionNeed | undefined {
  const state = error instanceof TimeoutError ? error.cause : error;
  if (state instanceof ConnectionStateError) return NEED_OF_STATUS.get(state.status);
  const known = hasBrand(error, "AuthRequiredError") ? field(error, "reason") : undefined;
  for (const need of NEED_OF_STATUS.values()) if (need === known) return need;
  return needOf(field(error, "condition"), textOf(error, "message"));
}
