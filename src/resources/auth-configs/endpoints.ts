import { endpoint, typed } from "../../core/endpoint.js";
import type { EmptyObject } from "../shared.js";
import type {
  AuthConfig,
  AuthConfigPage,
  CreateAuthConfigBody,
  CreatedAuthConfig,
  DeleteAuthConfigQuery,
  DeletedAuthConfig,
  ListAuthConfigsQuery,
  UpdateAuthConfigBody,
} from "./schema.js";

export const createAuthConfig = endpoint({
  name: "authConfigs.create",
  method: "POST",
  path: "/api/v3/auth_configs",
  auth: ["apiKey", "userApiKey"],
  retry: "effect",
  deprecated: ["body.auth_config.restrict_to_following_tools"],
  body: typed<CreateAuthConfigBody>(),
  response: typed<CreatedAuthConfig>(),
});

export const listAuthConfigs = endpoint({
  name: "authConfigs.list",
  method: "GET",
  path: "/api/v3/auth_configs",
  auth: ["apiKey", "userApiKey"],
  retry: "safe",
  deprecated: ["query.deprecated_app_id", "query.deprecated_status"],
  query: typed<ListAuthConfigsQuery>(),
  response: typed<AuthConfigPage>(),
});

export const getAuthConfig = endpoint({
  name: "authConfigs.get",
  method: "GET",
  path: "/api/v3/auth_configs/{nanoid}",
  auth: ["apiKey", "userApiKey"],
  retry: "safe",
  response: typed<AuthConfig>(),
});

export const updateAuthConfig = endpoint({
  name: "authConfigs.update",
  method: "PATCH",
  path: "/api/v3/auth_configs/{nanoid}",
  auth: ["apiKey", "userApiKey"],
  // Only the given fields change, and to the given values: a retry changes nothing more.
  retry: "idempotent",
  deprecated: ["body.restrict_to_following_tools"],
  body: typed<UpdateAuthConfigBody>(),
  response: typed<EmptyObject>(),
});

export const deleteAuthConfig = endpoint({
  name: "authConfigs.delete",
  method: "DELETE",
  path: "/api/v3/auth_configs/{nanoid}",
  auth: ["apiKey", "userApiKey"],
  retry: "idempotent",
  alreadyApplied: { statuses: [404], data: () => ({}) },
  query: typed<DeleteAuthConfigQuery>(),
  response: typed<DeletedAuthConfig>(),
});

export const setAuthConfigStatus = endpoint({
  name: "authConfigs.setStatus",
  method: "PATCH",
  path: "/api/v3/auth_configs/{nanoid}/{status}",
  auth: ["apiKey"],
  retry: "idempotent",
  response: typed<EmptyObject>(),
});
