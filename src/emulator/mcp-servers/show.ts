import type { McpInstance, McpServer } from "../../resources/mcp/schema.js";
import { logoOf } from "../new-auth-config.js";
import type { State } from "../state.js";
import { toolkitsOf } from "./check.js";
import type { StoredMcpInstance, StoredMcpServer } from "./stored.js";

/** A server's address, for one user or account where `whom` says so. The emulator does not serve it; see assumption E56. */
export function addressOf(serverId: string, origin: string, whom: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(whom).toString();
  return `${origin}/api/v3/mcp/${serverId}/mcp${query === "" ? "" : `?${query}`}`;
}

/** What to paste into an MCP client's configuration. */
export function commandsOf({ id, name }: StoredMcpServer, origin: string): McpServer["commands"] {
  const url = addressOf(id, origin);
  const command = (client: string) => `npx mcp-remote ${url} --name ${JSON.stringify(name)} --client ${client}`;
  return { cursor: command("cursor"), claude: command("claude"), windsurf: command("windsurf") };
}

/** A server as answers show it. */
export function shownServer(server: StoredMcpServer, origin: string, state: State): McpServer {
  const { id, name, authConfigIds, allowedTools, isManaged, createdAt, updatedAt } = server;
  const toolkits = toolkitsOf(server, state);
  return {
    id,
    name,
    auth_config_ids: [...authConfigIds],
    allowed_tools: [...allowedTools],
    mcp_url: addressOf(id, origin),
    toolkits,
    toolkit_icons: Object.fromEntries(toolkits.map((toolkit) => [toolkit, logoOf(toolkit)])),
    commands: commandsOf(server, origin),
    created_at: createdAt,
    updated_at: updatedAt,
    server_instance_count: [...state.mcpInstances.values()].filter(({ serverId }) => serverId === id).length,
    managed_auth_via_svc: isManaged,
  };
}

/** An instance as answers show it. It is known by its user. */
export function shownInstance({ id, serverId, userId, createdAt }: StoredMcpInstance): McpInstance {
  return { id, instance_id: userId, mcp_server_id: serverId, created_at: createdAt, updated_at: createdAt };
}
