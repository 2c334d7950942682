import { field } from "../../shared/json.js";
import { ConnectionStateError } from "./connection-state-error.js";

/** Statuses that an account leaves only if its user connects again. */
const LOST: readonly string[] = ["FAILED", "EXPIRED", "REVOKED"];

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
