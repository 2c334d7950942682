import type {
  CreateToolRouterSessionBody,
  SessionTags,
  ToolRouterConfig,
  UpdateToolRouterSessionBody,
} from "../../resources/tool-router/schema.js";
import type { Catalog } from "../catalog/catalog.js";
import { mayUse } from "../connected-accounts/execution-rules.js";
import type { State } from "../host/state.js";
import { canConnect, isForSessions } from "./connections.js";
import { invalidAccounts, invalidAuthConfigs, invalidToolkits, sessionError } from "./errors.js";

/** A configuration as it is stored, from the body of a creation. */
export function configOf(body: CreateToolRouterSessionBody): ToolRouterConfig {
  return changedConfig(
    {
      user_id: body.user_id,
      manage_connections: connections({}),
      workbench: workbench({}),
      multi_account: multiAccount({}),
      preload: { tools: [] },
      search: { enable: true },
      execute: { enable_multi_execute: true },
    },
    body,
  );
}

/** A configuration after a change: given blocks replace the stored ones, null resets, what is left out stays. */
export function changedConfig(stored: ToolRouterConfig, body: UpdateToolRouterSessionBody): ToolRouterConfig {
  const config = structuredClone(stored);
  if (body.toolkits) config.toolkits = onOff(body.toolkits);
  if (body.auth_configs) config.auth_configs = body.auth_configs;
  if (body.tools) {
    config.tools = Object.fromEntries(
      Object.entries(body.tools).map(([toolkit, { tags, ...lists }]) => [
        toolkit,
        { ...onOff(lists), ...(tags && { tags: storedTags(tags) }) },
      ]),
    );
  }
  if (body.tags) config.tags = storedTags(body.tags);
  if (body.preload) config.preload = body.preload;
  if (body.search) config.search = { enable: body.search.enable ?? true };
  if (body.execute) config.execute = { enable_multi_execute: body.execute.enable_multi_execute ?? true };
  if (body.connected_accounts === null) delete config.connected_accounts;
  else if (body.connected_accounts) config.connected_accounts = accountLists(body.connected_accounts);
  if (body.manage_connections !== undefined) config.manage_connections = connections(body.manage_connections ?? {});
  if (body.workbench !== undefined) config.workbench = workbench(body.workbench ?? {});
  if (body.multi_account !== undefined) config.multi_account = multiAccount(body.multi_account ?? {});
  if (body.experimental === null) delete config.experimental;
  else if (body.experimental) config.experimental = withoutDefinitions(body.experimental);
  return config;
}

interface ToolLists {
  readonly enable?: string[] | undefined;
  readonly disable?: string[] | undefined;
}

/** The answer says `enabled` where the request says `enable`. */
function onOff({ enable, disable }: ToolLists): { enabled?: string[]; disabled?: string[] } {
  return { ...(enable && { enabled: enable }), ...(disable && { disabled: disable }) };
}

function storedTags(tags: SessionTags) {
  return Array.isArray(tags) ? { enabled: tags } : onOff(tags);
}

/** One text instead of a list is the form of v3. */
function accountLists(accounts: Readonly<Record<string, string[] | string>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(accounts).map(([toolkit, ids]) => [toolkit, [ids].flat()]));
}

function connections(given: NonNullable<CreateToolRouterSessionBody["manage_connections"]>) {
  return {
    enabled: given.enable ?? true,
    ...(given.callback_url !== undefined && { callback_url: given.callback_url }),
    enable_wait_for_connections: given.enable_wait_for_connections ?? false,
    enable_connection_removal: given.enable_connection_removal ?? true,
  };
}

function workbench({
  enable,
  enable_proxy_execution,
  ...others
}: NonNullable<CreateToolRouterSessionBody["workbench"]>) {
  return {
    enable: enable ?? true,
    proxy_execution_enabled: enable_proxy_execution ?? true,
    ...others,
    sandbox_size: others.sandbox_size ?? "standard",
  };
}

function multiAccount(given: NonNullable<CreateToolRouterSessionBody["multi_account"]>) {
  return {
    enable: given.enable ?? false,
    max_accounts_per_toolkit: given.max_accounts_per_toolkit ?? 5,
    require_explicit_selection: given.require_explicit_selection ?? false,
  };
}

/** On v3.1 custom definitions are not stored. See assumption E41. */
function withoutDefinitions({
  custom_toolkits: _,
  custom_tools: __,
  ...kept
}: NonNullable<CreateToolRouterSessionBody["experimental"]>) {
  return kept;
}

/**
 * Checks a configuration before a session takes it.
 *
 * @param named what the request itself configures. Only what it names is looked up: what the session took before was there
 *   then, and may be gone by now. See assumption E95.
 * @throws {Refusal} 400 for a configuration that names what does not exist or does not belong together.
 */
export function checkConfig(config: ToolRouterConfig, named: ToolRouterConfig, catalogue: Catalog, state: State): void {
  checkToolkits(named, catalogue);
  checkTools(named, catalogue);
  checkAuthConfigs(named, state);
  checkAccounts(named, state);
  checkBounds(config, state);
  if (config.preload.tools === "all" && !hasPositiveChoice(config)) {
    throw sessionError(
      4311,
      "InvalidPreload",
      'preload.tools "all" needs a positive choice of tools',
      "Name the toolkits or tools of the session with enable",
    );
  }
}

function checkToolkits(config: ToolRouterConfig, { toolkits }: Catalog): void {
  const named = [
    ...(config.toolkits?.enabled ?? config.toolkits?.disabled ?? []),
    ...[config.auth_configs, config.connected_accounts, config.tools].flatMap((map) => Object.keys(map ?? {})),
  ];
  const unknown = [...new Set(named)].filter((slug) => !toolkits.has(slug));
  if (unknown.length > 0) throw invalidToolkits(unknown);
}

function checkTools(config: ToolRouterConfig, catalogue: Catalog): void {
  const inLists = Object.entries(config.tools ?? {}).flatMap(([toolkit, { enabled, disabled }]) =>
    [...(enabled ?? []), ...(disabled ?? [])].filter(
      (slug) => catalogue.tool(slug, "latest")?.toolkit.slug !== toolkit,
    ),
  );
  const { tools } = config.preload;
  const preloaded = Array.isArray(tools) ? tools.filter((slug) => !catalogue.tool(slug, "latest")) : [];
  const unknown = [...new Set([...inLists, ...preloaded])];
  if (unknown.length > 0) throw sessionError(4306, "InvalidToolSlugs", `Invalid tool slugs: ${unknown.join(", ")}`);
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
      throw sessionError(
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
