import * as z from "zod/mini";
import { TOOL_HINTS } from "../../shared/tools.js";
import { boolean, list, nullish, number, request, string } from "../schema-kit.js";
import { SANDBOX_SIZES } from "../shared.js";
import { SessionExperiments } from "./custom-tool-schema.js";

const slugs = list(string);
const hints = list(z.enum(TOOL_HINTS));
const absent = z.optional(z.never());

/** The toolkits of a session. Pass either `enable`, to list the only toolkits, or `disable`, to exclude toolkits. */
export const SessionToolkits = z.union([
  request({
    /** Slugs of the only toolkits. */
    enable: slugs,
    disable: absent,
  }),
  request({
    /** Slugs of toolkits to exclude. */
    disable: slugs,
    enable: absent,
  }),
]);
export type SessionToolkits = z.infer<typeof SessionToolkits>;

/** Tools selected by hint: a list of hints to include, or separate lists to include and to exclude. */
export const SessionTags = z.union([
  hints,
  request({
    /** Hints of tools to include. */
    enable: z.optional(hints),
    /** Hints of tools to exclude. */
    disable: z.optional(hints),
  }),
]);
export type SessionTags = z.infer<typeof SessionTags>;

/** The tools of one toolkit in a session. Pass exactly one of the three keys. */
export const SessionTools = z.union([
  request({
    /** Slugs of the only tools. */
    enable: slugs,
    disable: absent,
    tags: absent,
  }),
  request({
    /** Slugs of tools to exclude. */
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
  /** Whether the session offers tools that connect accounts. The default is true. */
  enable: nullish(boolean),
  /** Absolute URL to which the user's browser returns after connecting. */
  callback_url: z.optional(z.url()),
  /** Whether the session offers a tool that waits until the user has connected. The default is false. */
  enable_wait_for_connections: nullish(boolean),
  /** Whether the agent can remove connections. The default is true. */
  enable_connection_removal: nullish(boolean),
});
export interface SessionConnections extends z.infer<typeof SessionConnections> {}

/** The sandbox in which the agent runs code. */
export const SessionWorkbench = request({
  /** Whether the session has a sandbox. The default is true. */
  enable: z.optional(boolean),
  /** Whether code in the sandbox can send requests through connected accounts. The default is true. */
  enable_proxy_execution: z.optional(boolean),
  /** Results above this size go to the sandbox instead of the conversation. More than 0. The unit isn't documented. */
  auto_offload_threshold: z.optional(number.check(z.gt(0))),
  /** Size of the sandbox. The default is `standard`. A change creates a new sandbox. */
  sandbox_size: z.optional(z.enum(SANDBOX_SIZES)),
});
export interface SessionWorkbench extends z.infer<typeof SessionWorkbench> {}

/** Whether a session can use several accounts of one toolkit. */
export const SessionMultiAccount = request({
  /** Whether the session can use several accounts of one toolkit. The default is false. */
  enable: z.optional(boolean),
  /** Maximum number of accounts per toolkit, from 2 to 10. The default is 5. */
  max_accounts_per_toolkit: z.optional(number.check(z.int(), z.minimum(2), z.maximum(10))),
  /** Whether to reject calls that don't select an account. */
  require_explicit_selection: z.optional(boolean),
});
export interface SessionMultiAccount extends z.infer<typeof SessionMultiAccount> {}

const choices = {
  /** The toolkits of the session. The default is all toolkits. */
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
      /**
       * Tool slugs, or `all`. `all` shows at most 1000 tools, and requires that tools or toolkits are enabled by name.
       */
      tools: z.union([slugs, z.literal("all")]),
    }),
  ),
  /** The search for tools. */
  search: z.optional(
    request({
      /** Whether the agent can search for tools. The default is true. */
      enable: z.optional(boolean),
    }),
  ),
  /** The execution of tools. */
  execute: z.optional(
    request({
      /** Whether the agent can execute several tools in one call. The default is true. */
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
   * The user's accounts (`ca_…`) to use, by toolkit slug. Several per toolkit require `multi_account`. On v3, pass a
   * string instead of a list. By default, accounts are chosen at each call.
   */
  connected_accounts: z.optional(connectedAccounts),
  /** How the agent connects accounts. */
  manage_connections: z.optional(SessionConnections),
  /** The sandbox for code. */
  workbench: z.optional(SessionWorkbench),
  /** Use of several accounts of one toolkit. */
  multi_account: z.optional(SessionMultiAccount),
  /** Experimental settings, which may change without notice. */
  experimental: z.optional(SessionExperiments),
});
export interface CreateToolRouterSessionBody extends z.infer<typeof CreateToolRouterSessionBody> {}

/** Changes to a session. A given block replaces the stored one, null resets it, and omitted blocks stay unchanged. */
export const UpdateToolRouterSessionBody = request({
  ...choices,
  /** The user's accounts to use, as in `toolRouter.create`. Null resets it: accounts are chosen at each call again. */
  connected_accounts: nullish(connectedAccounts),
  /** How the agent connects accounts. Null resets it. */
  manage_connections: nullish(SessionConnections),
  /** The sandbox for code. Null resets it. Another `sandbox_size` creates a new sandbox. */
  workbench: nullish(SessionWorkbench),
  /** Use of several accounts of one toolkit. Null resets it. */
  multi_account: nullish(SessionMultiAccount),
  /** Experimental settings. Null resets it. */
  experimental: nullish(SessionExperiments),
});
export interface UpdateToolRouterSessionBody extends z.infer<typeof UpdateToolRouterSessionBody> {}

export * from "./custom-tool-schema.js";
