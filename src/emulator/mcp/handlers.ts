// The room of MCP servers, an older API than agent sessions, which have an MCP endpoint in `tool-router`. It imports
// `catalog`, `connected-accounts`, `engine`, `toolkits`, `src/contract` and `src/resources`. Start here, then
// `show.ts`.

import type { ListMcpServersQuery, McpServer } from "../../resources/mcp/schema.js";
import { removeAccount } from "../connected-accounts/transitions.js";
import type { HandlersOf, ProjectEngine } from "../engine/engine.js";
import type { StoredMcpServer } from "../engine/project-records.js";
import { ApiFailure, notFound } from "../engine/responses.js";
import { recordsOf, type State } from "../engine/state.js";
import { findToolkit } from "../toolkits/find-tool.js";
import { checkedParts, checkName, type ServerParts, toolkitsOf, unconnectedToolkits } from "./rules.js";
import { mcpUrl, numberedPage, shownServer } from "./show.js";

const DEFAULT_SERVERS = 10;

const DEFAULT_INSTANCES = 20;

export const mcp: HandlersOf<"mcp"> = {
  "mcp.list": ({ query, ...context }) =>
    listServers(recordsOf(context.project, context.state.mcpServers), query, context),

  "mcp.listByApp": ({ params, query, ...context }) => {
    const { appKey } = params;
    findToolkit(context.catalog, appKey);
    const ofApp = recordsOf(context.project, context.state.mcpServers).filter((server) =>
      toolkitsOf(server, context.state).includes(appKey),
    );
    return listServers(ofApp, query, context);
  },

  "mcp.create": ({ body: { no_auth_apps: toolkits = [], allowed_tools = [], ...body }, ...context }) =>
    createServer({ ...body, toolkits, allowed_tools }, context),

  "mcp.createCustom": ({ body, ...context }) => {
    const { auth_config_ids: configs = [], toolkits = [], custom_tools: tools = [] } = body;
    const wanted = { auth_config_ids: configs, toolkits, allowed_tools: body.allowed_tools ?? tools };
    const server = createServer({ ...body, ...wanted }, context);
    const { id, name, auth_config_ids, allowed_tools, mcp_url, commands } = server;
    return { id, name, auth_config_ids, allowed_tools, mcp_url, commands };
  },

  "mcp.generateUrl": ({ body, ...context }) => {
    const { id } = findServer(body.mcp_server_id, context);
    const { user_ids = [], connected_account_ids = [] } = body;
    return {
      mcp_url: mcpUrl(id, context.origin),
      connected_account_urls: connected_account_ids.map((connected_account_id) =>
        mcpUrl(id, context.origin, { connected_account_id }),
      ),
      user_ids_url: user_ids.map((user_id) => mcpUrl(id, context.origin, { user_id })),
    };
  },

  "mcp.get": ({ params, ...context }) => ({
    ...shownServer(findServer(params.id, context), context),
    deleted: false,
  }),

  "mcp.update": ({ params, body, ...context }) => {
    const server = findServer(params.id, context);
    const { name, managed_auth_via_svc = server.managed_auth_via_svc, ...named } = body;
    const parts = {
      auth_config_ids: named.auth_config_ids ?? server.auth_config_ids,
      toolkits: named.toolkits ?? server.toolkits,
      allowed_tools: named.allowed_tools ?? server.allowed_tools,
    };
    const updated = context.state.mcpServers.update(server.id, {
      ...checkedParts(parts, context.catalog, context.state, named),
      name: name === undefined ? server.name : checkName(name),
      managed_auth_via_svc,
      updated_at: context.clock.iso(),
    });
    return { ...shownServer(updated, context), deleted: false };
  },

  "mcp.delete": ({ params, ...context }) => {
    const { id } = findServer(params.id, context);
    const { mcpServers, mcpInstances } = context.state;
    mcpServers.delete(id);
    for (const instance of mcpInstances.values()) if (instance.mcp_server_id === id) mcpInstances.delete(instance.id);
    return { id, deleted: true };
  },

  "mcp.listInstances": ({ params, query, ...context }) => {
    const { id, name } = findServer(params.serverId, context);
    const search = query.search?.toLowerCase();
    const matching = [...context.state.mcpInstances.values()].filter(
      ({ mcp_server_id, instance_id: user }) =>
        mcp_server_id === id && (search === undefined || user.toLowerCase().includes(search)),
    );
    const { items, ...numbers } = numberedPage(matching, query, DEFAULT_INSTANCES);
    return { instances: structuredClone(items), server_id: id, server_name: name, ...numbers };
  },

  "mcp.createInstance": ({ params, body, ...context }) => {
    const server = findServer(params.serverId, context);
    const { state, catalog, ids, clock } = context;
    const { user_id: userId } = body;
    if (instanceOf(server, userId, state)) {
      throw new ApiFailure(409, 10409, "MCP_InstanceExists", `User ${userId} has an instance of this server already`);
    }
    const missing = unconnectedToolkits(server, userId, catalog, state);
    if (missing.length > 0) {
      const message = `User ${userId} has not connected ${missing.join(", ")}`;
      throw new ApiFailure(403, 10403, "MCP_MissingConnectedAccounts", message, "Connect the accounts first");
    }
    const now = clock.iso();
    // An instance is identified by its user.
    const instance = {
      id: ids.uuid(),
      instance_id: userId,
      mcp_server_id: server.id,
      created_at: now,
      updated_at: now,
    };
    state.mcpInstances.set(instance.id, instance);
    return { ...instance };
  },

  "mcp.deleteInstance": ({ params, ...context }) => {
    const server = findServer(params.serverId, context);
    const { state } = context;
    const instance = instanceOf(server, params.instanceId, state);
    if (!instance) throw notFound("MCP", `Instance ${params.instanceId}`, 10404);
    state.mcpInstances.delete(instance.id);
    const accounts = [...state.connectedAccounts.values()].filter(
      ({ userId, authConfigId }) => userId === instance.instance_id && server.auth_config_ids.includes(authConfigId),
    );
    for (const account of accounts) removeAccount(account, context);
    return { message: "Instance deleted", deleted_connected_accounts: accounts.length };
  },
};

