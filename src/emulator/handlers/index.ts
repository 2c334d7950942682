import type { Handlers } from "../context.js";
import { apiKeys } from "./api-keys.js";
import { authConfigs } from "./auth-configs.js";
import { connectedAccounts } from "./connected-accounts.js";
import { files } from "./files.js";
import { integrations } from "./integrations.js";
import { logs } from "./logs.js";
import { mcp } from "./mcp.js";
import { projects } from "./projects.js";
import { session } from "./session.js";
import { execution } from "./tool-execution.js";
import { toolRouter } from "./tool-router.js";
import { toolkits } from "./toolkits.js";
import { tools } from "./tools.js";
import { triggers } from "./triggers.js";
import { usage } from "./usage.js";
import { webhookEndpoints } from "./webhook-endpoints.js";
import { webhookSubscriptions } from "./webhook-subscriptions.js";

/** What the emulator does, for every operation of the contract. */
export const handlers: Handlers = {
  ...apiKeys,
  ...authConfigs,
  ...connectedAccounts,
  ...execution,
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
