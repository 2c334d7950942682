import * as z from "zod/mini";
import { boolean, deprecated, JsonObject, list, nullish, object, request, string, unknown } from "../schema-kit.js";
import { AUTH_SCHEMES, pageQuery } from "../shared.js";

const scopes = z.union([string, list(string)]);

/** Proxy for requests to the toolkit. */
export const ProxyConfig = request({
  /** Absolute URL. */
  proxy_url: z.url(),
  /** Key for the proxy. Secret. */
  proxy_auth_key: z.optional(string),
});
export interface ProxyConfig extends z.infer<typeof ProxyConfig> {}

/** Filters of the auth config list. */
export const ListAuthConfigsQuery = request({
  /** `true`: only managed ones; `false`: only custom ones. */
  is_svc_managed: z.optional(z.union([boolean, string])),
  /** Toolkit slugs, separated by commas. */
  toolkit_slug: z.optional(string),
  /** @deprecated Use `toolkit_slug`. */
  deprecated_app_id: deprecated(z.optional(string)),
  /** @deprecated Use `show_disabled`. */
  deprecated_status: deprecated(z.optional(string)),
  /** Include disabled ones. The default is false. */
  show_disabled: nullish(boolean),
  /** Matches the name or the id. */
  search: z.optional(string),
  ...pageQuery,
});
export interface ListAuthConfigsQuery extends z.infer<typeof ListAuthConfigsQuery> {}

/** Credentials of an auth config: scopes, and in a custom one the provider's own keys, such as `client_id`. */
export const AuthConfigCredentials = z.catchall(
  object({
    /** A string or a list. */
    scopes: z.optional(scopes),
    /** Scopes of the user token, if the provider has separate ones. A string or a list. */
    user_scopes: z.optional(scopes),
  }),
  unknown,
);
export interface AuthConfigCredentials extends z.infer<typeof AuthConfigCredentials> {}

const sharedSettings = {
  /** @deprecated Use `tool_access_config`. */
  restrict_to_following_tools: deprecated(z.optional(list(string))),
  /** Experimental. Inherited by all its connected accounts. */
  shared_credentials: z.optional(JsonObject),
  /** Whether agent sessions may use it. */
  is_enabled_for_tool_router: z.optional(boolean),
};

const creationToolAccess = request({
  /** Tool slugs. If given, the scopes are set to what these tools need; OAuth only. */
  tools_for_connected_account_creation: z.optional(list(string)),
});

/** An auth config that uses the service's own credentials. */
export const ManagedAuthConfigInput = request({
  type: z.literal("use_svc_managed_auth"),
  name: z.optional(string),
  /** Scopes only. By default, none are set. */
  credentials: z.optional(AuthConfigCredentials),
  /** Tools whose scopes new connections request. */
  tool_access_config: z.optional(creationToolAccess),
  ...sharedSettings,
});
export interface ManagedAuthConfigInput extends z.infer<typeof ManagedAuthConfigInput> {}

/** An auth config that uses the caller's credentials. */
export const CustomAuthConfigInput = request({
  type: z.literal("use_custom_auth"),
  /** How the toolkit authenticates. The API spells it in camelCase. */
  authScheme: z.enum(AUTH_SCHEMES),
  name: z.optional(string),
  /** Scopes, and your application's keys at the provider. */
  credentials: z.optional(AuthConfigCredentials),
  /** Null: no proxy. */
  proxy_config: nullish(ProxyConfig),
  /** Tools whose scopes new connections request. */
  tool_access_config: z.optional(creationToolAccess),
  ...sharedSettings,
});
export interface CustomAuthConfigInput extends z.infer<typeof CustomAuthConfigInput> {}

/** Body for creating an auth config. */
export const CreateAuthConfigBody = request({
  /** The toolkit it is for. */
  toolkit: request({
    /** The toolkit it is for, lower case. */
    slug: string,
  }),
  /** The default is managed, with empty credentials. */
  auth_config: z.optional(z.discriminatedUnion("type", [ManagedAuthConfigInput, CustomAuthConfigInput])),
});
export interface CreateAuthConfigBody extends z.infer<typeof CreateAuthConfigBody> {}

const updatedSettings = {
  /** At least 1 character. */
  name: z.optional(string.check(z.minLength(1))),
  /** Which tools it can be used for. */
  tool_access_config: z.optional(
    request({
      /** Tool slugs. An empty list clears it. */
      tools_for_connected_account_creation: z.optional(list(string)),
      /** Tool slugs. An empty list clears it. */
      tools_available_for_execution: z.optional(list(string)),
    }),
  ),
  ...sharedSettings,
};

/** Changes to a custom auth config. Its scopes are inside `credentials`. */
export const UpdateCustomAuthConfigBody = request({
  type: z.literal("custom"),
  /** Merged key by key; an empty string clears a scope. */
  credentials: z.optional(AuthConfigCredentials),
  /** Null removes the proxy. */
  proxy_config: nullish(ProxyConfig),
  ...updatedSettings,
});
export interface UpdateCustomAuthConfigBody extends z.infer<typeof UpdateCustomAuthConfigBody> {}

/** Changes to a managed auth config. Its scopes are at the top level. */
export const UpdateDefaultAuthConfigBody = request({
  type: z.literal("default"),
  /** A string or a list. An empty string clears them. */
  scopes: z.optional(scopes),
  /** A string or a list. An empty string clears them. */
  user_scopes: z.optional(scopes),
  ...updatedSettings,
});
export interface UpdateDefaultAuthConfigBody extends z.infer<typeof UpdateDefaultAuthConfigBody> {}

/**
 * Changes to an auth config; omitted fields stay unchanged. Pass real values in `shared_credentials`, never redacted
 * ones.
 */
export const UpdateAuthConfigBody = z.discriminatedUnion("type", [
  UpdateCustomAuthConfigBody,
  UpdateDefaultAuthConfigBody,
]);
export type UpdateAuthConfigBody = UpdateCustomAuthConfigBody | UpdateDefaultAuthConfigBody;

/** Parameters for deleting it. */
export const DeleteAuthConfigQuery = request({
  /**
   * Also revoke the credentials of all its connected accounts at the provider. Can't be undone. The default is false.
   */
  revoke_on_delete: nullish(boolean),
});
export interface DeleteAuthConfigQuery extends z.infer<typeof DeleteAuthConfigQuery> {}
