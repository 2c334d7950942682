import type { SharedConnectionAcl } from "./schema.js";

/**
 * Returns whether a user may use a SHARED connected account.
 *
 * The creator always may. Any other user may if `allow_all_users` is true or `allowed_user_ids` includes the user,
 * unless `not_allowed_user_ids` does. Without an access list, only the creator may. Returns false for an empty
 * `userId`.
 *
 * @param acl `experimental.acl_config_for_shared` of the account.
 */
export function canUseSharedConnection(
  acl: SharedConnectionAcl | null | undefined,
  { userId, creatorId }: { readonly userId: string; readonly creatorId: string },
): boolean {
  // No user is signed in. An unknown creator must not be that user.
  if (!userId) return false;
  if (userId === creatorId) return true;
  if (acl?.not_allowed_user_ids?.includes(userId)) return false;
  return acl?.allow_all_users === true || acl?.allowed_user_ids?.includes(userId) === true;
}
