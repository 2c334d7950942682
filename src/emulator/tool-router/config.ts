import type {
  CreateToolRouterSessionBody,
  SessionTags,
  ToolRouterConfig,
  UpdateToolRouterSessionBody,
} from "../../resources/tool-router/schema.js";
import type { ServedCatalog } from "../catalog/catalog.js";
import { mayUse } from "../connected-accounts/execution-rules.js";
import type { StoredAccount } from "../engine/account-records.js";
import type { ApiFailure } from "../engine/responses.js";
import type { State } from "../engine/state.js";
import { canConnect, isForSessions } from "./connections.js";
import { invalidAccounts, invalidAuthConfigs, invalidToolkits, sessionError } from "./scope.js";

/** The configuration to store for a new session. */
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

/** A configuration after an update: a block replaces the stored one, null resets it, and omitted ones don't change. */
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
  if (body.preload) {
    const { tools } = body.preload;
    config.preload = { tools: tools === "all" ? tools : [...tools] };
  }
  if (body.search) config.search = { enable: body.search.enable ?? true };
  if (body.execute) config.execute = { enable_multi_execute: body.execute.enable_multi_execute ?? true };
  if (body.connected_accounts === null) delete config.connected_accounts;
  else if (body.connected_accounts) {
    // v3 accepts a string instead of an array.
    const lists = Object.entries(body.connected_accounts).map(([toolkit, ids]) => [toolkit, [ids].flat()]);
    config.connected_accounts = Object.fromEntries(lists);
  }
  if (body.manage_connections !== undefined) config.manage_connections = connections(body.manage_connections ?? {});
  if (body.workbench !== undefined) config.workbench = workbench(body.workbench ?? {});
  if (body.multi_account !== undefined) config.multi_account = multiAccount(body.multi_account ?? {});
  if (body.experimental === null) delete config.experimental;
  else if (body.experimental) {
    // On v3.1, custom definitions aren't stored. Assumption E41.
    const { custom_toolkits: _, custom_tools: __, ...stored } = body.experimental;
    config.experimental = stored;
  }
  return config;
}

type ToolLists = Readonly<Partial<Record<"enable" | "disable", readonly string[] | undefined>>>;

/** Requests use `enable`, responses `enabled`. */
function onOff({ enable, disable }: ToolLists): { enabled?: string[]; disabled?: string[] } {
  return { ...(enable && { enabled: [...enable] }), ...(disable && { disabled: [...disable] }) };
}

function storedTags(tags: SessionTags) {
  return onOff("length" in tags ? { enable: tags } : tags);
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

/**
 * Checks a configuration before it's stored.
 *
 * @param named the part that the request configures. Only its references are checked, because earlier ones may have
 * been deleted since. Assumption E95.
 * @throws {ApiFailure} 400 for references to missing records, and settings that conflict.
 */
export function checkConfig(
  config: ToolRouterConfig,
  named: ToolRouterConfig,
  catalog: ServedCatalog,
  state: State,
): void {
  const { toolkits, tools = {}, auth_configs, connected_accounts, preload } = named;
  const slugs = [
    ...(toolkits?.enabled ?? toolkits?.disabled ?? []),
    ...[auth_configs, connected_accounts, tools].flatMap((map) => Object.keys(map ?? {})),
  ];
  reject(
    slugs.filter((slug) => !catalog.toolkits.has(slug)),
    (unknown) => invalidToolkits(unknown, catalog),
  );
  const inLists = Object.entries(tools ?? {}).flatMap(([toolkit, { enabled, disabled }]) =>
    [...(enabled ?? []), ...(disabled ?? [])].filter((slug) => catalog.tool(slug, "latest")?.toolkit.slug !== toolkit),
  );
  const preloaded = Array.isArray(preload.tools) ? preload.tools : [];
  reject([...inLists, ...preloaded.filter((slug) => !catalog.tool(slug, "latest"))], (unknown) =>
    sessionError(4306, "InvalidToolSlugs", `Invalid tool slugs: ${unknown.join(", ")}`),
  );
  const configs = Object.entries(auth_configs ?? {});
  reject(
    configs.flatMap(([toolkit, id]) => (canConnect(state.authConfigs.get(id), toolkit) ? [] : [id])),
    invalidAuthConfigs,
  );
  for (const [toolkit, ids] of Object.entries(connected_accounts ?? {})) {
    const isUsable = (account: StoredAccount | undefined) =>
      account?.toolkit === toolkit && mayUse(account, config.user_id) && isForSessions(account, state);
    reject(
      [ids].flat().filter((id) => !isUsable(state.connectedAccounts.get(id))),
      invalidAccounts,
    );
  }
  checkAccountLimit(config, state);
  if (config.preload.tools === "all" && !hasPositiveChoice(config)) {
    const message = 'preload.tools "all" needs a positive choice of tools';
    throw sessionError(4311, "InvalidPreload", message, "Name the toolkits or tools of the session with enable");
  }
}

function reject(unknown: readonly string[], failure: (unknown: readonly string[]) => ApiFailure): void {
  if (unknown.length > 0) throw failure([...new Set(unknown)]);
}

function checkAccountLimit(
  { connected_accounts, multi_account }: ToolRouterConfig,
  { connectedAccounts }: State,
): void {
  const most = multi_account?.enable === true ? (multi_account.max_accounts_per_toolkit ?? 5) : 1;
  for (const [toolkit, given] of Object.entries(connected_accounts ?? {})) {
    const ids = [given].flat();
    const isTooMany = ids.length > most;
    if (isTooMany || ids.filter((id) => connectedAccounts.get(id)?.sharing === "SHARED").length > 1) {
      const limit = isTooMany ? `At most ${most} account(s)` : "At most one SHARED account";
      const message = `${limit} of toolkit '${toolkit}' can be pinned in this session`;
      const fix = isTooMany ? "Set multi_account.enable and max_accounts_per_toolkit" : undefined;
      throw sessionError(4312, "TooManyConnectedAccounts", message, fix);
    }
  }
}

/** Whether the configuration enables specific toolkits or tools, rather than only disabling some. */
function hasPositiveChoice({ toolkits, tools }: ToolRouterConfig): boolean {
  return Boolean(toolkits?.enabled) || Object.values(tools ?? {}).some(({ enabled }) => enabled);
}
