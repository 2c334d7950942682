import type { SharedConnectionAcl } from "./schema.js";

/**
 * Whether a user may act through a SHARED connected account.
 *
 * Its creator always may. Other users are denied if `not_allowed_user_ids` includes them; otherwise they are allowed by
 * `allow_all_users` or by being in `allowed_user_ids`. Without a config, only the creator may.
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
