import * as z from "zod/mini";
import { TOOL_HINTS } from "../../shared/tools.js";
import {
  boolean,
  identifier,
  JsonObject,
  nullish,
  number,
  object,
  openEnum,
  request,
  string,
  unknown,
} from "../schema-kit.js";
import { AuthScheme, pageQuery, pageTotals, SANDBOX_SIZES } from "../shared.js";

const storedTags = object({
  enabled: nullish(z.array(openEnum(TOOL_HINTS))),
  disabled: nullish(z.array(openEnum(TOOL_HINTS))),
});

/**
 * A session's configuration as the service stores it. It has `enabled` and `disabled`, unlike `enable` and `disable` in
 * requests.
 */
export const ToolRouterConfig = object({
  /** The end user. */
  user_id: string,
  /** The only toolkits (`enabled`), or the excluded toolkits (`disabled`). Null means all toolkits. */
  toolkits: nullish(object({ enabled: nullish(z.array(string)), disabled: nullish(z.array(string)) })),
  /** Auth config id by toolkit slug. */
  auth_configs: nullish(z.record(string, string)),
  /** Account ids by toolkit slug. On v3, a string instead of a list. */
  connected_accounts: nullish(z.record(string, z.union([z.array(string), string]))),
  /** How the agent connects accounts. */
  manage_connections: nullish(
    object({
      enabled: nullish(boolean),
      callback_url: nullish(string),
      enable_wait_for_connections: nullish(boolean),
      enable_connection_removal: nullish(boolean),
    }),
  ),
  /** Tools by toolkit slug. */
  tools: nullish(
    z.record(
      string,
      object({
        enabled: nullish(z.array(string)),
        disabled: nullish(z.array(string)),
        tags: nullish(storedTags),
      }),
    ),
  ),
  /** Tools by hint. */
  tags: nullish(storedTags),
  /** The sandbox for code. */
  workbench: nullish(
    object({
      enable: nullish(boolean),
      proxy_execution_enabled: nullish(boolean),
      auto_offload_threshold: nullish(number),
      sandbox_size: nullish(openEnum(SANDBOX_SIZES)),
    }),
  ),
  /** Use of several accounts of one toolkit. */
  multi_account: nullish(
    object({
      enable: nullish(boolean),
      max_accounts_per_toolkit: nullish(number),
      require_explicit_selection: nullish(boolean),
    }),
  ),
  /** Tools shown from the start. */
  preload: object({
    /** Tool slugs, or `all`. */
    tools: nullish(z.union([z.array(string), string])),
  }),
  /** The search for tools. */
  search: object({ enable: nullish(boolean) }),
  /** The execution of tools. */
  execute: object({ enable_multi_execute: nullish(boolean) }),
  /** Experimental settings, as far as they are stored. */
  experimental: nullish(JsonObject),
});
export interface ToolRouterConfig extends z.infer<typeof ToolRouterConfig> {}

/** A custom tool or toolkit as a session shows it. All other fields are as you passed them. */
export const ExposedCustomDefinition = z.catchall(
  object({
    /** The name by which the agent calls the tool: `LOCAL_…`. A toolkit keeps its slug. */
    slug: string,
    /** A tool's slug as you passed it. */
    original_slug: z.optional(string),
  }),
  unknown,
);
export interface ExposedCustomDefinition extends z.infer<typeof ExposedCustomDefinition> {}

/** An agent session as the service returns it. It doesn't expire. */
export const ToolRouterSessionRecord = object({
  /** Starts with `trs_`. */
  session_id: identifier("toolRouterSessionId"),
  /** The session's MCP endpoint, without headers. The handle's `mcp` adds them. */
  mcp: object({
    type: openEnum(["http"]),
    /** Absolute URL. */
    url: string,
  }),
  /** Slugs of the tools that the agent sees from the start: meta tools and preloaded tools. */
  tool_router_tools: z.array(string),
  /** The current configuration. */
  config: ToolRouterConfig,
  /** Number of the configuration's version. Older services omit it. */
  config_version: z.optional(number),
  /** Results of the experimental settings. */
  experimental: nullish(
    object({
      /** A prompt that helps the agent use the session. */
      assistive_prompt: nullish(string),
      custom_toolkits: nullish(z.array(ExposedCustomDefinition)),
      custom_tools: nullish(z.array(ExposedCustomDefinition)),
    }),
  ),
  /** Warnings about allowed but unwise settings, such as too many preloaded tools. */
  warnings: nullish(z.array(object({ code: openEnum(["PRELOAD_TOOLS_HIGH_CONTEXT_USAGE"]), message: string }))),
});
export interface ToolRouterSessionRecord extends z.infer<typeof ToolRouterSessionRecord> {}

/** Response to deleting a session. */
export const DeletedToolRouterSession = object({
  /** Starts with `trs_`. */
  session_id: identifier("toolRouterSessionId"),
  deleted: boolean,
});
export interface DeletedToolRouterSession extends z.infer<typeof DeletedToolRouterSession> {}

/** One version of a session's configuration. */
export const ConfigVersion = object({
  /** Matches `config_version` of the record. */
  version: number,
  /** ISO 8601. */
  created_at: string,
  /** The configuration in that version. */
  config: ToolRouterConfig,
  /** Whether this is the current version. */
  is_current: boolean,
});
export interface ConfigVersion extends z.infer<typeof ConfigVersion> {}

/** A page of a session's configuration history. */
export const ConfigVersionPage = object({ items: z.array(ConfigVersion), ...pageTotals });
export interface ConfigVersionPage extends z.infer<typeof ConfigVersionPage> {}

/** Parameters of the configuration history. */
export const ListConfigVersionsQuery = request({
  ...pageQuery,
  /** Items per page, from 1 to 100. The service may return fewer. */
  limit: z.optional(number.check(z.int(), z.minimum(1), z.maximum(100))),
});
export interface ListConfigVersionsQuery extends z.infer<typeof ListConfigVersionsQuery> {}

/** A toolkit in a session. */
export const ToolRouterToolkit = object({
  name: string,
  /** Lower case. */
  slug: string,
  /** Whether the session may use it. */
  enabled: boolean,
  /** True if its tools need no account. */
  is_no_auth: boolean,
  /** Schemes for which the service has its own credentials. */
  svc_managed_auth_schemes: z.optional(z.array(string)),
  /** Display details. */
  meta: object({
    /** URL of the logo. */
    logo: z.optional(string),
    description: z.optional(string),
  }),
  /** The account that the session uses. Null if the user has no account. */
  connected_account: nullish(
    object({
      /** Starts with `ca_`. */
      id: identifier("connectedAccountId"),
      user_id: string,
      status: string,
      /** ISO 8601. */
      created_at: string,
      auth_config: object({
        /** Starts with `ac_`. */
        id: identifier("authConfigId"),
        auth_scheme: AuthScheme,
        /** True if the service manages the credentials. */
        is_svc_managed: boolean,
      }),
    }),
  ),
});
export interface ToolRouterToolkit extends z.infer<typeof ToolRouterToolkit> {}

/** A page of a session's toolkits. */
export const ToolRouterToolkitPage = object({ items: z.array(ToolRouterToolkit), ...pageTotals });
export interface ToolRouterToolkitPage extends z.infer<typeof ToolRouterToolkitPage> {}

export * from "./call-schema.js";
export * from "./config-schema.js";
export * from "./search-schema.js";
