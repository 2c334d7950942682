import type * as endpoints from "../resources/connected-accounts/endpoints.js";
import * as shapes from "../resources/connected-accounts/schema.js";
import type { SchemasFor } from "./operation.js";

export const connectedAccounts = {
  "connectedAccounts.list": {
    spec: "Resources > Connected account; assumption C3",
    status: 200,
    query: shapes.ListConnectedAccountsQuery,
    response: shapes.ConnectedAccountPage,
  },
  "connectedAccounts.create": {
    spec: "assumption C3",
    status: 201,
    body: shapes.CreateConnectedAccountBody,
    response: shapes.CreatedConnectedAccount,
  },
  "connectedAccounts.link": {
    spec: "assumption C3",
    status: 201,
    body: shapes.LinkConnectedAccountBody,
    response: shapes.ConnectionLink,
  },
  "connectedAccounts.get": {
    spec: "Resources > Connected account; assumption C3",
    status: 200,
    response: shapes.ConnectedAccountDetail,
  },
  "connectedAccounts.update": {
    spec: "Connected account update",
    status: 200,
    body: shapes.UpdateConnectedAccountBody,
    response: shapes.UpdatedConnectedAccount,
  },
  "connectedAccounts.setStatus": {
    spec: "assumption C3",
    status: 200,
    body: shapes.SetConnectionStatusBody,
    response: shapes.ConnectionStatusChange,
  },
  "connectedAccounts.refresh": {
    spec: "assumption C3",
    status: 200,
    query: shapes.RefreshConnectedAccountQuery,
    body: shapes.OptionalRefreshBody,
    response: shapes.RefreshedConnectedAccount,
  },
  "connectedAccounts.revoke": {
    spec: "assumption C3",
    status: 200,
    response: shapes.RevokedConnectedAccount,
  },
  "connectedAccounts.delete": {
    spec: "assumption C3",
    status: 200,
    query: shapes.DeleteConnectedAccountQuery,
    response: shapes.DeletedConnectedAccount,
  },
  "connectedAccounts.completeAuth": {
    spec: "assumption C3",
    status: 200,
    body: shapes.CompleteAuthBody,
    response: shapes.CompletedConnection,
  },
} satisfies SchemasFor<typeof endpoints>;
