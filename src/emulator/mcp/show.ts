import type { ListMcpServersQuery, McpInstance, McpServer } from "../../resources/mcp/schema.js";
import { logoOf } from "../catalog/catalog.js";
import { sortedByTime } from "../engine/pages.js";
import type { StoredMcpServer } from "../engine/project-records.js";
import type { State } from "../engine/state.js";
import { toolkitsOf } from "./rules.js";

/** A server's URL, optionally for one user or account. The emulator doesn't serve it; Assumption E56. */
export function mcpUrl(serverId: string, origin: string, owner: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(owner).toString();
  return `${origin}/api/v3/mcp/${serverId}/mcp${query === "" ? "" : `?${query}`}`;
}

/** Commands that add a server to MCP clients. */
function commandsOf({ id, name }: StoredMcpServer, origin: string): McpServer["commands"] {
  const url = mcpUrl(id, origin);
  const command = (client: string) => `npx mcp-remote ${url} --name ${JSON.stringify(name)} --client ${client}`;
  return { cursor: command("cursor"), claude: command("claude"), windsurf: command("windsurf") };
}

/** A server as responses show it. */
export function shownServer(
  server: StoredMcpServer,
  { origin, state }: { readonly origin: string; readonly state: State },
): McpServer {
  const { projectId: _, ...shown } = structuredClone(server);
  const toolkits = toolkitsOf(server, state);
  return {
    ...shown,
    mcp_url: mcpUrl(server.id, origin),
    toolkits,
    toolkit_icons: Object.fromEntries(toolkits.map((toolkit) => [toolkit, logoOf(toolkit)])),
    commands: commandsOf(server, origin),
    server_instance_count: [...state.mcpInstances.values()].filter((instance) => instance.mcp_server_id === server.id)
      .length,
  };
}

type NumberedRequest = Pick<ListMcpServersQuery, "page_no" | "limit" | "order_by" | "order_direction">;

/** One sorted page by number. These lists don't have a cursor. */
export function numberedPage<Item extends StoredMcpServer | McpInstance>(
  all: readonly Item[],
  { page_no, limit, order_by = "updated_at", order_direction = "desc" }: NumberedRequest,
  defaultLimit: number,
): { items: Item[]; total_pages: number; current_page: number } {
  const page = page_no ?? 1;
  const size = limit ?? defaultLimit;
  const sorted = sortedByTime(all, (item) => item[order_by], order_direction);
  return {
    items: sorted.slice((page - 1) * size, page * size),
    total_pages: Math.max(1, Math.ceil(all.length / size)),
    current_page: page,
  };
}
