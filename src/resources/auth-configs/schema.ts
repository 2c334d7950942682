import * as z from "zod/mini";
import { nullish, object, openEnum, request } from "../../schema-kit.js";
import { AUTH_SCHEMES, AuthScheme, JsonObject, pageQuery, pageTotals } from "../shared.js";

const scopes = z.union([z.string(), z.array(z.string())]);

/** The proxy through which the toolkit is reached. */
export const ProxyConfig = object({
  /** Absolute address. */
  proxy_url: z.url(),
  proxy_auth_key: z.optional(z.string()),
});
/** The proxy through which the toolkit is reached. */
export interface ProxyConfig extends z.infer<typeof ProxyConfig> {}

/** Which tools an auth config serves. */
export const ToolAccessConfig = object({
  /** Tool slugs whose scopes new connections ask for. */
  tools_for_connected_account_creation: z.optional(z.array(z.string())),
  /** Tool slugs that may be executed; empty means all. */
  tools_available_for_execution: z.optional(z.array(z.string())),
});
/** Which tools an auth config serves. */
export interface ToolAccessConfig extends z.infer<typeof ToolAccessConfig> {}

/** One way users authenticate against a toolkit. Spec: Resources > Auth config. */
export const AuthConfig = object({
  /** Starts with `ac_`. */
  id: z.string(),
  /** @deprecated Kept for backward compatibility; use `id`. */
  uuid: z.string(),
  /** `default` uses the service's credentials, `custom` the caller's own. */
  type: openEnum(["default", "custom"]),
  toolkit: object({
    slug: z.string(),
    /** Address of the logo. */
    logo: z.string(),
    auth_guide_url: nullish(z.string()),
    auth_hint_url: nullish(z.string()),
  }),
  name: z.string(),
  auth_scheme: z.optional(AuthScheme),
  /** True when the service manages the credentials. */
  is_svc_managed: z.optional(z.boolean()),
  /** Provider credentials and scopes; secret values are hidden. */
  credentials: z.optional(JsonObject),
  proxy_config: nullish(ProxyConfig),
  /** Listing hides `DISABLED` ones unless `show_disabled` is true. */
  status: openEnum(["ENABLED", "DISABLED"]),
  created_by: z.optional(z.string()),
  /** ISO 8601. */
  created_at: z.optional(z.string()),
  /** ISO 8601. */
  last_updated_at: z.optional(z.string()),
  /** Count of active connections that use it. */
  no_of_connections: z.number(),
  /** Fields a user must give when a connection is made. */
  expected_input_fields: z.optional(z.array(z.unknown())),
  /** @deprecated Use `tool_access_config`. */
  restrict_to_following_tools: z.optional(z.array(z.string())),
  tool_access_config: ToolAccessConfig,
  /** Experimental. Inherited by all its connected accounts; secret values are redacted. */
  shared_credentials: z.optional(JsonObject),
  is_enabled_for_tool_router: z.optional(z.boolean()),
});
/** One way users authenticate against a toolkit. Spec: Resources > Auth config. */
export interface AuthConfig extends z.infer<typeof AuthConfig> {}

/** A page of auth configs. */
export const AuthConfigPage = object({ items: z.array(AuthConfig), ...pageTotals });
/** A page of auth configs. */
export interface AuthConfigPage extends z.infer<typeof AuthConfigPage> {}

/** Filters of the auth config list. */
export const ListAuthConfigsQuery = request({
  /** Only managed (`true`) or only custom (`false`) ones. */
  is_svc_managed: z.optional(z.union([z.boolean(), z.string()])),
  /** Toolkit slugs, separated by commas. */
  toolkit_slug: z.optional(z.string()),
  /** @deprecated Use `toolkit_slug`. */
  deprecated_app_id: z.optional(z.string()),
  /** @deprecated Use `show_disabled`. */
  deprecated_status: z.optional(z.string()),
  /** Include disabled ones. The default is false. */
  show_disabled: z.optional(z.nullable(z.boolean())),
  /** Matches the name or the id. */
  search: z.optional(z.string()),
  ...pageQuery,
});
/** Filters of the auth config list. */
export interface ListAuthConfigsQuery extends z.infer<typeof ListAuthConfigsQuery> {}

/** Credentials of an auth config: scopes, and for a custom one the provider's own keys such as `client_id`. */
export const AuthConfigCredentials = z.catchall(
  object({
    /** One text or a list. */
    scopes: z.optional(scopes),
    /** Scopes of the user token, where the provider tells the two apart. One text or a list. */
    user_scopes: z.optional(scopes),
  }),
  z.unknown(),
);
/** Credentials of an auth config: scopes, and for a custom one the provider's own keys such as `client_id`. */
export interface AuthConfigCredentials extends z.infer<typeof AuthConfigCredentials> {}

const sharedSettings = {
  /** @deprecated Use `tool_access_config`. */
  restrict_to_following_tools: z.optional(z.array(z.string())),
  /** Experimental. Inherited by all its connected accounts. */
  shared_credentials: z.optional(JsonObject),
  is_enabled_for_tool_router: z.optional(z.boolean()),
};

