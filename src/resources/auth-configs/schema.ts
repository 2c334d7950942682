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
import { AUTH_CONFIG_STATUSES, AUTH_CONFIG_TYPES, AuthScheme, pageTotals } from "../shared.js";
import { ProxyConfig } from "./request-schema.js";

/** The tools that an auth config can be used for. */
export const ToolAccessConfig = object({
  /** Slugs of tools whose scopes new connections request. */
  tools_for_connected_account_creation: z.optional(z.array(string)),
  /** Slugs of tools that may be executed. An empty list allows all tools. */
  tools_available_for_execution: z.optional(z.array(string)),
});
export interface ToolAccessConfig extends z.infer<typeof ToolAccessConfig> {}

/** One way for users to authenticate with a toolkit. */
export const AuthConfig = object({
  /** Starts with `ac_`. */
  id: identifier("authConfigId"),
  /** @deprecated Kept for backward compatibility; use `id`. */
  uuid: deprecated(string),
  /** `default` uses the service's credentials, `custom` your own. */
  type: openEnum(AUTH_CONFIG_TYPES),
  /** The toolkit that users connect to, with pages about connecting. */
  toolkit: object({
    slug: string,
    /** URL of the logo. */
    logo: string,
    auth_guide_url: nullish(string),
    auth_hint_url: nullish(string),
  }),
  name: string,
  /** How users authenticate. */
  auth_scheme: z.optional(AuthScheme),
  /** True if the service manages the credentials. */
  is_svc_managed: z.optional(boolean),
  /** Credentials at the provider, and scopes. Secret values are hidden. */
  credentials: z.optional(JsonObject),
  /** Proxy for requests to the toolkit. Null or absent without a proxy. */
  proxy_config: nullish(object({ ...ProxyConfig.shape, proxy_url: string })),
  /** Lists include `DISABLED` auth configs only with `show_disabled: true`. */
  status: openEnum(AUTH_CONFIG_STATUSES),
  /** The creator. */
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
  /** The tools that the auth config can be used for. */
  tool_access_config: ToolAccessConfig,
  /** Experimental. Credentials that all connected accounts of the auth config inherit. Secret values are redacted. */
  shared_credentials: z.optional(JsonObject),
  /** Whether agent sessions may use it. */
  is_enabled_for_tool_router: z.optional(boolean),
});
export interface AuthConfig extends z.infer<typeof AuthConfig> {}

/** A page of auth configs. */
export const AuthConfigPage = object({ items: z.array(AuthConfig), ...pageTotals });
export interface AuthConfigPage extends z.infer<typeof AuthConfigPage> {}

/** Response to creating an auth config: a part of its record. `get` returns the whole record. */
export const CreatedAuthConfig = object({
  /** The toolkit that users connect to. */
  toolkit: object({ slug: string }),
  /** A part of the new auth config's record. */
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

/** Response to deleting an auth config. */
export const DeletedAuthConfig = object({
  /** Id of the background job that revokes credentials. Present only with `revoke_on_delete`. */
  revoke_job_id: z.optional(string),
});
export interface DeletedAuthConfig extends z.infer<typeof DeletedAuthConfig> {}

export * from "./request-schema.js";
