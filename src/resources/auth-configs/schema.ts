import * as z from "zod/mini";
import {
  boolean,
  deprecated,
  identifier,
  JsonObject,
  nullish,
  number,
  object,
  openEnum,
  string,
  unknown,
} from "../schema-kit.js";
import { AuthScheme, pageTotals } from "../shared.js";
import { ProxyConfig } from "./request-schema.js";

/** Which tools an auth config can be used for. */
export const ToolAccessConfig = object({
  /** Slugs of tools whose scopes new connections request. */
  tools_for_connected_account_creation: z.optional(z.array(string)),
  /** Tool slugs that may be executed; empty means all. */
  tools_available_for_execution: z.optional(z.array(string)),
});
export interface ToolAccessConfig extends z.infer<typeof ToolAccessConfig> {}

/** One way for users to authenticate with a toolkit. */
export const AuthConfig = object({
  /** Starts with `ac_`. */
  id: identifier("authConfigId"),
  /** @deprecated Kept for backward compatibility; use `id`. */
  uuid: deprecated(string),
  /** `default` uses the service's credentials, `custom` the caller's own. */
  type: openEnum(["default", "custom"]),
  /** The toolkit it is for, and a page on how users connect. */
  toolkit: object({
    slug: string,
    /** URL of the logo. */
    logo: string,
    auth_guide_url: nullish(string),
    auth_hint_url: nullish(string),
  }),
  name: string,
  /** How its users authenticate. */
  auth_scheme: z.optional(AuthScheme),
  /** True if the service manages the credentials. */
  is_svc_managed: z.optional(boolean),
  /** Provider credentials and scopes; secret values are hidden. */
  credentials: z.optional(JsonObject),
  /** Null or absent: no proxy. */
  proxy_config: nullish(object({ ...ProxyConfig.shape, proxy_url: string })),
  /** Listing hides `DISABLED` ones unless `show_disabled` is true. */
  status: openEnum(["ENABLED", "DISABLED"]),
  /** Who created it. */
  created_by: z.optional(string),
  /** ISO 8601. */
  created_at: z.optional(string),
  /** ISO 8601. */
  last_updated_at: z.optional(string),
  /** Number of active connections that use it. */
  no_of_connections: number,
  /** Fields that a user must provide to connect. */
  expected_input_fields: z.optional(z.array(unknown)),
  /** @deprecated Use `tool_access_config`. */
  restrict_to_following_tools: deprecated(z.optional(z.array(string))),
  /** Which tools it can be used for. */
  tool_access_config: ToolAccessConfig,
  /** Experimental. Inherited by all its connected accounts; secret values are redacted. */
  shared_credentials: z.optional(JsonObject),
  /** Whether agent sessions may use it. */
  is_enabled_for_tool_router: z.optional(boolean),
});
export interface AuthConfig extends z.infer<typeof AuthConfig> {}

/** A page of auth configs. */
export const AuthConfigPage = object({ items: z.array(AuthConfig), ...pageTotals });
export interface AuthConfigPage extends z.infer<typeof AuthConfigPage> {}

/** Response to a creation: a part of the record. `get` returns the rest. */
export const CreatedAuthConfig = object({
  /** The toolkit it is for. */
  toolkit: object({ slug: string }),
  /** The new auth config; a part of its record. */
  auth_config: object({
    /** Starts with `ac_`. */
    id: identifier("authConfigId"),
    auth_scheme: string,
    is_svc_managed: boolean,
    /** @deprecated Use `tool_access_config`. */
    restrict_to_following_tools: deprecated(z.optional(z.array(string))),
  }),
});
export interface CreatedAuthConfig extends z.infer<typeof CreatedAuthConfig> {}

/** Response to a deletion. */
export const DeletedAuthConfig = object({
  /** Background job that revokes credentials; only with `revoke_on_delete`. */
  revoke_job_id: z.optional(string),
});
export interface DeletedAuthConfig extends z.infer<typeof DeletedAuthConfig> {}

export * from "./request-schema.js";