const creationToolAccess = request({
  /** Tool slugs. When given, it sets the scopes to what these tools need; OAuth only. */
  tools_for_connected_account_creation: z.optional(z.array(z.string())),
});

/** An auth config that uses the service's own credentials. */
export const ManagedAuthConfigInput = request({
  type: z.literal("use_svc_managed_auth"),
  name: z.optional(z.string()),
  credentials: z.optional(AuthConfigCredentials),
  tool_access_config: z.optional(creationToolAccess),
  ...sharedSettings,
});
/** An auth config that uses the service's own credentials. */
export interface ManagedAuthConfigInput extends z.infer<typeof ManagedAuthConfigInput> {}

/** An auth config that uses the caller's credentials. */
export const CustomAuthConfigInput = request({
  type: z.literal("use_custom_auth"),
  /** How the toolkit authenticates. The wire's own spelling. */
  authScheme: z.enum(AUTH_SCHEMES),
  name: z.optional(z.string()),
  credentials: z.optional(AuthConfigCredentials),
  proxy_config: nullish(ProxyConfig),
  tool_access_config: z.optional(creationToolAccess),
  ...sharedSettings,
});
/** An auth config that uses the caller's credentials. */
export interface CustomAuthConfigInput extends z.infer<typeof CustomAuthConfigInput> {}

/** Body of an auth config's creation. */
export const CreateAuthConfigBody = request({
  toolkit: request({
    /** The toolkit it is for, lower case. */
    slug: z.string(),
  }),
  /** Managed with empty credentials when left out. */
  auth_config: z.optional(z.discriminatedUnion("type", [ManagedAuthConfigInput, CustomAuthConfigInput])),
});
/** Body of an auth config's creation. */
export interface CreateAuthConfigBody extends z.infer<typeof CreateAuthConfigBody> {}

/** What a creation answers: less than the record. Ask `get` for the rest. */
export const CreatedAuthConfig = object({
  toolkit: object({ slug: z.string() }),
  auth_config: object({
    /** Starts with `ac_`. */
    id: z.string(),
    auth_scheme: z.string(),
    is_svc_managed: z.boolean(),
    /** @deprecated Use `tool_access_config`. */
    restrict_to_following_tools: z.optional(z.array(z.string())),
  }),
});
/** What a creation answers: less than the record. Ask `get` for the rest. */
export interface CreatedAuthConfig extends z.infer<typeof CreatedAuthConfig> {}

const updatedSettings = {
  /** At least 1 character. */
  name: z.optional(z.string().check(z.minLength(1))),
  tool_access_config: z.optional(
    request({
      /** Tool slugs. An empty list clears it. */
      tools_for_connected_account_creation: z.optional(z.array(z.string())),
      /** Tool slugs. An empty list clears it. */
      tools_available_for_execution: z.optional(z.array(z.string())),
    }),
  ),
  ...sharedSettings,
};

/** A change of a custom auth config. Its scopes live inside `credentials`. */
export const UpdateCustomAuthConfigBody = request({
  type: z.literal("custom"),
  /** Merged key by key; a scope is cleared with an empty text. */
  credentials: z.optional(AuthConfigCredentials),
  proxy_config: nullish(ProxyConfig),
  ...updatedSettings,
});
/** A change of a custom auth config. Its scopes live inside `credentials`. */
export interface UpdateCustomAuthConfigBody extends z.infer<typeof UpdateCustomAuthConfigBody> {}

/** A change of a managed auth config. Its scopes stand at the top. */
export const UpdateDefaultAuthConfigBody = request({
  type: z.literal("default"),
  /** One text or a list. An empty text clears them. */
  scopes: z.optional(scopes),
  /** One text or a list. An empty text clears them. */
  user_scopes: z.optional(scopes),
  ...updatedSettings,
});
/** A change of a managed auth config. Its scopes stand at the top. */
export interface UpdateDefaultAuthConfigBody extends z.infer<typeof UpdateDefaultAuthConfigBody> {}

/** A change of an auth config; what is left out stays. `shared_credentials` takes real values, never redacted ones. */
export const UpdateAuthConfigBody = z.discriminatedUnion("type", [
  UpdateCustomAuthConfigBody,
  UpdateDefaultAuthConfigBody,
]);
/** A change of an auth config; what is left out stays. `shared_credentials` takes real values, never redacted ones. */
export type UpdateAuthConfigBody = UpdateCustomAuthConfigBody | UpdateDefaultAuthConfigBody;

/** Parameters of a deletion. */
export const DeleteAuthConfigQuery = request({
  /** Also revoke the credentials of all its connected accounts at the provider. Cannot be undone. The default is false. */
  revoke_on_delete: z.optional(z.nullable(z.boolean())),
});
/** Parameters of a deletion. */
export interface DeleteAuthConfigQuery extends z.infer<typeof DeleteAuthConfigQuery> {}

/** What a deletion answers. */
export const DeletedAuthConfig = object({
  /** The background job that revokes; only with `revoke_on_delete`. */
  revoke_job_id: z.optional(z.string()),
});
/** What a deletion answers. */
export interface DeletedAuthConfig extends z.infer<typeof DeletedAuthConfig> {}
