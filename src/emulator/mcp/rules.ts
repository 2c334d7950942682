import type { McpInstance, McpServer } from "../../resources/mcp/schema.js";
import { type Catalog, logoOf } from "../catalog/catalog.js";
import { ApiFailure, invalidRequest, notFound } from "../host/errors.js";
import type { StoredMcpInstance, StoredMcpServer } from "../host/project-records.js";
import type { State } from "../host/state.js";

/** 400 in the MCP servers' domain. Codes are ours; see assumption E1. */
function badRequest(code: number, reason: string, message: string): ApiFailure {
  return new ApiFailure({ status: 400, code, slug: `MCP_${reason}`, message });
}

/** What a server is made of. */
export interface ServerParts {
  readonly authConfigIds: readonly string[];
  /** Toolkits beside those of the auth configs. */
  readonly toolkits: readonly string[];
  readonly allowedTools: readonly string[];
}

/**
 * The parts of a server, after a look whether they exist.
 *
 * @throws {Refusal} 404 for an unknown auth config; 400 for an unknown toolkit, or a tool that is in none of them.
 */
export function checkedParts(
  parts: ServerParts,
  catalogue: Catalog,
  state: State,
): Pick<StoredMcpServer, "authConfigIds" | "toolkits" | "allowedTools"> {
  const { authConfigIds, toolkits, allowedTools } = parts;
  const lost = authConfigIds.find((id) => state.authConfigs.get(id)?.isDeleted !== false);
  if (lost !== undefined) throw notFound("AuthConfig", `Auth config ${lost}`, 301);
  const unknown = toolkits.filter((slug) => !catalogue.toolkits.has(slug));
  if (unknown.length > 0) throw badRequest(10400, "InvalidParameter", `Invalid toolkit slugs: ${unknown.join(", ")}`);
  const all = toolkitsOf(parts, state);
  const stray = allowedTools.filter((slug) => !all.includes(catalogue.tool(slug, "latest")?.toolkit.slug ?? ""));
  if (stray.length > 0) {
    throw badRequest(10400, "ToolNotFound", `Tools not found in the toolkits of this server: ${stray.join(", ")}`);
  }
  return { authConfigIds: [...authConfigIds], toolkits: [...toolkits], allowedTools: [...allowedTools] };
}

/** Every toolkit of a server: those of its auth configs, and its own. */
export function toolkitsOf(
  { authConfigIds, toolkits }: Pick<ServerParts, "authConfigIds" | "toolkits">,
  { authConfigs }: State,
): string[] {
  const ofConfigs = authConfigIds.flatMap((id) => authConfigs.get(id)?.toolkit.slug ?? []);
  return [...new Set([...ofConfigs, ...toolkits])];
}

/**
 * A name that a server is given later. The shape of a change has no bounds, that of a creation has these. See assumption R8.
 *
 * @throws {Refusal} 400 for one that a creation would refuse.
 */
export function checkName(name: string): string {
  if (/^[A-Za-z0-9 -]{4,30}$/.test(name)) return name;
  throw invalidRequest(["body.name: expected 4 to 30 letters, digits, spaces and hyphens"]);
}

/** The toolkits of a server that need an account of the user which it does not have. */
export function unconnectedToolkits(
  server: StoredMcpServer,
  userId: string,
  catalogue: Catalog,
  state: State,
): string[] {
  const { authConfigIds } = server;
  return toolkitsOf(server, state).filter(
    (slug) =>
      (catalogue.toolkits.get(slug)?.auth.length ?? 0) > 0 &&
      ![...state.connectedAccounts.values()].some(
        (account) =>
          account.toolkit === slug &&
          account.userId === userId &&
          account.status === "ACTIVE" &&
          (authConfigIds.length === 0 || authConfigIds.includes(account.authConfigId)),
      ),
  );
}

/** A server's address, for one user or account where `whom` says so. The emulator does not serve it; see assumption E56. */
export function serverUrl(serverId: string, origin: string, whom: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(whom).toString();
  return `${origin}/api/v3/mcp/${serverId}/mcp${query === "" ? "" : `?${query}`}`;
}

/** What to paste into an MCP client's configuration. */
export function commandsOf({ id, name }: StoredMcpServer, origin: string): McpServer["commands"] {
  const url = serverUrl(id, origin);
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
    mcp_url: serverUrl(id, origin),
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

interface NumberedRequest {
  readonly page_no?: number | undefined;
  readonly limit?: number | undefined;
  readonly order_by?: "created_at" | "updated_at" | undefined;
  readonly order_direction?: "asc" | "desc" | undefined;
}

interface Dated {
  readonly createdAt: string;
  readonly updatedAt?: string;
}

/** One numbered page of records in the wanted order. These lists have no cursor. */
export function numberedPage<Item extends Dated>(
  all: readonly Item[],
  { page_no: page = 1, limit, order_by, order_direction }: NumberedRequest,
  defaultLimit: number,
): { items: Item[]; total_pages: number; current_page: number } {
  const size = limit ?? defaultLimit;
  const time = ({ createdAt, updatedAt = createdAt }: Item) => (order_by === "created_at" ? createdAt : updatedAt);
  const direction = order_direction === "asc" ? 1 : -1;
  // Records of the same moment stay in the order they were made in, or in its reverse.
  const places = new Map(all.map((item, index) => [item, index]));
  const place = (item: Item) => places.get(item) ?? 0;
  const sorted = all.toSorted((one, other) => {
    const byTime = time(one) === time(other) ? place(one) - place(other) : time(one) < time(other) ? -1 : 1;
    return direction * byTime;
  });
  return {
    items: sorted.slice((page - 1) * size, page * size),
    total_pages: Math.max(1, Math.ceil(all.length / size)),
    current_page: page,
  };
}
