import { byStatus, type MethodTable } from "./method-table.js";

const FOLLOW = "#from-another-client";
const TOOLS = "#tools-for-models";

const record = (otherwise: string) => ({ result: "record", otherwise }) as const;
const session = (otherwise: string) => ({ result: "session", otherwise }) as const;
const connection = (otherwise: string) => ({ result: "connection", otherwise }) as const;

const CREATE_SESSION = session("toolRouter.create({ user_id: $user, ...$config#session }, $options)");
const USE_SESSION = {
  result: "session",
  "custom?absent": "toolRouter.get($id, $options)",
  otherwise: `!custom tools are tools of a toolset, next to the session's. ${TOOLS}`,
} as const;
const MCP = `!a session has an MCP URL with less setup: svc.toolRouter.create, then session.mcp. ${FOLLOW}`;

/**
 * The methods of `@composio/core`, and the calls that replace them. Its results have camelCase fields; ours have the
 * API's names, so what is read of a `record` is renamed.
 */
export const CORE_METHODS: MethodTable = {
  "authConfigs.list(query, options)": record("authConfigs.list"),
  "authConfigs.create(toolkit, config, options)": {
    result: "createdAuthConfig",
    otherwise: "authConfigs.create({ toolkit: { slug: $toolkit }, auth_config: $config#body }, $options)",
  },
  "authConfigs.get(id, options)": record("="),
  "authConfigs.update(id, body, options)": record("="),
  "authConfigs.delete(id, options)": record("authConfigs.delete($id, $absent, $options)"),
  "authConfigs.enable(id, options)": record("="),
  "authConfigs.disable(id, options)": record("="),
  "authConfigs.updateStatus(status, id, options)": byStatus("authConfigs", "status=ENABLED|DISABLED"),
  "connectedAccounts.list(query, options)": record("="),
  "connectedAccounts.get(id, options)": record("="),
  "connectedAccounts.delete(id, options)": record("connectedAccounts.delete($id, $absent, $options)"),
  "connectedAccounts.enable(id, options)": record("="),
  "connectedAccounts.disable(id, options)": record("="),
  "connectedAccounts.updateStatus(id, body, options)": byStatus("connectedAccounts", "body.enabled=true|false"),
  "connectedAccounts.refresh(id, body, options)": record("="),
  "connectedAccounts.revoke(id, options)": record("="),
  "connectedAccounts.completeAuth(body, options)": record("="),
  "connectedAccounts.update(id, body, options)": record("="),
  "connectedAccounts.updateAcl(id, acl)": `!pass the ACL to svc.connectedAccounts.update, in experimental.acl_config_for_shared. ${FOLLOW}`,
  "connectedAccounts.link(user, config, body, options)": connection(
    "connectedAccounts.link({ user_id: $user, auth_config_id: $config, ...$body }, $options)",
  ),
  "connectedAccounts.initiate(user, config, body, options)": {
    result: "connection",
    "body.config?present": `!credentials go into connection.state of svc.connectedAccounts.create. ${FOLLOW}`,
    otherwise: "connectedAccounts.link({ user_id: $user, auth_config_id: $config, ...$body }, $options)",
  },
  "connectedAccounts.waitForConnection(id, timeout)": record(
    "connectedAccounts.waitUntilActive($id, { deadlineMs: $timeout })",
  ),
  "create(user, config, options)": CREATE_SESSION,
  "sessions.create(user, config, options)": CREATE_SESSION,
  "toolRouter.create(user, config, options)": CREATE_SESSION,
  "use(id, custom, options)": USE_SESSION,
  "sessions.use(id, custom, options)": USE_SESSION,
  "toolRouter.use(id, custom, options)": USE_SESSION,
  "sessions.delete(id, options)": record("toolRouter.use($id).delete($options)"),
  "createSession(options)": "!clients can't be derived: create another new Svc with these headers. #options",
  "flush()": "!nothing is tracked, so nothing has to be flushed: remove this call. #options",
  "files.upload(file)": `!svc.files.upload takes the bytes, and returns the value for a tool's argument. ${FOLLOW}`,
  "files.download(file)": `!svc.files.download takes the file of a tool's result, and returns its bytes. ${FOLLOW}`,
  "mcp.create(name, config)": MCP,
  "mcp.list(query)": MCP,
  "mcp.get(id)": MCP,
  "mcp.update(id, config)": MCP,
  "mcp.delete(id)": MCP,
  "mcp.generate(user, id, options)": MCP,
  "provider.handleToolCalls(user, response)": `!the adapter's run executes the model's calls and returns the messages. ${TOOLS}`,
  "provider.executeToolCall(user, call)": `!the adapter's run executes the model's calls and returns the messages. ${TOOLS}`,
  "toolkits.get(query, options)": {
    result: "record",
    "query?absent": "toolkits.list",
    "query?object": "toolkits.list",
    "query?string": "toolkits.get($query, $absent, $options)",
    otherwise: `!call svc.toolkits.get with a slug, or svc.toolkits.list with a query. ${FOLLOW}`,
  },
  "toolkits.listCategories(options)": record("toolkits.categories"),
  "toolkits.changelog(options)": record("="),
  "toolkits.authorize(user, toolkit, config, options)": {
    result: "connection",
    "config?present": "connectedAccounts.link({ user_id: $user, auth_config_id: $config }, $options)",
    otherwise:
      "=await $client!.connectedAccounts.link({ user_id: $user, auth_config_id: (await $client!.authConfigs.ensure({ toolkit: { slug: $toolkit } })).id }, $options)",
  },
  "toolkits.getAuthConfigCreationFields(toolkit, scheme, options)": `!read auth_config_details of svc.toolkits.get. ${FOLLOW}`,
  "toolkits.getConnectedAccountInitiationFields(toolkit, scheme, options)": `!read auth_config_details of svc.toolkits.get. ${FOLLOW}`,
  "tools.execute(slug, body, options)": record("="),
  "tools.get(user, tools, options)": {
    "options?present": `!modifiers don't exist: use the policy and events of a toolset. ${TOOLS}`,
    "tools?string": "=$adapter(await toolset($client, { userId: $user, tools: [$tools] }))",
    "tools?object": "=$adapter(await toolset($client, { userId: $user, ...$tools#toolset }))",
    otherwise: `!create a toolset of these tools, and pass it to an adapter. ${TOOLS}`,
  },
  "tools.getInput(slug, body, options)": "tools.input",
  "tools.getRawComposioToolBySlug(slug, options)": {
    result: "record",
    "options?absent": "tools.get($slug)",
    otherwise: `!call svc.tools.get(slug, { version }). ${FOLLOW}`,
  },
  "tools.getRawComposioTools(query, options)": `!call svc.tools.list for each toolkit_slug, and iterate over it. ${FOLLOW}`,
  "tools.getToolsEnum(options)": "tools.enum",
  "tools.proxyExecute(body, options)": record("tools.proxy"),
  "tools.createCustomTool(tool)": `!local tools are made with tool() of svc-sdk/agents. ${TOOLS}`,
  "triggers.create(user, slug, body, options)": record(
    "triggers.upsert($slug, { user_id: $user, ...$body }, $options)",
  ),
  "triggers.update(id, body, options)": { ...byStatus("triggers", "body.status=enable|disable"), result: "record" },
  "triggers.delete(id, options)": record("="),
  "triggers.enable(id, options)": record("="),
  "triggers.disable(id, options)": record("="),
  "triggers.listActive(query, options)": record("="),
  "triggers.listTypes(query, options)": record("="),
  "triggers.getType(slug, options)": record("triggers.getType($slug, $absent, $options)"),
  "triggers.listEnum(options)": "triggers.enum",
  "triggers.subscribe(handler, filters)":
    "!events arrive at a webhook: createReceiver of svc-sdk/webhooks, and svc-sdk listen while you develop. #webhooks",
  "triggers.unsubscribe()": "!there is no subscription to end: events arrive at a webhook. #webhooks",
  "triggers.setWebhookSubscription(body, options)": record("webhookSubscriptions.ensure($body#subscription, $options)"),
  "triggers.parse(request, check)": {
    result: "event",
    "check.verifySecret?present": "=normalizeTrigger(await verifyWebhook($request, $check#verification))",
    otherwise: "!deliveries are always verified: pass the secret to verifyWebhook of svc-sdk/webhooks. #webhooks",
  },
  "triggers.verifyWebhook(body)": {
    result: "event",
    "body?object":
      '=normalizeTrigger(await verifyWebhook({ body: $body.payload, headers: { "webhook-id": $body.id, "webhook-timestamp": $body.timestamp, "webhook-signature": $body.signature } }, { secret: $body.secret, toleranceSeconds: $body.tolerance }))',
    otherwise: "!pass body, headers and secret to verifyWebhook of svc-sdk/webhooks. #webhooks",
  },
  "webhooks.subscriptions.list(query, options)": record("webhookSubscriptions.list"),
  "webhooks.subscriptions.get(id, options)": record("webhookSubscriptions.get"),
  "webhooks.subscriptions.set(body, options)": record("webhookSubscriptions.ensure($body#subscription, $options)"),
  "webhooks.subscriptions.update(id, body, options)": record("webhookSubscriptions.update"),
  "webhooks.subscriptions.delete(id, options)": record("webhookSubscriptions.delete"),
  "webhooks.subscriptions.rotateSecret(id, options)": record("webhookSubscriptions.rotateSecret"),
  "webhooks.subscriptions.listEventTypes(options)": record("webhookSubscriptions.eventTypes"),
  "webhooks.endpoints.list(query, options)": record("webhookEndpoints.list"),
  "webhooks.endpoints.get(id, options)": record("webhookEndpoints.get"),
  "webhooks.endpoints.create(body, options)": record("webhookEndpoints.create"),
  "webhooks.endpoints.update(id, body, options)": record("webhookEndpoints.update"),
  "webhooks.endpoints.replace(id, body, options)": record("webhookEndpoints.replace"),
};

