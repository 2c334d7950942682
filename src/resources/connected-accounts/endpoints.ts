import { typed } from "../../client/endpoint.js";
import { define, endpoints } from "../endpoints.js";
import type * as shapes from "./schema.js";

// Except for the update's body, the spec has neither paths nor shapes of these operations. Assumption C3.

export const connectedAccounts = endpoints("connectedAccounts", () => ({
  list: define("GET /api/{apiVersion}/connected_accounts", {
    auth: ["apiKey", "userApiKey"],
    query: typed<shapes.ListConnectedAccountsQuery>(),
    response: typed<shapes.ConnectedAccountPage>(),
  }),
  create: define("POST /api/{apiVersion}/connected_accounts", {
    deprecated: ["body.connection.data", "body.connection.redirect_uri", "body.connection.deprecated_is_v1_rerouted"],
    body: typed<shapes.CreateConnectedAccountBody>(),
    response: typed<shapes.CreatedConnectedAccount>(),
  }),
  link: define("POST /api/{apiVersion}/connected_accounts/link", {
    auth: ["apiKey", "userApiKey"],
    body: typed<shapes.LinkConnectedAccountBody>(),
    response: typed<shapes.ConnectionLink>(),
  }),
  get: define("GET /api/{apiVersion}/connected_accounts/{nanoid}", {
    auth: ["apiKey", "userApiKey"],
    response: typed<shapes.ConnectedAccountDetail>(),
  }),
  update: define("PATCH /api/{apiVersion}/connected_accounts/{nanoid}", {
    body: typed<shapes.UpdateConnectedAccountBody>(),
    response: typed<shapes.UpdatedConnectedAccount>(),
  }),
  setStatus: define("PATCH /api/{apiVersion}/connected_accounts/{nanoId}/status", {
    body: typed<shapes.SetConnectionStatusBody>(),
    response: typed<shapes.ConnectionStatusChange>(),
  }),
  refresh: define("POST /api/{apiVersion}/connected_accounts/{nanoid}/refresh", {
    deprecated: ["operation"],
    query: typed<shapes.RefreshConnectedAccountQuery>(),
    body: typed<shapes.RefreshConnectedAccountBody | undefined>(),
    response: typed<shapes.RefreshedConnectedAccount>(),
  }),
  // Exists on v3.1 only, so it keeps its prefix on a v3 client too.
  revoke: define("POST /api/v3.1/connected_accounts/{nanoid}/revoke", {
    // For a REVOKED account, nothing is sent to the provider, so a retry changes nothing more.
    retry: "idempotent",
    response: typed<shapes.RevokedConnectedAccount>(),
  }),
  delete: define("DELETE /api/{apiVersion}/connected_accounts/{nanoid}", {
    auth: ["apiKey", "userApiKey"],
    alreadyApplied: { statuses: [404, 410], data: () => ({ success: true }) },
    query: typed<shapes.DeleteConnectedAccountQuery>(),
    response: typed<shapes.DeletedConnectedAccount>(),
  }),
  // Exists on v3.1 only, so it keeps its prefix on a v3 client too.
  completeAuth: define("POST /api/v3.1/connected_accounts/complete_auth", {
    body: typed<shapes.CompleteAuthBody>(),
    response: typed<shapes.CompletedConnection>(),
  }),
}));
