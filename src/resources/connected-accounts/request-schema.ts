import * as z from "zod/mini";
import {
  boolean,
  deprecated,
  identifier,
  JsonObject,
  list,
  nullish,
  object,
  request,
  string,
  unknown,
} from "../schema-kit.js";
import { ACCOUNT_TYPES, orderDirection, pageQuery, several, severalIds } from "../shared.js";
import { ConnectionSharingInput, SharedConnectionAcl } from "./acl-schema.js";
import { CONNECTION_STATUSES, commonFields } from "./state-fields-schema.js";
import { ConnectionStateInput } from "./state-schema.js";
import { apiKeyFields, oauthFields, serviceAccountFields, tokenFields } from "./state-values-schema.js";

/** Filters of the connected account list. */
export const ListConnectedAccountsQuery = request({
  /** Accounts of these toolkits. */
  toolkit_slugs: several,
  /** Accounts in these statuses. */
  statuses: nullish(list(z.enum(CONNECTION_STATUSES))),
  /** Accounts of these end users. */
  user_ids: several,
  /** Accounts of these auth configs (`ac_…`). */
  auth_config_ids: severalIds("authConfigId"),
  /** Accounts with these ids (`ca_…`). */
  connected_account_ids: severalIds("connectedAccountId"),
  /** Field to sort by. The default is `created_at`. */
  order_by: z.optional(z.enum(["created_at", "updated_at"])),
  /** Sort direction. The default is `desc`. */
  order_direction: orderDirection,
  /** Experimental. By default, shared accounts aren't listed. */
  account_type: z.optional(z.enum([...ACCOUNT_TYPES, "ALL"])),
  ...pageQuery,
});
export interface ListConnectedAccountsQuery extends z.infer<typeof ListConnectedAccountsQuery> {}

/** Body for creating a connected account. */
export const CreateConnectedAccountBody = request({
  /** The auth config to authenticate with. */
  auth_config: request({
    /** Starts with `ac_`. */
    id: identifier("authConfigId"),
  }),
  /** The user of the account, and its initial state. */
  connection: request({
    /** Credentials, or the fields that a redirect flow starts with. */
    state: z.optional(ConnectionStateInput),
    /** @deprecated Use `state`. */
    data: deprecated(z.optional(JsonObject)),
    /**
     * The end user. The default is the string `default`. If the project verifies callbacks, the field is required:
     * without it, the service responds with 400.
     */
    user_id: z.optional(string),
    /** Your name for the account, unique per user and toolkit in the project. */
    alias: z.optional(string),
    /** Absolute URL to which the user's browser returns after the flow. */
    callback_url: z.optional(z.url()),
    /** @deprecated Use `callback_url`. */
    redirect_uri: deprecated(z.optional(z.url())),
    /** @deprecated Part of the service's own migration. The default is false. */
    deprecated_is_v1_rerouted: deprecated(z.optional(boolean)),
    /** Experimental. Sharing with other users. */
    experimental: z.optional(ConnectionSharingInput),
  }),
  /** Experimental. Whether to test the credentials first. Only the API_KEY scheme is tested. The default is false. */
  validate_credentials: z.optional(boolean),
});
export interface CreateConnectedAccountBody extends z.infer<typeof CreateConnectedAccountBody> {}

/** Values that the hosted page doesn't need to ask for. Any other key is sent unchanged. */
export const ConnectionPrefill = z.catchall(
  z.partial(
    object({
      ...commonFields,
      ...oauthFields,
      ...apiKeyFields,
      ...serviceAccountFields,
      ...tokenFields,
      scope: z.nullable(z.union([string, list(string)])),
      access_token: string,
      id_token: string,
      refresh_token: z.nullable(string),
      client_id: string,
      client_secret: string,
      consumer_key: string,
      oauth_token: string,
      oauth_token_secret: string,
      oauth_verifier: string,
      username: string,
      password: string,
      /** Bearer token. */
      token: string,
      /** Google service account: the key as a JSON string. */
      credentials_json: string,
      /** Bill.com. */
      sessionId: string,
      /** Bill.com. */
      devKey: string,
    }),
  ),
  unknown,
);
export interface ConnectionPrefill extends z.infer<typeof ConnectionPrefill> {}

