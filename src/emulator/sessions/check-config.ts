import type { ToolRouterConfig } from "../../resources/tool-router/schema.js";
import { mayUse } from "../accounts/listing.js";
import type { Catalogue } from "../catalogue.js";
import type { State } from "../state.js";
import { canConnect, isForSessions } from "./auth-configs.js";
import { invalidAccounts, invalidAuthConfigs, invalidToolkits, refuseInSession } from "./refusals.js";

/**
 * Checks a configuration before a session takes it.
 *
 * @param named what the request itself configures. Only what it names is looked up: what the session took before was there
 *   then, and may be gone by now. See assumption E95.
 * @throws {Refusal} 400 for a configuration that names what does not exist or does not belong together.
 */
export function checkConfig(
  config: ToolRouterConfig,
  named: ToolRouterConfig,
  catalogue: Catalogue,
  state: State,
): void {
  checkToolkits(named, catalogue);
  checkTools(named, catalogue);
  checkAuthConfigs(named, state);
  checkAccounts(named, state);
  checkBounds(config, state);
  if (config.preload.tools === "all" && !hasPositiveChoice(config)) {
    throw refuseInSession(
      4311,
      "InvalidPreload",
      'preload.tools "all" needs a positive choice of tools',
      "Name the toolkits or tools of the session with enable",
    );
  }
}

function checkToolkits(config: ToolRouterConfig, { toolkits }: Catalogue): void {
  const named = [
    ...(config.toolkits?.enabled ?? config.toolkits?.disabled ?? []),
    ...[config.auth_configs, config.connected_accounts, config.tools].flatMap((map) => Object.keys(map ?? {})),
  ];
  const unknown = [...new Set(named)].filter((slug) => !toolkits.has(slug));
  if (unknown.length > 0) throw invalidToolkits(unknown);
}

function checkTools(config: ToolRouterConfig, catalogue: Catalogue): void {
  const inLists = Object.entries(config.tools ?? {}).flatMap(([toolkit, { enabled, disabled }]) =>
    [...(enabled ?? []), ...(disabled ?? [])].filter(
      (slug) => catalogue.tool(slug, "latest")?.toolkit.slug !== toolkit,
    ),
  );
  const { tools } = config.preload;
  const preloaded = Array.isArray(tools) ? tools.filter((slug) => !catalogue.tool(slug, "latest")) : [];
  const unknown = [...new Set([...inLists, ...preloaded])];
  if (unknown.length > 0) throw refuseInSession(4306, "InvalidToolSlugs", `Invalid tool slugs: ${unknown.join(", ")}`);
}

function checkAuthConfigs(config: ToolRouterConfig, { authConfigs }: State): void {
  const unknown = Object.entries(config.auth_configs ?? {})
    .filter(([toolkit, id]) => !canConnect(authConfigs.get(id), toolkit))
    .map(([, id]) => id);
  if (unknown.length > 0) throw invalidAuthConfigs(unknown);
}

function checkAccounts(config: ToolRouterConfig, state: State): void {
  for (const [toolkit, given] of Object.entries(config.connected_accounts ?? {})) {
    const ids = [given].flat();
    const found = ids
      .flatMap((id) => state.connectedAccounts.get(id) ?? [])
      .filter(
        (account) => account.toolkit === toolkit && mayUse(account, config.user_id) && isForSessions(account, state),
      );
    const unknown = ids.filter((id) => !found.some((account) => account.id === id));
    if (unknown.length > 0) throw invalidAccounts(unknown);
  }
}

function checkBounds({ connected_accounts, multi_account }: ToolRouterConfig, { connectedAccounts }: State): void {
  const most = multi_account?.enable === true ? (multi_account.max_accounts_per_toolkit ?? 5) : 1;
  for (const [toolkit, given] of Object.entries(connected_accounts ?? {})) {
    const ids = [given].flat();
    const isTooMany = ids.length > most;
    if (isTooMany || ids.filter((id) => connectedAccounts.get(id)?.sharing === "SHARED").length > 1) {
      const bound = isTooMany ? `At most ${most} account(s)` : "At most one SHARED account";
      throw refuseInSession(
        4312,
        "TooManyConnectedAccounts",
        `${bound} of toolkit '${toolkit}' can be pinned in this session`,
        ...(isTooMany ? ["Set multi_account.enable and max_accounts_per_toolkit"] : []),
      );
    }
  }
}

/** Whether the session names what it takes, and not only what it leaves out. */
function hasPositiveChoice({ toolkits, tools }: ToolRouterConfig): boolean {
  return Boolean(toolkits?.enabled) || Object.values(tools ?? {}).some(({ enabled }) => enabled);
}
