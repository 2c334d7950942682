import { apiKeys } from "../resources/api-keys/contract.js";
import { authConfigs } from "../resources/auth-configs/contract.js";
import { connectedAccounts } from "../resources/connected-accounts/contract.js";
import { files } from "../resources/files/contract.js";
import { integrations } from "../resources/integrations/contract.js";
import { logs } from "../resources/logs/contract.js";
import { mcp } from "../resources/mcp/contract.js";
import type { Operation } from "../resources/operation.js";
import { projects } from "../resources/projects/contract.js";
import { session } from "../resources/session/contract.js";
import { toolRouter } from "../resources/tool-router/contract.js";
import { toolkits } from "../resources/toolkits/contract.js";
import { tools } from "../resources/tools/contract.js";
import { triggers } from "../resources/triggers/contract.js";
import { usage } from "../resources/usage/contract.js";
import { webhookEndpoints } from "../resources/webhook-endpoints/contract.js";
import { webhookSubscriptions } from "../resources/webhook-subscriptions/contract.js";

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
