import { type OperationName, operations } from "../../contract/operations.js";
import { authConfigs, integrations } from "../auth-configs/handlers.js";
import { connectedAccounts } from "../connected-accounts/handlers.js";
import type { Engine, ExtraRoute, HandlersOf, OperationHandlers, OperationRules } from "../engine/engine.js";
import { files } from "../files/handlers.js";
import { storageRoute } from "../files/storage.js";
import { logs } from "../logs/handlers.js";
import { usage } from "../logs/usage.js";
import { apiKeys, projects, session } from "../projects/handlers.js";
import { toolkits } from "../toolkits/handlers.js";
import { tools } from "../tools/handlers.js";
import { triggers } from "../triggers/handlers.js";
import { webhookEndpoints, webhookSubscriptions } from "../webhooks/handlers.js";
import { NEWER_FIELDS } from "./newer-field-shapes.js";

/** Loads the code that most emulators never use with the first request to it. */
async function onDemand({ lifetime }: Pick<Engine, "lifetime">) {
  const { handleMcp, lazyHandlers, respondWithLinkPage } = await import("./lazy-parts.js");
  lifetime.signal.throwIfAborted();
  return { handleMcp, lazyHandlers, respondWithLinkPage };
}

type LazyHandlers = HandlersOf<"toolRouter" | "mcp">;

const toolRouterAndMcp = operations
  .map(({ endpoint }) => endpoint.name)
  .filter((name): name is keyof LazyHandlers => /^(toolRouter|mcp)\./.test(name))
  .map((name) => [name, async (context: never) => (await onDemand(context)).lazyHandlers[name](context)] as const);

/** A handler for every operation of the contract. */
export const handlers: OperationHandlers = {
  ...apiKeys,
  ...authConfigs,
  ...connectedAccounts,
  ...files,
  ...integrations,
  ...logs,
  ...projects,
  ...session,
  ...toolkits,
  ...tools,
  ...triggers,
  ...usage,
  ...webhookEndpoints,
  ...webhookSubscriptions,
  // A cast, because each passes its operation's context on, and what its handler returns.
  ...(Object.fromEntries(toolRouterAndMcp) as LazyHandlers),
};

const PASSES_BODY_ON = { passesBodyOn: true };

/** Rules for the requests of some operations. */
export const rules: Readonly<Partial<Record<OperationName, OperationRules>>> = {
  "connectedAccounts.list": { ignoredParameters: ["label", "labels"] },
  "session.info": { takesKeysOfDeletedProjects: true },
  "toolRouter.create": { newer: NEWER_FIELDS.create },
  "toolRouter.execute": { ...PASSES_BODY_ON, newer: NEWER_FIELDS.selectsAccount },
  "toolRouter.executeMeta": PASSES_BODY_ON,
  "toolRouter.link": { newer: NEWER_FIELDS.selectsAccount },
  "toolRouter.proxy": PASSES_BODY_ON,
  "toolRouter.update": { newer: NEWER_FIELDS.update },
  "tools.execute": PASSES_BODY_ON,
  "tools.proxy": PASSES_BODY_ON,
  "triggers.upsert": PASSES_BODY_ON,
  "webhookEndpoints.replace": PASSES_BODY_ON,
  "webhookEndpoints.update": PASSES_BODY_ON,
};

const linkPage =
  (action: "show" | "success" | "failed"): ExtraRoute["handle"] =>
  async (route) =>
    (await onDemand(route)).respondWithLinkPage(action, route);

/** MCP over streamable HTTP, at the URL in a session's record and at a shorter one. Assumption E49. */
const sessionMcp = ["/tool_router/v3/{session_id}/mcp", "/tool_router/{session_id}/mcp"].map(
  (path): ExtraRoute => ({
    methods: ["POST", "GET", "DELETE"],
    path,
    handle: async (route) => (await onDemand(route)).handleMcp(route),
  }),
);

/**
 * The routes outside the contract. On the hosted page, a user connects an account. Users click in a browser; tests post
 * to `…/complete` or `…/fail`, or open the page with `?outcome=success` or `?outcome=failed`. Assumption E21.
 */
export const extraRoutes: readonly ExtraRoute[] = [
  { methods: ["GET"], path: "/link/{token}", handle: linkPage("show") },
  { methods: ["POST"], path: "/link/{token}/complete", handle: linkPage("success") },
  { methods: ["POST"], path: "/link/{token}/fail", handle: linkPage("failed") },
  storageRoute,
  ...sessionMcp,
];
