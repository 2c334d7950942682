// Every shape of the contract by its name: the entry shows them, and the OpenAPI document names its components after them.
export * from "../resources/api-keys/schema.js";
export * from "../resources/auth-configs/schema.js";
export * from "../resources/connected-accounts/schema.js";
export * from "../resources/errors/schema.js";
export * from "../resources/files/schema.js";
export * from "../resources/integrations/schema.js";
export * from "../resources/logs/schema.js";
export * from "../resources/mcp/schema.js";
export * from "../resources/projects/schema.js";
export * from "../resources/session/schema.js";
export { AUTH_SCHEMES, AuthScheme, Empty } from "../resources/shared.js";
export * from "../resources/tool-router/schema.js";
export * from "../resources/toolkits/schema.js";
export * from "../resources/tools/schema.js";
export * from "../resources/triggers/schema.js";
export * from "../resources/usage/schema.js";
export * from "../resources/webhook-endpoints/schema.js";
export * from "../resources/webhook-subscriptions/schema.js";
