import type {
  CreateToolRouterSessionBody,
  SessionTags,
  ToolRouterConfig,
  UpdateToolRouterSessionBody,
} from "../../resources/tool-router/schema.js";

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
  else if (body.connected_accounts) config.connected_accounts = lists(body.connected_accounts);
  if (body.manage_connections !== undefined) config.manage_connections = connections(body.manage_connections ?? {});
  if (body.workbench !== undefined) config.workbench = workbench(body.workbench ?? {});
  if (body.multi_account !== undefined) config.multi_account = multiAccount(body.multi_account ?? {});
  if (body.experimental === null) delete config.experimental;
  else if (body.experimental) config.experimental = withoutDefinitions(body.experimental);
  return config;
}

interface Lists {
  readonly enable?: string[] | undefined;
  readonly disable?: string[] | undefined;
}

/** The answer says `enabled` where the request says `enable`. */
function onOff({ enable, disable }: Lists): { enabled?: string[]; disabled?: string[] } {
  return { ...(enable && { enabled: enable }), ...(disable && { disabled: disable }) };
}

function storedTags(tags: SessionTags) {
  return Array.isArray(tags) ? { enabled: tags } : onOff(tags);
}

/** One text instead of a list is the form of v3. */
function lists(accounts: Readonly<Record<string, string[] | string>>): Record<string, string[]> {
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
