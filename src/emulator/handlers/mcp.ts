import type { ListMcpServersQuery } from "../../resources/mcp/schema.js";
import { remove } from "../accounts/transitions.js";
import type { HandlersOf, World } from "../context.js";
import { checkedParts, checkName, type ServerParts, toolkitsOf, unconnectedToolkits } from "../mcp-servers/check.js";
import { numberedPage } from "../mcp-servers/pages.js";
import { addressOf, commandsOf, shownInstance, shownServer } from "../mcp-servers/show.js";
import type { StoredMcpServer } from "../mcp-servers/stored.js";
import { projectOf } from "../projects/lookup.js";
import { notFound, Refusal } from "../refusal.js";
import type { KeySeed } from "../seed.js";

const DEFAULT_SERVERS = 10;
const DEFAULT_INSTANCES = 20;

export const mcp: HandlersOf<"mcp"> = {
  "mcp.list": ({ query, ...context }) => listed(serversOf(context), query, context),

  "mcp.listByApp": ({ params, query, ...context }) => {
    const { appKey } = params;
    if (!context.catalogue.toolkits.has(appKey)) throw notFound("Toolkit", `Toolkit ${appKey}`, 2301);
    const ofApp = serversOf(context).filter((server) => toolkitsOf(server, context.state).includes(appKey));
    return listed(ofApp, query, context);
  },

  "mcp.create": ({ body, ...context }) => {
    const { name, auth_config_ids: authConfigIds, no_auth_apps: toolkits = [], allowed_tools: tools = [] } = body;
    const server = made(name, { authConfigIds, toolkits, allowedTools: tools }, body.managed_auth_via_svc, context);
    return shownServer(server, context.origin, context.state);
  },

  "mcp.createCustom": ({ body, ...context }) => {
    const { name, auth_config_ids: authConfigIds = [], toolkits = [], allowed_tools, custom_tools = [] } = body;
    const parts = { authConfigIds, toolkits, allowedTools: allowed_tools ?? custom_tools };
    const server = made(name, parts, body.managed_auth_via_svc, context);
    return {
      id: server.id,
      name,
      auth_config_ids: [...server.authConfigIds],
      allowed_tools: [...server.allowedTools],
      mcp_url: addressOf(server.id, context.origin),
      commands: commandsOf(server, context.origin),
    };
  },

  "mcp.generateUrl": ({ body, ...context }) => {
    const { id } = find(body.mcp_server_id, context);
    const { user_ids = [], connected_account_ids = [] } = body;
    return {
      mcp_url: addressOf(id, context.origin),
      connected_account_urls: connected_account_ids.map((connected_account_id) =>
        addressOf(id, context.origin, { connected_account_id }),
      ),
      user_ids_url: user_ids.map((user_id) => addressOf(id, context.origin, { user_id })),
    };
  },

  "mcp.get": ({ params, ...context }) => ({
    ...shownServer(find(params.id, context), context.origin, context.state),
    deleted: false,
  }),

  "mcp.update": ({ params, body, ...context }) => {
    const server = find(params.id, context);
    const parts = {
      authConfigIds: body.auth_config_ids ?? server.authConfigIds,
      toolkits: body.toolkits ?? server.toolkits,
      allowedTools: body.allowed_tools ?? server.allowedTools,
    };
    Object.assign(server, checkedParts(parts, context.catalogue, context.state), {
      name: body.name === undefined ? server.name : checkName(body.name),
      isManaged: body.managed_auth_via_svc ?? server.isManaged,
      updatedAt: context.clock.iso(),
    });
    return shownServer(server, context.origin, context.state);
  },

  "mcp.delete": ({ params, ...context }) => {
    const { id } = find(params.id, context);
    const { mcpServers, mcpInstances } = context.state;
    mcpServers.delete(id);
    for (const instance of mcpInstances.values()) if (instance.serverId === id) mcpInstances.delete(instance.id);
    return { id, deleted: true };
  },

  "mcp.listInstances": ({ params, query, ...context }) => {
    const { id, name } = find(params.serverId, context);
    const search = query.search?.toLowerCase();
    const matching = [...context.state.mcpInstances.values()].filter(
      ({ serverId, userId }) => serverId === id && (search === undefined || userId.toLowerCase().includes(search)),
    );
    const { items, ...numbers } = numberedPage(matching, query, DEFAULT_INSTANCES);
    return { instances: items.map(shownInstance), server_id: id, server_name: name, ...numbers };
  },

  "mcp.createInstance": ({ params, body, ...context }) => {
    const server = find(params.serverId, context);
    const { state, catalogue, ids, clock } = context;
    const { user_id: userId } = body;
    if (instanceOf(server, userId, state)) throw exists(userId);
    const missing = unconnectedToolkits(server, userId, catalogue, state);
    if (missing.length > 0) throw unconnected(userId, missing);
    const instance = { id: ids.uuid(), serverId: server.id, userId, createdAt: clock.iso() };
    state.mcpInstances.set(instance.id, instance);
    return shownInstance(instance);
  },

  "mcp.deleteInstance": ({ params, ...context }) => {
    const server = find(params.serverId, context);
    const { state } = context;
    const instance = instanceOf(server, params.instanceId, state);
    if (!instance) throw notFound("MCP", `Instance ${params.instanceId}`, 10404);
    state.mcpInstances.delete(instance.id);
    const accounts = [...state.connectedAccounts.values()].filter(
      ({ userId, authConfigId }) => userId === instance.userId && server.authConfigIds.includes(authConfigId),
    );
    for (const account of accounts) remove(account, context);
    return { message: "Instance deleted", deleted_connected_accounts: accounts.map(({ id }) => id) };
  },
};

