import { typed } from "../../client/endpoint.js";
import { define, endpoints } from "../endpoints.js";
import type { EmptyObject } from "../shared.js";
import type * as shapes from "./schema.js";

export const authConfigs = endpoints("authConfigs", () => ({
  create: define("POST /api/v3/auth_configs", {
    auth: ["apiKey", "userApiKey"],
    deprecated: ["body.auth_config.restrict_to_following_tools"],
    body: typed<shapes.CreateAuthConfigBody>(),
    response: typed<shapes.CreatedAuthConfig>(),
  }),
  list: define("GET /api/v3/auth_configs", {
    auth: ["apiKey", "userApiKey"],
    deprecated: ["query.deprecated_app_id", "query.deprecated_status"],
    query: typed<shapes.ListAuthConfigsQuery>(),
    response: typed<shapes.AuthConfigPage>(),
  }),
  get: define("GET /api/v3/auth_configs/{nanoid}", {
    auth: ["apiKey", "userApiKey"],
    response: typed<shapes.AuthConfig>(),
  }),
  update: define("PATCH /api/v3/auth_configs/{nanoid}", {
    auth: ["apiKey", "userApiKey"],
    deprecated: ["body.restrict_to_following_tools"],
    body: typed<shapes.UpdateAuthConfigBody>(),
    response: typed<EmptyObject>(),
  }),
  delete: define("DELETE /api/v3/auth_configs/{nanoid}", {
    auth: ["apiKey", "userApiKey"],
    alreadyApplied: { statuses: [404], data: () => ({}) },
    query: typed<shapes.DeleteAuthConfigQuery>(),
    response: typed<shapes.DeletedAuthConfig>(),
  }),
  setStatus: define("PATCH /api/v3/auth_configs/{nanoid}/{status}", { response: typed<EmptyObject>() }),
}));
