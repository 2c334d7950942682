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
  /** `true` lists only managed auth configs, `false` only custom auth configs. */
  is_svc_managed: z.optional(z.union([boolean, string])),
  /** Toolkit slugs, separated by commas. */
  toolkit_slug: z.optional(string),
  /** @deprecated Use `toolkit_slug`. */
  deprecated_app_id: deprecated(z.optional(string)),
  /** @deprecated Use `show_disabled`. */
  deprecated_status: deprecated(z.optional(string)),
  /** Whether to include disabled auth configs. The default is false. */
  show_disabled: nullish(boolean),
  /** String to find in names and ids. */
  search: z.optional(string),
  ...pageQuery,
});
export interface ListAuthConfigsQuery extends z.infer<typeof ListAuthConfigsQuery> {}

/**
 * Credentials of an auth config: its scopes and, if it's custom, your application's keys at the provider, such as
 * `client_id`.
 */
export const AuthConfigCredentials = z.catchall(
  object({
    /** Scopes to request, as a string or a list. */
    scopes: z.optional(scopes),
    /** Scopes of the user token, as a string or a list, if the provider has a separate user token. */
    user_scopes: z.optional(scopes),
  }),
  unknown,
);
export interface AuthConfigCredentials extends z.infer<typeof AuthConfigCredentials> {}

const sharedSettings = {
  /** @deprecated Use `tool_access_config`. */
  restrict_to_following_tools: deprecated(z.optional(list(string))),
  /** Experimental. Credentials that all connected accounts of the auth config inherit. */
  shared_credentials: z.optional(JsonObject),
  /** Whether agent sessions may use it. */
  is_enabled_for_tool_router: z.optional(boolean),
};

const creationToolAccess = request({
  /** Tool slugs. Their required scopes become the scopes of the auth config. OAuth only. */
  tools_for_connected_account_creation: z.optional(list(string)),
});

/** An auth config that uses the service's own credentials. */
export const ManagedAuthConfigInput = request({
  type: z.literal("use_svc_managed_auth"),
  name: z.optional(string),
  /** Only scopes. By default, no scopes are set. */
  credentials: z.optional(AuthConfigCredentials),
  /** Tools whose scopes new connections request. */
  tool_access_config: z.optional(creationToolAccess),
  ...sharedSettings,
});
export interface ManagedAuthConfigInput extends z.infer<typeof ManagedAuthConfigInput> {}

/** An auth config that uses your application's credentials at the provider. */
export const CustomAuthConfigInput = request({
  type: z.literal("use_custom_auth"),
  /** How the toolkit authenticates. The API spells it in camelCase. */
  authScheme: z.enum(AUTH_SCHEMES),
  name: z.optional(string),
  /** Scopes, and your application's keys at the provider. */
  credentials: z.optional(AuthConfigCredentials),
  /** Proxy for requests to the toolkit. Null means no proxy. */
  proxy_config: nullish(ProxyConfig),
  /** Tools whose scopes new connections request. */
  tool_access_config: z.optional(creationToolAccess),
  ...sharedSettings,
});
export interface CustomAuthConfigInput extends z.infer<typeof CustomAuthConfigInput> {}

/** Body for creating an auth config. */
export const CreateAuthConfigBody = request({
  /** The toolkit that users connect to. */
  toolkit: request({
    /** Slug of the toolkit, in lower case. */
    slug: string,
  }),
  /** Kind and settings. The default is a managed auth config with empty credentials. */
  auth_config: z.optional(z.discriminatedUnion("type", [ManagedAuthConfigInput, CustomAuthConfigInput])),
});
export interface CreateAuthConfigBody extends z.infer<typeof CreateAuthConfigBody> {}

const updatedSettings = {
  /** At least 1 character. */
  name: z.optional(string.check(z.minLength(1))),
  /** The tools that the auth config can be used for. */
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
  /** Merged with the stored credentials, key by key. An empty string clears a scope. */
  credentials: z.optional(AuthConfigCredentials),
  /** Null removes the proxy. */
  proxy_config: nullish(ProxyConfig),
  ...updatedSettings,
});
export interface UpdateCustomAuthConfigBody extends z.infer<typeof UpdateCustomAuthConfigBody> {}

/** Changes to a managed auth config. Its scopes are at the top level. */
export const UpdateDefaultAuthConfigBody = request({
  type: z.literal("default"),
  /** A string or a list. An empty string clears the scopes. */
  scopes: z.optional(scopes),
  /** A string or a list. An empty string clears the scopes. */
  user_scopes: z.optional(scopes),
  ...updatedSettings,
});
export interface UpdateDefaultAuthConfigBody extends z.infer<typeof UpdateDefaultAuthConfigBody> {}

/**
 * Changes to an auth config. Omitted fields stay unchanged. Pass complete values in `shared_credentials`, never
 * redacted values.
 */
export const UpdateAuthConfigBody = z.discriminatedUnion("type", [
  UpdateCustomAuthConfigBody,
  UpdateDefaultAuthConfigBody,
]);
export type UpdateAuthConfigBody = UpdateCustomAuthConfigBody | UpdateDefaultAuthConfigBody;

/** Parameters for deleting an auth config. */
export const DeleteAuthConfigQuery = request({
  /**
   * Whether to revoke the credentials of all its connected accounts at the provider, which can't be undone. The default
   * is false.
   */
  revoke_on_delete: nullish(boolean),
});
export interface DeleteAuthConfigQuery extends z.infer<typeof DeleteAuthConfigQuery> {}
