import * as z from "zod/mini";
import { JsonObject, nullish, object, request } from "../../schema-kit.js";
import { AUTH_SCHEMES, pageQuery } from "../shared.js";

const scopes = z.union([z.string(), z.array(z.string())]);

/** The proxy through which the toolkit is reached. */
export const ProxyConfig = request({
  /** Absolute address. */
  proxy_url: z.url(),
  /** Key for the proxy. Secret. */
  proxy_auth_key: z.optional(z.string()),
});
/** The proxy through which the toolkit is reached. */
export interface ProxyConfig extends z.infer<typeof ProxyConfig> {}

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
  /** Whether agent sessions may use it. */
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
  /** Scopes only. None when left out. */
  credentials: z.optional(AuthConfigCredentials),
  /** The tools whose scopes new connections ask for. */
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
  /** Scopes, and your application's keys at the provider. */
  credentials: z.optional(AuthConfigCredentials),
  /** Null: no proxy. */
  proxy_config: nullish(ProxyConfig),
  /** The tools whose scopes new connections ask for. */
  tool_access_config: z.optional(creationToolAccess),
  ...sharedSettings,
});
/** An auth config that uses the caller's credentials. */
export interface CustomAuthConfigInput extends z.infer<typeof CustomAuthConfigInput> {}

/** Body of an auth config's creation. */
export const CreateAuthConfigBody = request({
  /** The toolkit it is for. */
  toolkit: request({
    /** The toolkit it is for, lower case. */
    slug: z.string(),
  }),
  /** Managed with empty credentials when left out. */
  auth_config: z.optional(z.discriminatedUnion("type", [ManagedAuthConfigInput, CustomAuthConfigInput])),
});
/** Body of an auth config's creation. */
export interface CreateAuthConfigBody extends z.infer<typeof CreateAuthConfigBody> {}

const updatedSettings = {
  /** At least 1 character. */
  name: z.optional(z.string().check(z.minLength(1))),
  /** Which tools it serves. */
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
  /** Null removes the proxy. */
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
