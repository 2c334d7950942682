import * as z from "zod/mini";
import { boolean, list, object, openEnum, request, string } from "../schema-kit.js";
import { ACCOUNT_TYPES } from "../shared.js";

const userIds = list(string.check(z.minLength(1), z.maxLength(256))).check(z.maxLength(1000));

/**
 * Access list of a SHARED account: the users who may use it, besides its creator. Omitted fields allow no users.
 * Evaluate the list with `canUseSharedConnection`.
 */
export const SharedConnectionAcl = request({
  /** Whether all users may use the account, except the users in `not_allowed_user_ids`. */
  allow_all_users: z.optional(boolean),
  /** Users who may use the account: at most 1000 ids of 1 to 256 characters. */
  allowed_user_ids: z.optional(userIds),
  /** Users who may not use the account, even if another field allows it: at most 1000 ids of 1 to 256 characters. */
  not_allowed_user_ids: z.optional(userIds),
});
export interface SharedConnectionAcl extends z.infer<typeof SharedConnectionAcl> {}

/** Experimental. Sharing of a new account. */
export const ConnectionSharingInput = request({
  /**
   * `PRIVATE`, the default: only its user may use the account. `SHARED`: other users may use it if the access list
   * allows them. A session accepts at most one SHARED account per toolkit.
   */
  account_type: z.optional(z.enum(ACCOUNT_TYPES)),
  /** Access list. Allowed only with `SHARED`, otherwise the service responds with 400. */
  acl_config_for_shared: z.optional(SharedConnectionAcl),
});
export interface ConnectionSharingInput extends z.infer<typeof ConnectionSharingInput> {}

/** Experimental. Sharing of an account. */
export const ConnectionSharing = object({
  /** `PRIVATE`: only its user may use the account. `SHARED`: other users may use it if the access list allows them. */
  account_type: openEnum(ACCOUNT_TYPES),
  /** Access list. Hidden from dashboard users who didn't create the account. */
  acl_config_for_shared: z.optional(
    object({
      allow_all_users: boolean,
      allowed_user_ids: z.array(string),
      not_allowed_user_ids: z.array(string),
    }),
  ),
});
export interface ConnectionSharing extends z.infer<typeof ConnectionSharing> {}