function findServer(id: string, call: ProjectEngine): StoredMcpServer {
  const server = call.state.mcpServers.get(id);
  if (server?.projectId === call.project.id) return server;
  throw notFound("MCP", `MCP server ${id}`, 10404);
}

interface WantedServer extends ServerParts {
  readonly name: string;
  readonly managed_auth_via_svc?: boolean | undefined;
}

function createServer(wanted: WantedServer, call: ProjectEngine): McpServer {
  const { name, managed_auth_via_svc = false } = wanted;
  const { project, state, catalog, ids, clock } = call;
  const now = clock.iso();
  const server: StoredMcpServer = {
    ...checkedParts(wanted, catalog, state),
    ...{ id: ids.uuid(), projectId: project.id, name, managed_auth_via_svc },
    created_at: now,
    updated_at: now,
  };
  state.mcpServers.set(server.id, server);
  return shownServer(server, call);
}

function listServers(servers: readonly StoredMcpServer[], query: ListMcpServersQuery, call: ProjectEngine) {
  const toolkits = query.toolkits?.split(",");
  const configs = query.auth_config_ids?.split(",");
  const name = query.name?.toLowerCase();
  const matching = servers.filter(
    (server) =>
      (name === undefined || server.name.toLowerCase().includes(name)) &&
      (toolkits === undefined || toolkits.some((slug) => toolkitsOf(server, call.state).includes(slug))) &&
      (configs === undefined || configs.some((id) => server.auth_config_ids.includes(id))),
  );
  const { items, ...numbers } = numberedPage(matching, query, DEFAULT_SERVERS);
  return { items: items.map((server) => shownServer(server, call)), ...numbers };
}

/** Finds an instance by its id or its user. */
function instanceOf({ id: serverId }: StoredMcpServer, idOrUser: string, { mcpInstances }: State) {
  return [...mcpInstances.values()].find(
    (instance) =>
      instance.mcp_server_id === serverId && (instance.id === idOrUser || instance.instance_id === idOrUser),
  );
}
