import type { Catalogue } from "../catalogue.js";
import { invalidRequest, notFound, Refusal } from "../refusal.js";
import type { State } from "../state.js";
import type { StoredMcpServer } from "./stored.js";

/** 400 in the MCP servers' domain. Codes are ours; see assumption E1. */
function invalid(code: number, reason: string, message: string): Refusal {
  return new Refusal({ status: 400, code, slug: `MCP_${reason}`, message });
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
  catalogue: Catalogue,
  state: State,
): Pick<StoredMcpServer, "authConfigIds" | "toolkits" | "allowedTools"> {
  const { authConfigIds, toolkits, allowedTools } = parts;
  const lost = authConfigIds.find((id) => state.authConfigs.get(id)?.isDeleted !== false);
  if (lost !== undefined) throw notFound("AuthConfig", `Auth config ${lost}`, 301);
  const unknown = toolkits.filter((slug) => !catalogue.toolkits.has(slug));
  if (unknown.length > 0) throw invalid(10400, "InvalidParameter", `Invalid toolkit slugs: ${unknown.join(", ")}`);
  const all = toolkitsOf(parts, state);
  const stray = allowedTools.filter((slug) => !all.includes(catalogue.tool(slug, "latest")?.toolkit.slug ?? ""));
  if (stray.length > 0) {
    throw invalid(10400, "ToolNotFound", `Tools not found in the toolkits of this server: ${stray.join(", ")}`);
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
  catalogue: Catalogue,
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
