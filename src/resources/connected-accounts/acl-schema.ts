import * as z from "zod/mini";
import { boolean, list, object, openEnum, request, string } from "../schema-kit.js";

const userIds = list(string.check(z.minLength(1), z.maxLength(256))).check(z.maxLength(1000));

/**
 * Who may use a SHARED account besides its creator. Omitted fields allow no one; `canUseSharedConnection` evaluates it.
 */
export const SharedConnectionAcl = request({
  /** Everyone, except the users in `not_allowed_user_ids`. */
  allow_all_users: z.optional(boolean),
  /** User ids of 1 to 256 characters, at most 1000. */
  allowed_user_ids: z.optional(userIds),
  /** Overrides the other two. User ids of 1 to 256 characters, at most 1000. */
  not_allowed_user_ids: z.optional(userIds),
});
export interface SharedConnectionAcl extends z.infer<typeof SharedConnectionAcl> {}

/** Experimental. Who may use a new account. */
export const ConnectionSharingInput = request({
  /**
   * `PRIVATE`, the default: only its user. `SHARED`: others too. A session takes at most one SHARED account per
   * toolkit.
   */
  account_type: z.optional(z.enum(["PRIVATE", "SHARED"])),
  /** Only with `SHARED`; otherwise the service responds 400. */
  acl_config_for_shared: z.optional(SharedConnectionAcl),
});
export interface ConnectionSharingInput extends z.infer<typeof ConnectionSharingInput> {}

/** Experimental. Who may use an account. */
export const ConnectionSharing = object({
  /** `PRIVATE`: only its user. `SHARED`: others too. */
  account_type: openEnum(["PRIVATE", "SHARED"]),
  /** Hidden from dashboard users who didn't create the account. */
  acl_config_for_shared: z.optional(
    object({
      allow_all_users: boolean,
      allowed_user_ids: z.array(string),
      not_allowed_user_ids: z.array(string),
    }),
  ),
});
export interface ConnectionSharing extends z.infer<typeof ConnectionSharing> {}
