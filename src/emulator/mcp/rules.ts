import { mismatchesOf } from "../../contract/check-shape.js";
import { CreateMcpServerBody } from "../../resources/mcp/schema.js";
import type { ServedCatalog } from "../catalog/catalog.js";
import { authConfigNotFound } from "../connected-accounts/rules.js";
import type { StoredMcpServer } from "../engine/project-records.js";
import { ApiFailure, invalidRequest, validationError } from "../engine/responses.js";
import type { State } from "../engine/state.js";
import { meantToolkits } from "../toolkits/find-tool.js";

/** 400 for an MCP server. Assumption E1. */
function mcpError(reason: string, message: string, suggestedFix?: string): ApiFailure {
  return new ApiFailure(400, 10400, `MCP_${reason}`, message, suggestedFix);
}

type McpParts = Pick<StoredMcpServer, "auth_config_ids" | "toolkits" | "allowed_tools">;

/** Auth configs, toolkits, and tools of a server. */
export type ServerParts = { readonly [Name in keyof McpParts]: readonly string[] };

/**
 * Checks that a server's parts exist, and copies them.
 *
 * @param named the parts that the request names. The others aren't checked, because they may have been deleted since.
 * @throws {ApiFailure} 404 for an unknown auth config; 400 for an unknown toolkit, or a tool of another one.
 */
export function checkedParts(
  parts: ServerParts,
  catalog: ServedCatalog,
  state: State,
  named: { readonly [Name in keyof ServerParts]?: ServerParts[Name] | undefined } = parts,
): McpParts {
  const { auth_config_ids, toolkits, allowed_tools } = parts;
  const lost = named.auth_config_ids?.find((id) => state.authConfigs.get(id)?.isDeleted !== false);
  if (lost !== undefined) throw authConfigNotFound(lost);
  const unknown = (named.toolkits ?? []).filter((slug) => !catalog.toolkits.has(slug));
  if (unknown.length > 0) {
    const message = `Invalid toolkit slugs: ${unknown.join(", ")}`;
    throw mcpError("InvalidParameter", message, meantToolkits(unknown, catalog));
  }
  const all = toolkitsOf(parts, state);
  // Each part decides which tools fit.
  const checkedTools = Object.keys(named).length > 0 ? allowed_tools : [];
  const stray = checkedTools.filter((slug) => !all.includes(catalog.tool(slug, "latest")?.toolkit.slug ?? ""));
  if (stray.length > 0) {
    throw mcpError("ToolNotFound", `Tools not found in the toolkits of this server: ${stray.join(", ")}`);
  }
  return { auth_config_ids: [...auth_config_ids], toolkits: [...toolkits], allowed_tools: [...allowed_tools] };
}

/** All toolkits of a server, including those of its auth configs. */
export function toolkitsOf({ auth_config_ids, toolkits }: ServerParts, { authConfigs }: State): string[] {
  const ofConfigs = auth_config_ids.flatMap((id) => authConfigs.get(id)?.toolkit.slug ?? []);
  return [...new Set([...ofConfigs, ...toolkits])];
}

/**
 * Checks a new name of a server. The schema limits names only on creation. Assumption R8.
 *
 * @throws {ApiFailure} 400 for a name that creation would reject.
 */
export function checkName(name: string): string {
  const mismatches = mismatchesOf(CreateMcpServerBody.shape.name, name);
  if (mismatches.length === 0) return name;
  throw invalidRequest(mismatches.map((mismatch) => validationError("body.name", mismatch)));
}

/** A server's toolkits for which the user doesn't have the required account. */
export function unconnectedToolkits(
  server: StoredMcpServer,
  userId: string,
  catalog: ServedCatalog,
  state: State,
): string[] {
  const { auth_config_ids: configIds } = server;
  return toolkitsOf(server, state).filter(
    (slug) =>
      (catalog.toolkits.get(slug)?.auth.length ?? 0) > 0 &&
      ![...state.connectedAccounts.values()].some(
        (account) =>
          account.toolkit === slug &&
          account.userId === userId &&
          account.status === "ACTIVE" &&
          (configIds.length === 0 || configIds.includes(account.authConfigId)),
      ),
  );
}