/** Body for creating a link. */
export const LinkConnectedAccountBody = request({
  /** Starts with `ac_`. */
  auth_config_id: identifier("authConfigId"),
  /** The end user, at least 1 character. */
  user_id: string.check(z.minLength(1)),
  /** Your name for the account, unique per user and toolkit in the project. */
  alias: z.optional(string),
  /**
   * URL to which the user's browser returns after the flow, with `status` and `connected_account_id` added to its
   * query. Parse it with `parseConnectCallback`.
   */
  callback_url: z.optional(string),
  /** Values that the hosted page doesn't need to ask for. */
  connection_data: z.optional(ConnectionPrefill),
  /** Experimental. Sharing with other users. */
  experimental: z.optional(ConnectionSharingInput),
});
export interface LinkConnectedAccountBody extends z.infer<typeof LinkConnectedAccountBody> {}

const changed = nullish(string);

/**
 * Credentials to change. A string sets a field, null removes it, and omitted fields stay unchanged. No other fields are
 * allowed.
 */
export const ConnectionCredentialsPatch = request({
  token: changed,
  generic_api_key: changed,
  api_key: changed,
  bearer_token: changed,
  basic_encoded: changed,
  generic_token: changed,
  api_key_prefix: changed,
  generic_secret: changed,
  generic_id: changed,
  user_agent: changed,
  username: changed,
  password: changed,
  credentials_json: changed,
  application_id: changed,
  installation_id: changed,
  private_key: changed,
});
export interface ConnectionCredentialsPatch extends z.infer<typeof ConnectionCredentialsPatch> {}

/** Body for updating a connected account. Omitted fields stay unchanged. */
export const UpdateConnectedAccountBody = request({
  /** Your name for the account, unique per user and toolkit in the project. An empty string clears it. */
  alias: z.optional(string),
  /** Credentials to change. */
  connection: z.optional(
    request({
      state: z.optional(
        request({
          /** Must be the account's scheme. To renew an OAuth connection, use `link`. */
          authScheme: z.enum([
            "BEARER_TOKEN",
            "API_KEY",
            "BASIC",
            "BASIC_WITH_JWT",
            "GOOGLE_SERVICE_ACCOUNT",
            "SERVICE_ACCOUNT",
          ]),
          val: ConnectionCredentialsPatch,
        }),
      ),
    }),
  ),
  /** Experimental. For SHARED accounts only. */
  experimental: z.optional(request({ acl_config_for_shared: z.optional(SharedConnectionAcl) })),
});
export interface UpdateConnectedAccountBody extends z.infer<typeof UpdateConnectedAccountBody> {}

/** Body for enabling or disabling a connected account. */
export const SetConnectionStatusBody = request({
  /** True sets `ACTIVE`, false `INACTIVE`. */
  enabled: boolean,
});
export interface SetConnectionStatusBody extends z.infer<typeof SetConnectionStatusBody> {}

const redirectUrl = z.optional(z.url());

/** Query of a refresh. */
export const RefreshConnectedAccountQuery = request({
  /** Absolute URL to which the user's browser returns after the flow. The same as `redirect_url` in the body. */
  redirect_url: redirectUrl,
});
export interface RefreshConnectedAccountQuery extends z.infer<typeof RefreshConnectedAccountQuery> {}

/** Body of a refresh. */
export const RefreshConnectedAccountBody = request({
  /** Absolute URL to which the user's browser returns after the flow. */
  redirect_url: redirectUrl,
  /** Whether to test the credentials first. The default is false. */
  validate_credentials: z.optional(boolean),
});
export interface RefreshConnectedAccountBody extends z.infer<typeof RefreshConnectedAccountBody> {}
/** A refresh needs no body at all. */
export const OptionalRefreshBody = z.optional(RefreshConnectedAccountBody);

/** Parameters for deleting a connected account. */
export const DeleteConnectedAccountQuery = request({
  /** Whether to revoke the credentials at the provider, which can't be undone. The default is false. */
  revoke_on_delete: nullish(boolean),
});
export interface DeleteConnectedAccountQuery extends z.infer<typeof DeleteConnectedAccountQuery> {}

/** Body for completing a connect flow. */
export const CompleteAuthBody = request({
  /** The `session_uri` that your callback verifier received. Works once, within 10 minutes. */
  session_uri: string,
  /**
   * The user who is signed in to your application. If the flow was started for another user, the account becomes
   * FAILED.
   */
  user_id: string,
});
export interface CompleteAuthBody extends z.infer<typeof CompleteAuthBody> {}
