import { endpoint, typed } from "../../core/endpoint.js";
import type {
  CompleteAuthBody,
  CompletedConnection,
  ConnectedAccountDetail,
  ConnectedAccountPage,
  ConnectionLink,
  ConnectionStatusChange,
  CreateConnectedAccountBody,
  CreatedConnectedAccount,
  DeleteConnectedAccountQuery,
  DeletedConnectedAccount,
  LinkConnectedAccountBody,
  ListConnectedAccountsQuery,
  RefreshConnectedAccountBody,
  RefreshConnectedAccountQuery,
  RefreshedConnectedAccount,
  RevokedConnectedAccount,
  SetConnectionStatusBody,
  UpdateConnectedAccountBody,
  UpdatedConnectedAccount,
} from "./schema.js";

// Except for the update's body, the spec has neither paths nor shapes of these operations. Assumption C3.

export const listConnectedAccounts = endpoint({
  name: "connectedAccounts.list",
  method: "GET",
  path: "/api/{apiVersion}/connected_accounts",
  auth: ["apiKey", "userApiKey"],
  retry: "safe",
  query: typed<ListConnectedAccountsQuery>(),
  response: typed<ConnectedAccountPage>(),
});

export const createConnectedAccount = endpoint({
  name: "connectedAccounts.create",
  method: "POST",
  path: "/api/{apiVersion}/connected_accounts",
  auth: ["apiKey"],
  retry: "effect",
  deprecated: ["body.connection.data", "body.connection.redirect_uri", "body.connection.deprecated_is_v1_rerouted"],
  body: typed<CreateConnectedAccountBody>(),
  response: typed<CreatedConnectedAccount>(),
});

export const linkConnectedAccount = endpoint({
  name: "connectedAccounts.link",
  method: "POST",
  path: "/api/{apiVersion}/connected_accounts/link",
  auth: ["apiKey", "userApiKey"],
  retry: "effect",
  body: typed<LinkConnectedAccountBody>(),
  response: typed<ConnectionLink>(),
});

export const getConnectedAccount = endpoint({
  name: "connectedAccounts.get",
  method: "GET",
  path: "/api/{apiVersion}/connected_accounts/{nanoid}",
  auth: ["apiKey", "userApiKey"],
  retry: "safe",
  response: typed<ConnectedAccountDetail>(),
});

export const updateConnectedAccount = endpoint({
  name: "connectedAccounts.update",
  method: "PATCH",
  path: "/api/{apiVersion}/connected_accounts/{nanoid}",
  auth: ["apiKey"],
  // Only the given fields change, and to the given values: a retry changes nothing more.
  retry: "idempotent",
  body: typed<UpdateConnectedAccountBody>(),
  response: typed<UpdatedConnectedAccount>(),
});

export const setConnectedAccountStatus = endpoint({
  name: "connectedAccounts.setStatus",
  method: "PATCH",
  path: "/api/{apiVersion}/connected_accounts/{nanoId}/status",
  auth: ["apiKey"],
  retry: "idempotent",
  body: typed<SetConnectionStatusBody>(),
  response: typed<ConnectionStatusChange>(),
});

export const refreshConnectedAccount = endpoint({
  name: "connectedAccounts.refresh",
  method: "POST",
  path: "/api/{apiVersion}/connected_accounts/{nanoid}/refresh",
  auth: ["apiKey"],
  // Each call starts a separate flow.
  retry: "effect",
  deprecated: ["operation"],
  query: typed<RefreshConnectedAccountQuery>(),
  body: typed<RefreshConnectedAccountBody | undefined>(),
  response: typed<RefreshedConnectedAccount>(),
});

export const revokeConnectedAccount = endpoint({
  name: "connectedAccounts.revoke",
  method: "POST",
  // Exists on v3.1 only, so it keeps its prefix on a v3 client too.
  path: "/api/v3.1/connected_accounts/{nanoid}/revoke",
  auth: ["apiKey"],
  // For a REVOKED account, nothing is sent to the provider, so a retry changes nothing more.
  retry: "idempotent",
  response: typed<RevokedConnectedAccount>(),
});

export const deleteConnectedAccount = endpoint({
  name: "connectedAccounts.delete",
  method: "DELETE",
  path: "/api/{apiVersion}/connected_accounts/{nanoid}",
  auth: ["apiKey", "userApiKey"],
  retry: "idempotent",
  alreadyApplied: { statuses: [404, 410], data: () => ({ success: true }) },
  query: typed<DeleteConnectedAccountQuery>(),
  response: typed<DeletedConnectedAccount>(),
});

export const completeConnectedAccountAuth = endpoint({
  name: "connectedAccounts.completeAuth",
  method: "POST",
  // Exists on v3.1 only, so it keeps its prefix on a v3 client too.
  path: "/api/v3.1/connected_accounts/complete_auth",
  auth: ["apiKey"],
  // The session works once.
  retry: "effect",
  body: typed<CompleteAuthBody>(),
  response: typed<CompletedConnection>(),
});