interface Call extends World {
  readonly key: KeySeed | undefined;
  readonly origin: string;
}

function serversOf({ key, state }: Call): StoredMcpServer[] {
  const project = projectOf(key, state);
  return [...state.mcpServers.values()].filter(({ projectId }) => projectId === project.id);
}

function find(id: string, call: Call): StoredMcpServer {
  const server = serversOf(call).find((one) => one.id === id);
  if (!server) throw notFound("MCP", `MCP server ${id}`, 10404);
  return server;
}

function made(name: string, parts: ServerParts, isManaged: boolean | undefined, call: Call): StoredMcpServer {
  const { key, state, catalogue, ids, clock } = call;
  const now = clock.iso();
  const server: StoredMcpServer = {
    ...checkedParts(parts, catalogue, state),
    id: ids.uuid(),
    projectId: projectOf(key, state).id,
    name,
    isManaged: isManaged ?? false,
    createdAt: now,
    updatedAt: now,
  };
  state.mcpServers.set(server.id, server);
  return server;
}

function listed(servers: readonly StoredMcpServer[], query: ListMcpServersQuery, { origin, state }: Call) {
  const toolkits = query.toolkits?.split(",");
  const configs = query.auth_config_ids?.split(",");
  const name = query.name?.toLowerCase();
  const matching = servers.filter(
    (server) =>
      (name === undefined || server.name.toLowerCase().includes(name)) &&
      (toolkits === undefined || toolkits.some((slug) => toolkitsOf(server, state).includes(slug))) &&
      (configs === undefined || configs.some((id) => server.authConfigIds.includes(id))),
  );
  const { items, ...numbers } = numberedPage(matching, query, DEFAULT_SERVERS);
  return { items: items.map((server) => shownServer(server, origin, state)), ...numbers };
}

/** An instance is known by its own id and by its user. */
function instanceOf({ id: serverId }: StoredMcpServer, idOrUser: string, { mcpInstances }: World["state"]) {
  return [...mcpInstances.values()].find(
    (one) => one.serverId === serverId && (one.id === idOrUser || one.userId === idOrUser),
  );
}

function exists(userId: string): Refusal {
  const message = `User ${userId} has an instance of this server already`;
  return new Refusal({ status: 409, code: 10409, slug: "MCP_InstanceExists", message });
}

function unconnected(userId: string, toolkits: readonly string[]): Refusal {
  const message = `User ${userId} has not connected ${toolkits.join(", ")}`;
  const suggestedFix = "Connect the accounts first";
  return new Refusal({ status: 403, code: 10403, slug: "MCP_MissingConnectedAccounts", message, suggestedFix });
}
