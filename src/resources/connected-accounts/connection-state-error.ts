import { SvcError } from "../../errors/base.js";
import { field } from "../../shared/json.js";
import type { ConnectionStatus } from "./schema.js";

/** The account's facts in the error; no more than these, because a record may contain credentials. */
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
};

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

/** Statuses that an account leaves only if its user connects again, so waiting can't help. */
export const LOST: readonly string[] = ["FAILED", "EXPIRED", "REVOKED"];

/**
 * Whether a call failed because the user must connect an account, for the first time or again. Send the user to the
 * page of `connectedAccounts.link` or of a session's `link`, then repeat the call.
 *
 * ```ts
 * if (!needsConnection(error)) throw error;
 * const { redirect_url } = await svc.connectedAccounts.link({ auth_config_id: "ac_github_demo", user_id });
 * ```
 *
 * True for the conditions `no_connected_account` and `auth_refresh_required`, for a {@link ConnectionStateError} whose
 * `status` is `FAILED`, `EXPIRED` or `REVOKED`, and for the `AuthRequiredError` of a toolset, unless
 * the user has accounts and one must be chosen. False for everything
 * else: an account with `INACTIVE` status is enabled again, and an unknown account id (`connected_account_not_found`)
 * may be a mistake in your program.
 *
 * @param error - Anything that was thrown, or the `error` of a toolset's result.
 */
export function needsConnection(error: unknown): boolean {
  if (error instanceof ConnectionStateError) return LOST.includes(error.status);
  const condition = field(error, "condition");
  return condition === "no_connected_account" || condition === "auth_refresh_required";
}
