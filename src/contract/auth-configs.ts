import type * as endpoints from "../resources/auth-configs/endpoints.js";
import * as shapes from "../resources/auth-configs/schema.js";
import { Empty } from "../resources/shared.js";
import type { SchemasFor } from "./operation.js";

export const authConfigs = {
  "authConfigs.create": {
    spec: "Endpoints > Auth configs",
    status: 201,
    body: shapes.CreateAuthConfigBody,
    response: shapes.CreatedAuthConfig,
  },
  "authConfigs.list": {
    spec: "Endpoints > Auth configs",
    status: 200,
    query: shapes.ListAuthConfigsQuery,
    response: shapes.AuthConfigPage,
  },
  "authConfigs.get": { spec: "Endpoints > Auth configs", status: 200, response: shapes.AuthConfig },
  "authConfigs.update": {
    spec: "Endpoints > Auth configs",
    status: 200,
    body: shapes.UpdateAuthConfigBody,
    response: Empty,
  },
  "authConfigs.delete": {
    spec: "Endpoints > Auth configs",
    status: 200,
    query: shapes.DeleteAuthConfigQuery,
    response: shapes.DeletedAuthConfig,
  },
  "authConfigs.setStatus": { spec: "Resources > Auth config; assumption A7", status: 200, response: Empty },
} satisfies SchemasFor<typeof endpoints>;
