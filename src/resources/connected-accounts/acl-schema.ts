import * as z from "zod/mini";
import { object, openEnum, request } from "../../schema-kit.js";

const userIds = z.array(z.string().check(z.minLength(1), z.maxLength(256))).check(z.maxLength(1000));

/**
 * Who beside its creator may use a SHARED account. What is left out allows nobody; `canUseSharedConnection` resolves it.
 * Spec: Connected account update.
 */
export const SharedConnectionAcl = request({
  /** Everybody, except those in `not_allowed_user_ids`. */
  allow_all_users: z.optional(z.boolean()),
  /** User ids of 1 to 256 characters, at most 1000. */
  allowed_user_ids: z.optional(userIds),
  /** Wins over the other two. User ids of 1 to 256 characters, at most 1000. */
  not_allowed_user_ids: z.optional(userIds),
});
/**
 * Who beside its creator may use a SHARED account. What is left out allows nobody; `canUseSharedConnection` resolves it.
 * Spec: Connected account update.
 */
export interface SharedConnectionAcl extends z.infer<typeof SharedConnectionAcl> {}

/** Experimental. Who may use a new account. */
export const ConnectionSharingInput = request({
  /** Only its user (`PRIVATE`, the default), or others too. A session takes at most one SHARED account per toolkit. */
  account_type: z.optional(z.enum(["PRIVATE", "SHARED"])),
  /** With `SHARED` only; the service answers 400 otherwise. */
  acl_config_for_shared: z.optional(SharedConnectionAcl),
});
/** Experimental. Who may use a new account. */
export interface ConnectionSharingInput extends z.infer<typeof ConnectionSharingInput> {}

/** Experimental. Who may use an account. */
export const ConnectionSharing = object({
  /** Only its user (`PRIVATE`), or others too. */
  account_type: openEnum(["PRIVATE", "SHARED"]),
  /** Hidden from dashboard users who did not create the account. */
  acl_config_for_shared: z.optional(
    object({
      allow_all_users: z.boolean(),
      allowed_user_ids: z.array(z.string()),
      not_allowed_user_ids: z.array(z.string()),
    }),
  ),
});
/** Experimental. Who may use an account. */
export interface ConnectionSharing extends z.infer<typeof ConnectionSharing> {}
