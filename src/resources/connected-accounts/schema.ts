import * as z from "zod/mini";
import { boolean, deprecated, identifier, JsonObject, object, openEnum, string } from "../schema-kit.js";
import { AuthScheme, pageTotals, timestamps } from "../shared.js";
import { ConnectionSharing } from "./acl-schema.js";
import { CONNECTION_STATUSES } from "./state-fields-schema.js";
import { ConnectionState } from "./state-schema.js";

// See assumption C1.
/**
 * Status of a connected account. Only `ACTIVE` accounts run tools.
 *
 * `INITIALIZING`: the hosted page exists but wasn't opened · `INITIATED`: the user opened it · `ACTIVE` · `FAILED`: the
 * flow failed · `EXPIRED`: the flow timed out, or the credentials can no longer be refreshed · `INACTIVE`: disabled by
 * you, or with its auth config · `REVOKED`: revoked at the provider.
 */
export const ConnectionStatus = openEnum(CONNECTION_STATUSES);
export type ConnectionStatus = z.infer<typeof ConnectionStatus>;

const recordFields = {
  /** Starts with `ca_`. */
  id: identifier("connectedAccountId"),
  /** The toolkit it connects to. */
  toolkit: object({ slug: string }),
  /** The auth config that the user authenticated with. */
  auth_config: object({
    /** Starts with `ac_`. */
    id: identifier("authConfigId"),
    /** The same as `state.authScheme`. */
    auth_scheme: AuthScheme,
    /** True if the service manages the credentials. */
    is_svc_managed: boolean,
    is_disabled: boolean,
    /** @deprecated Old identifier; use `id`. */
    deprecated: deprecated(z.optional(object({ uuid: string }))),
  }),
  /** A short id that starts with the toolkit, easy to read for users and models. */
  word_id: z.nullable(string),
  /** Your name for the account, unique per user and toolkit in the project. Null if unset. */
  alias: z.nullable(string),
  /** The end user it belongs to. */
  user_id: string,
  /** Only `ACTIVE` accounts run tools. */
  status: ConnectionStatus,
  /** The reason for this status, in words. */
  status_reason: z.nullable(string),
  /** Whether the account was disabled. */
  is_disabled: boolean,
  ...timestamps,
  /** Scheme and values. Secrets are cut to their first 4 characters or replaced with `REDACTED`. */
  state: ConnectionState,
  /** @deprecated Mirrors `state.val`. */
  data: deprecated(JsonObject),
  /** For testing the credentials. Not documented further. */
  test_request_endpoint: z.optional(string),
  /** Experimental. Sharing with other users. */
  experimental: z.optional(ConnectionSharing),
  /** @deprecated Old identifiers, which only older services send. */
  deprecated: deprecated(z.optional(object({ labels: z.array(string), uuid: string }))),
};

/** One user's authenticated connection to a toolkit. */
export const ConnectedAccount = object(recordFields);
export interface ConnectedAccount extends z.infer<typeof ConnectedAccount> {}

/** A connected account with the fields that only `get` returns. */
export const ConnectedAccountDetail = object({
  ...recordFields,
  /** @deprecated Values it was initialized with; use `state.val`. */
  params: deprecated(JsonObject),
  /** OAuth only: the requested scopes. */
  requested_scopes: z.optional(z.array(string)),
  /** OAuth only: the requested scopes of the user token. */
  requested_user_scopes: z.optional(z.array(string)),
});
export interface ConnectedAccountDetail extends ConnectedAccount, z.infer<typeof ConnectedAccountDetail> {}

/** A page of connected accounts. */
export const ConnectedAccountPage = object({ items: z.array(ConnectedAccount), ...pageTotals });
export interface ConnectedAccountPage extends z.infer<typeof ConnectedAccountPage> {}

