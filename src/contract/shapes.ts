// Every shape of the contract by name: the entry point exports them, and the components of the OpenAPI document have
// these names.
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
export { AUTH_SCHEMES, AuthScheme, EmptyObject } from "../resources/shared.js";
export * from "../resources/tool-router/schema.js";
export * from "../resources/toolkits/schema.js";
export * from "../resources/tools/schema.js";
export * from "../resources/triggers/schema.js";
export * from "../resources/usage/schema.js";
export * from "../resources/webhook-endpoints/schema.js";
export * from "../resources/webhook-subscriptions/schema.js";