export const SESSION_METHODS: MethodTable = {
  "authorize(toolkit, body, options)": connection("link({ toolkit: $toolkit, ...$body }, $options)"),
  "customTools(options)": `!custom tools are tools of a toolset, next to the session's. ${TOOLS}`,
  "customToolkits()": `!custom tools are tools of a toolset, next to the session's. ${TOOLS}`,
  "delete(options)": record("="),
  "ensureConnected(toolkit, options)": `!read session.toolkits, then session.link if there is no account. ${FOLLOW}`,
  "execute(slug, arguments, options)": {
    result: "record",
    "options?absent": "execute({ tool_slug: $slug, arguments: $arguments#untouched })",
    otherwise: `!pass { tool_slug, arguments, account } as one object. ${FOLLOW}`,
  },
  "listConfigHistory(query, options)": record("configHistory"),
  "proxyExecute(body, options)": record("="),
  "search(body, options)": record("search({ queries: [{ use_case: $body.query }] }, $options)"),
  "toolkits(query, options)": record("="),
  "tools(options)": {
    "options?absent": "=$adapter(await toolset($client))",
    otherwise: `!modifiers don't exist: use the policy and events of a toolset. ${TOOLS}`,
  },
  "update(body, options)": session("update($body#session, $options)"),
};

export const CONNECTION_METHODS: MethodTable = {
  "waitForConnection(timeout)": record(
    "$client!.connectedAccounts.waitUntilActive($self!.connected_account_id, { deadlineMs: $timeout })",
  ),
};
