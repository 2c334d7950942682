import * as z from "zod/mini";
import { TOOL_HINTS } from "../../shared/tools.js";
import { boolean, list, nullish, number, request, string } from "../schema-kit.js";
import { SessionExperiments } from "./custom-tool-schema.js";

const slugs = list(string);
const hints = list(z.enum(TOOL_HINTS));
const absent = z.optional(z.never());

/** The toolkits of a session: either only the listed ones or all others. Exactly one of the two keys. */
export const SessionToolkits = z.union([
  request({
    /** Only these toolkit slugs. */
    enable: slugs,
    disable: absent,
  }),
  request({
    /** All toolkits except these slugs. */
    disable: slugs,
    enable: absent,
  }),
]);
export type SessionToolkits = z.infer<typeof SessionToolkits>;

/** Tools selected by hint: a list, or hints to include and to exclude. */
export const SessionTags = z.union([
  hints,
  request({
    /** Tools with these hints. */
    enable: z.optional(hints),
    /** Tools without these hints. */
    disable: z.optional(hints),
  }),
]);
export type SessionTags = z.infer<typeof SessionTags>;

/** The tools of one toolkit in a session. Exactly one of the three keys. */
export const SessionTools = z.union([
  request({
    /** Only these tool slugs. */
    enable: slugs,
    disable: absent,
    tags: absent,
  }),
  request({
    /** All tools of the toolkit except these slugs. */
    disable: slugs,
    enable: absent,
    tags: absent,
  }),
  request({
    /** Tools by hint. Overrides the session's `tags`. */
    tags: SessionTags,
    enable: absent,
    disable: absent,
  }),
]);
export type SessionTools = z.infer<typeof SessionTools>;

/** How the agent connects accounts while it works. */
export const SessionConnections = request({
  /** Offer the tools that connect accounts. The default is true. */
  enable: nullish(boolean),
  /** Where the user's browser goes after connecting. Absolute URL. */
  callback_url: z.optional(z.url()),
  /** Offer a tool that waits until the user is connected. The default is false. */
  enable_wait_for_connections: nullish(boolean),
  /** Let the agent remove connections. The default is true. */
  enable_connection_removal: nullish(boolean),
});
export interface SessionConnections extends z.infer<typeof SessionConnections> {}

/** The sandbox in which the agent runs code. */
export const SessionWorkbench = request({
  /** The default is true. */
  enable: z.optional(boolean),
  /** Let code in the sandbox send requests through connected accounts. The default is true. */
  enable_proxy_execution: z.optional(boolean),
  /** Results above this size go to the sandbox instead of the conversation. More than 0; the unit isn't documented. */
  auto_offload_threshold: z.optional(number.check(z.gt(0))),
  /** The default is `standard`. Changing it creates a new sandbox. */
  sandbox_size: z.optional(z.enum(["standard", "medium", "large", "xlarge"])),
});
export interface SessionWorkbench extends z.infer<typeof SessionWorkbench> {}

/** Whether a session can use several accounts of one toolkit. */
export const SessionMultiAccount = request({
  /** The default is false. */
  enable: z.optional(boolean),
  /** From 2 to 10; the default is 5. */
  max_accounts_per_toolkit: z.optional(number.check(z.int(), z.minimum(2), z.maximum(10))),
  /** Reject calls that don't select an account. */
  require_explicit_selection: z.optional(boolean),
});
export interface SessionMultiAccount extends z.infer<typeof SessionMultiAccount> {}

const choices = {
  /** The default is all toolkits. */
  toolkits: z.optional(SessionToolkits),
  /** The auth config (`ac_…`) to connect with, by toolkit slug. */
  auth_configs: z.optional(z.record(string, string)),
  /** Tools by toolkit slug. Lists of slugs override tags. Unknown slugs are rejected. */
  tools: z.optional(z.record(string, SessionTools)),
  /** Tools by hint, for toolkits that aren't in `tools`. */
  tags: z.optional(SessionTags),
  /** Tools to show from the start. By default, only meta tools. */
  preload: z.optional(
    request({
      /** Tool slugs, or `all`, which requires that tools or toolkits are enabled by name and shows at most 1000. */
      tools: z.union([slugs, z.literal("all")]),
    }),
  ),
  /** The search for tools. */
  search: z.optional(
    request({
      /** Offer the search for tools. The default is true. */
      enable: z.optional(boolean),
    }),
  ),
  /** The execution of tools. */
  execute: z.optional(
    request({
      /** Offer the execution of several tools at once. The default is true. */
      enable_multi_execute: z.optional(boolean),
    }),
  ),
};

const connectedAccounts = z.record(string, z.union([list(string), string]));

/** Body for creating a session. */
export const CreateToolRouterSessionBody = request({
  /** The end user, at least 1 character. Calls in the session don't pass a user. */
  user_id: string.check(z.minLength(1)),
  ...choices,
  /**
   * The user's accounts (`ca_…`) to use, by toolkit slug; more than one per toolkit only with `multi_account`. On v3, a
   * string instead of a list. By default, accounts are chosen at each call.
   */
  connected_accounts: z.optional(connectedAccounts),
  /** How the agent connects accounts. */
  manage_connections: z.optional(SessionConnections),
  /** The sandbox for code. */
  workbench: z.optional(SessionWorkbench),
  /** Use of several accounts of one toolkit. */
  multi_account: z.optional(SessionMultiAccount),
  /** Experimental settings; they may change without notice. */
  experimental: z.optional(SessionExperiments),
});
export interface CreateToolRouterSessionBody extends z.infer<typeof CreateToolRouterSessionBody> {}

/** Changes to a session. A given block replaces the stored one, null resets it, and omitted blocks stay unchanged. */
export const UpdateToolRouterSessionBody = request({
  ...choices,
  /** As for creating it. Null: chosen at each call again. */
  connected_accounts: nullish(connectedAccounts),
  /** Null resets it. */
  manage_connections: nullish(SessionConnections),
  /** Null resets it. Another `sandbox_size` creates a new sandbox. */
  workbench: nullish(SessionWorkbench),
  /** Null resets it. */
  multi_account: nullish(SessionMultiAccount),
  /** Null resets it. */
  experimental: nullish(SessionExperiments),
});
export interface UpdateToolRouterSessionBody extends z.infer<typeof UpdateToolRouterSessionBody> {}

export * from "./custom-tool-schema.js";
