import * as endpoints from "../resources/auth-configs/endpoints.js";
import * as shapes from "../resources/auth-configs/schema.js";
import { Empty } from "../resources/shared.js";
import { type OperationsOf, operation } from "./operation.js";

export const authConfigs = {
  "authConfigs.create": operation(endpoints.createAuthConfig, {
    spec: "Endpoints > Auth configs",
    status: 201,
    body: shapes.CreateAuthConfigBody,
    response: shapes.CreatedAuthConfig,
  }),
  "authConfigs.list": operation(endpoints.listAuthConfigs, {
    spec: "Endpoints > Auth configs",
    status: 200,
    query: shapes.ListAuthConfigsQuery,
    response: shapes.AuthConfigPage,
  }),
  "authConfigs.get": operation(endpoints.getAuthConfig, {
    spec: "Endpoints > Auth configs",
    status: 200,
    response: shapes.AuthConfig,
  }),
  "authConfigs.update": operation(endpoints.updateAuthConfig, {
    spec: "Endpoints > Auth configs",
    status: 200,
    body: shapes.UpdateAuthConfigBody,
    response: Empty,
  }),
  "authConfigs.delete": operation(endpoints.deleteAuthConfig, {
    spec: "Endpoints > Auth configs",
    status: 200,
    query: shapes.DeleteAuthConfigQuery,
    response: shapes.DeletedAuthConfig,
  }),
  "authConfigs.setStatus": operation(endpoints.setAuthConfigStatus, {
    spec: "Resources > Auth config; assumption A7",
    status: 200,
    response: Empty,
  }),
} satisfies OperationsOf<typeof endpoints>;
