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

const byName = {
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

/** The name of an operation: `authConfigs.get`. */
export type OperationName = keyof typeof byName;
/** The endpoint of an operation. */
export type EndpointOf<Name extends OperationName> = (typeof byName)[Name]["endpoint"];

/** Every operation of the contract. */
export const operations: readonly Operation<EndpointOf<OperationName>>[] = Object.values(byName);
