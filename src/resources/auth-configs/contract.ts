import { byName, type OperationsOf, operation } from "../operation.js";
import { EmptyObject } from "../shared.js";
import * as endpoints from "./endpoints.js";
import * as shapes from "./schema.js";

export const authConfigs = byName(
  operation(endpoints.createAuthConfig, {
    spec: "Endpoints > Auth configs",
    status: 201,
    body: shapes.CreateAuthConfigBody,
    response: shapes.CreatedAuthConfig,
  }),
  operation(endpoints.listAuthConfigs, {
    spec: "Endpoints > Auth configs",
    status: 200,
    query: shapes.ListAuthConfigsQuery,
    response: shapes.AuthConfigPage,
  }),
  operation(endpoints.getAuthConfig, {
    spec: "Endpoints > Auth configs",
    status: 200,
    response: shapes.AuthConfig,
  }),
  operation(endpoints.updateAuthConfig, {
    spec: "Endpoints > Auth configs",
    status: 200,
    body: shapes.UpdateAuthConfigBody,
    response: EmptyObject,
  }),
  operation(endpoints.deleteAuthConfig, {
    spec: "Endpoints > Auth configs",
    status: 200,
    query: shapes.DeleteAuthConfigQuery,
    response: shapes.DeletedAuthConfig,
  }),
  operation(endpoints.setAuthConfigStatus, {
    spec: "Resources > Auth config; assumption A7",
    status: 200,
    response: EmptyObject,
  }),
) satisfies OperationsOf<typeof endpoints>;
