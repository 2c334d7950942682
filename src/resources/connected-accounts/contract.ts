import { byName, type OperationsOf, operation } from "../operation.js";
import * as endpoints from "./endpoints.js";
import * as shapes from "./schema.js";

export const connectedAccounts = byName(
  operation(endpoints.listConnectedAccounts, {
    spec: "Resources > Connected account; assumption C3",
    status: 200,
    query: shapes.ListConnectedAccountsQuery,
    response: shapes.ConnectedAccountPage,
  }),
  operation(endpoints.createConnectedAccount, {
    spec: "assumption C3",
    status: 201,
    body: shapes.CreateConnectedAccountBody,
    response: shapes.CreatedConnectedAccount,
  }),
  operation(endpoints.linkConnectedAccount, {
    spec: "assumption C3",
    status: 201,
    body: shapes.LinkConnectedAccountBody,
    response: shapes.ConnectionLink,
  }),
  operation(endpoints.getConnectedAccount, {
    spec: "Resources > Connected account; assumption C3",
    status: 200,
    response: shapes.ConnectedAccountDetail,
  }),
  operation(endpoints.updateConnectedAccount, {
    spec: "Connected account update",
    status: 200,
    body: shapes.UpdateConnectedAccountBody,
    response: shapes.UpdatedConnectedAccount,
  }),
  operation(endpoints.setConnectedAccountStatus, {
    spec: "assumption C3",
    status: 200,
    body: shapes.SetConnectionStatusBody,
    response: shapes.ConnectionStatusChange,
  }),
  operation(endpoints.refreshConnectedAccount, {
    spec: "assumption C3",
    status: 200,
    query: shapes.RefreshConnectedAccountQuery,
    body: shapes.OptionalRefreshBody,
    response: shapes.RefreshedConnectedAccount,
  }),
  operation(endpoints.revokeConnectedAccount, {
    spec: "assumption C3",
    status: 200,
    response: shapes.RevokedConnectedAccount,
  }),
  operation(endpoints.deleteConnectedAccount, {
    spec: "assumption C3",
    status: 200,
    query: shapes.DeleteConnectedAccountQuery,
    response: shapes.DeletedConnectedAccount,
  }),
  operation(endpoints.completeConnectedAccountAuth, {
    spec: "assumption C3",
    status: 200,
    body: shapes.CompleteAuthBody,
    response: shapes.CompletedConnection,
  }),
) satisfies OperationsOf<typeof endpoints>;
