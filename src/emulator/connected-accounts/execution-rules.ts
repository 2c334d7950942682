import { canUseSharedConnection } from "../../resources/connected-accounts/acl.js";
import type { ExecuteToolBody } from "../../resources/tools/schema.js";
import { OF_OTHER_USER } from "../../shared/account-status.js";
import type { ToolDefinition, ToolkitDefinition } from "../catalog/definitions.js";
import type { StoredAccount } from "../engine/account-records.js";
import type { Engine } from "../engine/engine.js";
import { ApiFailure, invalidRequest } from "../engine/responses.js";
import type { State } from "../engine/state.js";

/**
 * The account a tool runs with; `undefined` if the toolkit doesn't need one, or the call includes credentials.
 *
 * @throws {ApiFailure} 404 for a missing account; 400 for another user's; 410 or 422 for one that isn't ACTIVE.
 */
export function pickAccount(
  toolkit: ToolkitDefinition,
  body: ExecuteToolBody,
  engine: Engine,
): StoredAccount | undefined {
  const userId = body.user_id ?? body.entity_id;
  if (body.connected_account_id !== undefined) {
    return checkActive(namedAccount(toolkit, body.connected_account_id, userId, engine.state));
  }
  const { custom_connection_data, custom_auth_params = {} } = body;
  // An empty object has no credentials.
  const hasCredentials = custom_connection_data !== undefined || Object.keys(custom_auth_params).length > 0;
  if (toolkit.auth.length === 0 || hasCredentials) return undefined;
  if (userId === undefined) throw invalidRequest(["body.user_id: expected a string, or connected_account_id"]);
  const candidates = accountsOfUser(userId, toolkit.slug, engine);
  // Without an active account, the newest one's status is the reason.
  const newest = candidates.findLast(({ status }) => status === "ACTIVE") ?? candidates.at(-1);
  if (newest) return checkActive(newest);
  throw noAccount(`No connected account found for user ID ${userId} for toolkit ${toolkit.slug}`);
}

/** A user's accounts of a toolkit, oldest first. */
export function accountsOfUser(userId: string | undefined, toolkit: string, { state }: Engine): StoredAccount[] {
  const found: StoredAccount[] = [];
  for (const account of state.connectedAccounts.values()) {
    if (account.userId === userId && account.toolkit === toolkit) found.push(account);
  }
  return found;
}

/**
 * The account with an id, if it's usable.
 *
 * @throws {ApiFailure} 404 for an unknown account; 410 or 422 for one that isn't ACTIVE.
 */
export function usableAccount(id: string, { state }: Engine): StoredAccount {
  const account = state.connectedAccounts.get(id);
  if (!account) {
    throw noAccount(`No connected account found with ID ${id}`, "The id is wrong, or the account was deleted");
  }
  return checkActive(account);
}

function namedAccount(
  toolkit: ToolkitDefinition,
  id: string,
  userId: string | undefined,
  { connectedAccounts }: Engine["state"],
): StoredAccount {
  const account = connectedAccounts.get(id);
  if (account && userId !== undefined && !mayUse(account, userId)) {
    const message = "Connected account user ID does not match the provided user ID";
    throw new ApiFailure(400, 1812, OF_OTHER_USER, message);
  }
  if (account?.toolkit === toolkit.slug) return account;
  const owner = userId === undefined ? "" : ` for user ID ${userId}`;
  const found = account ? `${id} is an account of ${account.toolkit}` : `No account has the ID ${id}`;
  throw noAccount(
    `No connected account found with ID ${id}${owner} for toolkit ${toolkit.slug}`,
    `${found}. Pass an account of ${toolkit.slug}, or omit connected_account_id to use the user's own`,
  );
}

/**
 * Returns an account that can run tools.
 *
 * @throws {ApiFailure} 410 with the code for an expired account, 422 with the next code for any other.
 */
export function checkActive(account: StoredAccount, domain = "ActionExecute", code = 1820): StoredAccount {
  const { id, status } = account;
  if (status === "ACTIVE") return account;
  const message = `Connected account ${id} is in ${status} state`;
  if (status === "EXPIRED") {
    const suggestedFix = "Ask the user to connect the account again";
    throw new ApiFailure(410, code, `${domain}_ConnectedAccountExpired`, message, suggestedFix);
  }
  throw new ApiFailure(422, code + 1, `${domain}_ConnectedAccountNotActive`, message);
}

/**
 * Checks that an account's auth config serves a tool. Empty lists allow every tool. Assumption E94.
 *
 * @throws {ApiFailure} 400 if it doesn't.
 */
export function checkServed(
  { slug }: ToolDefinition,
  account: StoredAccount | undefined,
  { authConfigs }: State,
): void {
  const config = authConfigs.get(account?.authConfigId ?? "");
  const { tools_available_for_execution: available = [] } = config?.tool_access_config ?? {};
  const { restrict_to_following_tools: restricted = [] } = config ?? {};
  for (const list of [available, restricted]) {
    if (list.length === 0 || list.includes(slug)) continue;
    const message = `Auth config ${config?.id} does not serve tool ${slug}`;
    const fix = "Add it to tool_access_config.tools_available_for_execution";
    throw new ApiFailure(400, 1822, "ActionExecute_ToolNotAvailable", message, fix);
  }
}

function noAccount(
  message: string,
  suggestedFix = "Connect an account of this user for this toolkit first",
): ApiFailure {
  return new ApiFailure(404, 1810, "ActionExecute_ConnectedAccountNotFound", message, suggestedFix);
}

/** Whether a user may act through an account. */
export function mayUse({ sharing, acl, userId: creatorId }: StoredAccount, userId: string): boolean {
  return sharing === "SHARED" ? canUseSharedConnection(acl, { userId, creatorId }) : userId === creatorId;
}
