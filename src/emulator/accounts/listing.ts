import { canUseSharedConnection } from "../../resources/connected-accounts/acl.js";
import type { ListConnectedAccountsQuery } from "../../resources/connected-accounts/schema.js";
import type { State } from "../state.js";
import type { StoredAccount } from "./stored-account.js";

/** Whether a user may act through an account. */
export function mayUse({ sharing, acl, userId: creatorId }: StoredAccount, userId: string): boolean {
  return sharing === "SHARED" ? canUseSharedConnection(acl, { userId, creatorId }) : userId === creatorId;
}

/**
 * The accounts that a list's filters leave, in its order. A user's shared accounts are those the user may use. See
 * assumption E23.
 */
export function filteredAccounts({ connectedAccounts }: State, query: ListConnectedAccountsQuery): StoredAccount[] {
  const { account_type: type = "PRIVATE", order_by: field = "created_at", order_direction: direction = "desc" } = query;
  const matching = [...connectedAccounts.values()].filter(
    (account) =>
      (type === "ALL" || account.sharing === type) &&
      (!query.toolkit_slugs || query.toolkit_slugs.includes(account.toolkit)) &&
      (!query.statuses || query.statuses.includes(account.status)) &&
      (!query.user_ids || query.user_ids.some((userId) => mayUse(account, userId))) &&
      (!query.auth_config_ids || query.auth_config_ids.includes(account.authConfigId)) &&
      (!query.connected_account_ids || query.connected_account_ids.includes(account.id)),
  );
  const time = ({ createdAt, updatedAt }: StoredAccount) => (field === "created_at" ? createdAt : updatedAt);
  // A stable sort: accounts of the same instant keep the order in which they were made.
  const oldestFirst = matching.sort((one, other) => (time(one) < time(other) ? -1 : time(one) > time(other) ? 1 : 0));
  return direction === "asc" ? oldestFirst : oldestFirst.reverse();
}