/** Response to creating a connected account. The record calls the state `state`, this response `connectionData`. */
export const CreatedConnectedAccount = object({
  /** Starts with `ca_`. */
  id: identifier("connectedAccountId"),
  /** Scheme and values, with `redirectUrl` if the user's browser has to go there. */
  connectionData: ConnectionState,
  /** @deprecated Use `connectionData.val.status`. */
  status: deprecated(ConnectionStatus),
  /** @deprecated Use `connectionData.val.redirectUrl`. Null for schemes without a redirect. */
  redirect_url: deprecated(z.nullable(string)),
  /** @deprecated Use `connectionData.val.redirectUrl`. Null for schemes without a redirect. */
  redirect_uri: deprecated(z.nullable(string)),
  /** Experimental. Sharing with other users. */
  experimental: z.optional(ConnectionSharing),
  /** @deprecated Old identifiers, which only older services send. */
  deprecated: deprecated(z.optional(object({ uuid: string, authConfigUuid: string }))),
});
export interface CreatedConnectedAccount extends z.infer<typeof CreatedConnectedAccount> {}

/** A hosted page on which a user connects an account. */
export const ConnectionLink = object({
  /** Opaque token, which is part of `redirect_url`. */
  link_token: string,
  /** Send the user's browser here. Valid for 10 minutes. */
  redirect_url: string,
  /** When the page stops working, ISO 8601. */
  expires_at: string,
  /** Id of the new account, which is INITIALIZING. Starts with `ca_`. */
  connected_account_id: identifier("connectedAccountId"),
  /** Experimental. Sharing with other users. */
  experimental: z.optional(ConnectionSharing),
});
export interface ConnectionLink extends z.infer<typeof ConnectionLink> {}

/** Response to updating a connected account. */
export const UpdatedConnectedAccount = object({
  success: boolean,
  /** Starts with `ca_`. */
  id: identifier("connectedAccountId"),
  /** The status after the update. */
  status: ConnectionStatus,
});
export interface UpdatedConnectedAccount extends z.infer<typeof UpdatedConnectedAccount> {}

/** Response to enabling or disabling a connected account. */
export const ConnectionStatusChange = object({ success: boolean });
export interface ConnectionStatusChange extends z.infer<typeof ConnectionStatusChange> {}

/** The connect flow that a refresh started. */
export const RefreshedConnectedAccount = object({
  /** Starts with `ca_`. */
  id: identifier("connectedAccountId"),
  /** The status after the flow has started. */
  status: ConnectionStatus,
  /** Send the user's browser here. Null for schemes without a redirect. */
  redirect_url: z.nullable(string),
});
export interface RefreshedConnectedAccount extends z.infer<typeof RefreshedConnectedAccount> {}

/** Result of a revocation. */
export const RevokedConnectedAccount = object({
  /** Credentials that were revoked at the provider. Empty if the account was already REVOKED. */
  revoked_tokens: z.array(openEnum(["access_token", "refresh_token", "credential"])),
  /** The account, with its status after the revocation. */
  connected_account: object({
    /** Starts with `ca_`. */
    id: identifier("connectedAccountId"),
    status: ConnectionStatus,
  }),
});
export interface RevokedConnectedAccount extends z.infer<typeof RevokedConnectedAccount> {}

/** Response to deleting a connected account. */
export const DeletedConnectedAccount = object({
  success: boolean,
  /** Id of the background job that revokes credentials. Present only with `revoke_on_delete`. */
  revoke_job_id: z.optional(string),
});
export interface DeletedConnectedAccount extends z.infer<typeof DeletedConnectedAccount> {}

/** The account whose connect flow was completed. */
export const CompletedConnection = object({
  /** Starts with `ca_`. */
  connected_account_id: z.optional(identifier("connectedAccountId")),
  /** The toolkit it connects to. */
  toolkit_slug: z.optional(string),
});
export interface CompletedConnection extends z.infer<typeof CompletedConnection> {}

export * from "./acl-schema.js";
export * from "./request-schema.js";
export * from "./state-schema.js";
