import type { Catalogue } from "../catalogue.js";
import { notFound, Refusal } from "../refusal.js";
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
  { authConfigIds, toolkits, allowedTools }: ServerParts,
  catalogue: Catalogue,
  { authConfigs }: State,
): Pick<StoredMcpServer, "authConfigIds" | "toolkits" | "allowedTools"> {
  const ofConfigs = authConfigIds.map((id) => {
    const config = authConfigs.get(id);
    if (!config || config.isDeleted) throw notFound("AuthConfig", `Auth config ${id}`, 301);
    return config.toolkit.slug;
  });
  const unknown = toolkits.filter((slug) => !catalogue.toolkits.has(slug));
  if (unknown.length > 0) throw invalid(10400, "InvalidParameter", `Invalid toolkit slugs: ${unknown.join(", ")}`);
  const all = [...new Set([...ofConfigs, ...toolkits])];
  const stray = allowedTools.filter((slug) => !all.includes(catalogue.tool(slug, "latest")?.toolkit.slug ?? ""));
  if (stray.length > 0) {
    throw invalid(10400, "ToolNotFound", `Tools not found in the toolkits of this server: ${stray.join(", ")}`);
  }
  return { authConfigIds: [...authConfigIds], toolkits: all, allowedTools: [...allowedTools] };
}

/** The toolkits of a server that need an account of the user which it does not have. */
export function unconnectedToolkits(
  { toolkits, authConfigIds }: StoredMcpServer,
  userId: string,
  catalogue: Catalogue,
  { connectedAccounts }: State,
): string[] {
  return toolkits.filter(
    (slug) =>
      (catalogue.toolkits.get(slug)?.auth.length ?? 0) > 0 &&
      ![...connectedAccounts.values()].some(
        (account) =>
          account.toolkit === slug &&
          account.userId === userId &&
          account.status === "ACTIVE" &&
          (authConfigIds.length === 0 || authConfigIds.includes(account.authConfigId)),
      ),
  );
}
