import * as apiKeysEndpoints from "../resources/api-keys/endpoints.js";
import * as authConfigsEndpoints from "../resources/auth-configs/endpoints.js";
import * as connectedAccountsEndpoints from "../resources/connected-accounts/endpoints.js";
import * as filesEndpoints from "../resources/files/endpoints.js";
import * as integrationsEndpoints from "../resources/integrations/endpoints.js";
import * as logsEndpoints from "../resources/logs/endpoints.js";
import * as mcpEndpoints from "../resources/mcp/endpoints.js";
import * as projectsEndpoints from "../resources/projects/endpoints.js";
import * as sessionEndpoints from "../resources/session/endpoints.js";
import * as toolRouterEndpoints from "../resources/tool-router/endpoints.js";
import * as toolkitsEndpoints from "../resources/toolkits/endpoints.js";
import * as toolsEndpoints from "../resources/tools/endpoints.js";
import * as triggersEndpoints from "../resources/triggers/endpoints.js";
import * as usageEndpoints from "../resources/usage/endpoints.js";
import * as webhookEndpointsEndpoints from "../resources/webhook-endpoints/endpoints.js";
import * as webhookSubscriptionsEndpoints from "../resources/webhook-subscriptions/endpoints.js";
import { apiKeys } from "./api-keys.js";
import { authConfigs } from "./auth-configs.js";
import { connectedAccounts } from "./connected-accounts.js";
import { files } from "./files.js";
import { integrations } from "./integrations.js";
import { logs } from "./logs.js";
import { mcp } from "./mcp.js";
import type { Operation } from "./operation.js";
import { projects } from "./projects.js";
import { session } from "./session.js";
import { toolRouter } from "./tool-router.js";
import { toolkits } from "./toolkits.js";
import { tools } from "./tools.js";
import { triggers } from "./triggers.js";
import { usage } from "./usage.js";
import { webhookEndpoints } from "./webhook-endpoints.js";
import { webhookSubscriptions } from "./webhook-subscriptions.js";

const endpoints = {
  ...apiKeysEndpoints,
  ...authConfigsEndpoints,
  ...connectedAccountsEndpoints,
  ...filesEndpoints,
  ...integrationsEndpoints,
  ...logsEndpoints,
  ...mcpEndpoints,
  ...projectsEndpoints,
  ...sessionEndpoints,
  ...toolRouterEndpoints,
  ...toolkitsEndpoints,
  ...toolsEndpoints,
  ...triggersEndpoints,
  ...usageEndpoints,
  ...webhookEndpointsEndpoints,
  ...webhookSubscriptionsEndpoints,
};

type KnownEndpoint = (typeof endpoints)[keyof typeof endpoints];
/** The name of an operation: `authConfigs.get`. */
export type OperationName = KnownEndpoint["name"];
/** The endpoint of an operation. */
export type EndpointOf<Name extends OperationName> = Extract<KnownEndpoint, { readonly name: Name }>;

type Schemas = Pick<Operation, "response" | "status" | "spec"> & Partial<Pick<Operation, "query" | "body">>;

/** Joins each operation to its schemas. States no shape: a missing or wrong one does not compile. */
const schemas: Readonly<Record<OperationName, Schemas>> = {
  ...apiKeys,
  ...authConfigs,
  ...connectedAccounts,
  ...files,
  ...integrations,
  ...logs,
  ...mcp,
  ...projects,
  ...session,
  ...toolRouter,
  ...toolkits,
  ...tools,
  ...triggers,
  ...usage,
  ...webhookEndpoints,
  ...webhookSubscriptions,
};

/** Every operation of the contract. */
export const operations: readonly Operation<KnownEndpoint>[] = Object.values(endpoints).map((endpoint) => {
  const { query, body, response, status, spec } = schemas[endpoint.name];
  return { endpoint, query, body, response, status, spec };
});
