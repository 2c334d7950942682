import { endpoint, type } from "../../core/endpoint.js";
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

// Except for the update's body, the spec has neither paths nor shapes of these operations. See assumption C3.
const collection = "/api/{apiVersion}/connected_accounts";
const one = "/api/{apiVersion}/connected_accounts/{nanoid}";

export const listConnectedAccounts = endpoint({
  name: "connectedAccounts.list",
  method: "GET",
  path: collection,
  auth: ["apiKey", "userApiKey"],
  repeat: "safe",
  query: type<ListConnectedAccountsQuery>(),
  response: type<ConnectedAccountPage>(),
});

export const createConnectedAccount = endpoint({
  name: "connectedAccounts.create",
  method: "POST",
  path: collection,
  auth: ["apiKey"],
  repeat: "effect",
  deprecated: ["body.connection.data", "body.connection.redirect_uri", "body.connection.deprecated_is_v1_rerouted"],
  body: type<CreateConnectedAccountBody>(),
  response: type<CreatedConnectedAccount>(),
});

export const linkConnectedAccount = endpoint({
  name: "connectedAccounts.link",
  method: "POST",
  path: "/api/{apiVersion}/connected_accounts/link",
  auth: ["apiKey", "userApiKey"],
  repeat: "effect",
  body: type<LinkConnectedAccountBody>(),
  response: type<ConnectionLink>(),
});

export const getConnectedAccount = endpoint({
  name: "connectedAccounts.get",
  method: "GET",
  path: one,
  auth: ["apiKey", "userApiKey"],
  repeat: "safe",
  response: type<ConnectedAccountDetail>(),
});

export const updateConnectedAccount = endpoint({
  name: "connectedAccounts.update",
  method: "PATCH",
  path: one,
  auth: ["apiKey"],
  // Only the given fields change, and to the given values: a retry changes nothing more.
  repeat: "idempotent",
  body: type<UpdateConnectedAccountBody>(),
  response: type<UpdatedConnectedAccount>(),
});

export const setConnectedAccountStatus = endpoint({
  name: "connectedAccounts.setStatus",
  method: "PATCH",
  path: "/api/{apiVersion}/connected_accounts/{nanoId}/status",
  auth: ["apiKey"],
  repeat: "idempotent",
  body: type<SetConnectionStatusBody>(),
  response: type<ConnectionStatusChange>(),
});

export const refreshConnectedAccount = endpoint({
  name: "connectedAccounts.refresh",
  method: "POST",
  path: "/api/{apiVersion}/connected_accounts/{nanoid}/refresh",
  auth: ["apiKey"],
  // Each call starts a separate flow.
  repeat: "effect",
  deprecated: ["operation"],
  query: type<RefreshConnectedAccountQuery>(),
  body: type<RefreshConnectedAccountBody | undefined>(),
  response: type<RefreshedConnectedAccount>(),
});

export const revokeConnectedAccount = endpoint({
  name: "connectedAccounts.revoke",
  method: "POST",
  // Exists on v3.1 only, so it keeps its prefix on a v3 client too.
  path: "/api/v3.1/connected_accounts/{nanoid}/revoke",
  auth: ["apiKey"],
  // For a REVOKED account, nothing is sent to the provider, so a retry changes nothing more.
  repeat: "idempotent",
  response: type<RevokedConnectedAccount>(),
});

export const deleteConnectedAccount = endpoint({
  name: "connectedAccounts.delete",
  method: "DELETE",
  path: one,
  auth: ["apiKey", "userApiKey"],
  repeat: "idempotent",
  alreadyDone: { statuses: [404, 410], data: () => ({ success: true }) },
  query: type<DeleteConnectedAccountQuery>(),
  response: type<DeletedConnectedAccount>(),
});

export const completeConnectedAccountAuth = endpoint({
  name: "connectedAccounts.completeAuth",
  method: "POST",
  // Exists on v3.1 only, so it keeps its prefix on a v3 client too.
  path: "/api/v3.1/connected_accounts/complete_auth",
  auth: ["apiKey"],
  // The session works once.
  repeat: "effect",
  body: type<CompleteAuthBody>(),
  response: type<CompletedConnection>(),
});
