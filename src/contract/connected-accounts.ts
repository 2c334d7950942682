import * as endpoints from "../resources/connected-accounts/endpoints.js";
import * as shapes from "../resources/connected-accounts/schema.js";
import { type OperationsOf, operation } from "./operation.js";

export const connectedAccounts = {
  "connectedAccounts.list": operation(endpoints.listConnectedAccounts, {
    spec: "Resources > Connected account; assumption C3",
    status: 200,
    query: shapes.ListConnectedAccountsQuery,
    response: shapes.ConnectedAccountPage,
  }),
  "connectedAccounts.create": operation(endpoints.createConnectedAccount, {
    spec: "assumption C3",
    status: 201,
    body: shapes.CreateConnectedAccountBody,
    response: shapes.CreatedConnectedAccount,
  }),
  "connectedAccounts.link": operation(endpoints.linkConnectedAccount, {
    spec: "assumption C3",
    status: 201,
    body: shapes.LinkConnectedAccountBody,
    response: shapes.ConnectionLink,
  }),
  "connectedAccounts.get": operation(endpoints.getConnectedAccount, {
    spec: "Resources > Connected account; assumption C3",
    status: 200,
    response: shapes.ConnectedAccountDetail,
  }),
  "connectedAccounts.update": operation(endpoints.updateConnectedAccount, {
    spec: "Connected account update",
    status: 200,
    body: shapes.UpdateConnectedAccountBody,
    response: shapes.UpdatedConnectedAccount,
  }),
  "connectedAccounts.setStatus": operation(endpoints.setConnectedAccountStatus, {
    spec: "assumption C3",
    status: 200,
    body: shapes.SetConnectionStatusBody,
    response: shapes.ConnectionStatusChange,
  }),
  "connectedAccounts.refresh": operation(endpoints.refreshConnectedAccount, {
    spec: "assumption C3",
    status: 200,
    query: shapes.RefreshConnectedAccountQuery,
    body: shapes.OptionalRefreshBody,
    response: shapes.RefreshedConnectedAccount,
  }),
  "connectedAccounts.revoke": operation(endpoints.revokeConnectedAccount, {
    spec: "assumption C3",
    status: 200,
    response: shapes.RevokedConnectedAccount,
  }),
  "connectedAccounts.delete": operation(endpoints.deleteConnectedAccount, {
    spec: "assumption C3",
    status: 200,
    query: shapes.DeleteConnectedAccountQuery,
    response: shapes.DeletedConnectedAccount,
  }),
  "connectedAccounts.completeAuth": operation(endpoints.completeConnectedAccountAuth, {
    spec: "assumption C3",
    status: 200,
    body: shapes.CompleteAuthBody,
    response: shapes.CompletedConnection,
  }),
} satisfies OperationsOf<typeof endpoints>;
