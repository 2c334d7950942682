// The room of auth configs: what a project uses to sign in to a toolkit, and the older API of integrations, which shows
// the same records. It imports `catalog`, `connected-accounts`, `engine`, `projects`, `toolkits` and `src/resources`.
// Start here, then `settings.ts`.

import type { ListAuthConfigsQuery } from "../../resources/auth-configs/schema.js";
import { type ServedCatalog, toolkitUuid } from "../catalog/catalog.js";
import { authConfigNotFound, checkValues } from "../connected-accounts/rules.js";
import { followAuthConfig, REASONS, revokeAccount } from "../connected-accounts/transitions.js";
import type { StoredAuthConfig } from "../engine/account-records.js";
import type { HandlersOf } from "../engine/engine.js";
import { paginate } from "../engine/pages.js";
import { checkId, invalidRequest, notFound } from "../engine/responses.js";
import type { State } from "../engine/state.js";
import { findToolkit } from "../toolkits/find-tool.js";
import { schemeOf, scopesOfTools } from "./rules.js";
import { newAuthConfig, sharedSettings, updatedSettings } from "./settings.js";
import { shownAuthConfig } from "./show.js";

export const authConfigs: HandlersOf<"authConfigs"> = {
  "authConfigs.create": ({ body, state, catalog, ids, clock }) => {
    const toolkit = findToolkit(catalog, body.toolkit.slug);
    const input = body.auth_config ?? { type: "use_svc_managed_auth" as const };
    const scheme = schemeOf(toolkit, input);
    checkValues(scheme, input.shared_credentials ?? {}, "body.auth_config.shared_credentials");
    const scopes = scopesOfTools(input.tool_access_config, scheme, toolkit, catalog);
    const initial = newAuthConfig(toolkit, scheme, {
      id: ids.next("ac_"),
      uuid: ids.uuid(),
      isCustom: input.type === "use_custom_auth",
      name: input.name,
      now: clock.iso(),
    });
    const config = {
      ...initial,
      ...sharedSettings(initial, input),
      ...(input.type === "use_custom_auth" && { proxy_config: input.proxy_config ?? null }),
      credentials: { ...input.credentials, ...(scopes && { scopes }) },
    };
    state.authConfigs.set(config.id, config);
    return {
      toolkit: { slug: toolkit.slug },
      auth_config: {
        id: config.id,
        auth_scheme: scheme,
        is_svc_managed: config.is_svc_managed,
        restrict_to_following_tools: config.restrict_to_following_tools ?? [],
      },
    };
  },

  "authConfigs.list": ({ query, state, catalog }) => {
    const matching = [...state.authConfigs.values()].filter(
      (config) => !config.isDeleted && matchesQuery(config, query, catalog),
    );
    return paginate(
      matching.map((config) => shownAuthConfig(config, state)),
      query,
    );
  },

  "authConfigs.get": ({ params, state }) => shownAuthConfig(findAuthConfig(state, params.nanoid), state),

  "authConfigs.update": ({ params, body, state, clock, catalog }) => {
    const config = findAuthConfig(state, params.nanoid);
    if (body.type !== config.type) {
      throw invalidRequest([`body.type: this auth config is ${config.type}, not ${body.type}`]);
    }
    checkValues(config.auth_scheme, body.shared_credentials ?? {}, "body.shared_credentials");
    const toolkit = catalog.toolkits.get(config.toolkit.slug);
    const scopes = toolkit && scopesOfTools(body.tool_access_config, config.auth_scheme, toolkit, catalog);
    const { credentials, ...settings } = updatedSettings(config, body);
    state.authConfigs.update(config.id, {
      ...settings,
      credentials: { ...credentials, ...(scopes && { scopes }) },
      last_updated_at: clock.iso(),
    });
    return {};
  },

  "authConfigs.delete": ({ params, query, ...engine }) => {
    const { state, ids } = engine;
    const config = findAuthConfig(state, params.nanoid);
    state.authConfigs.update(config.id, { isDeleted: true });
    if (query.revoke_on_delete !== true) return {};
    for (const account of state.connectedAccounts.values()) {
      // All of them, even those the revoke endpoint would reject. Assumption E24.
      if (account.authConfigId === config.id && account.status !== "REVOKED") {
        revokeAccount(account, REASONS.revokedOnDelete, engine);
      }
    }
    return { revoke_job_id: ids.uuid() };
  },

  "authConfigs.setStatus": ({ params, ...engine }) => {
    const { state, clock } = engine;
    const { status } = params;
    if (status !== "ENABLED" && status !== "DISABLED")
      throw invalidRequest(["params.status: expected ENABLED or DISABLED"]);
    const { id } = findAuthConfig(state, params.nanoid);
    state.authConfigs.update(id, { status, last_updated_at: clock.iso() });
    followAuthConfig(id, status === "ENABLED", engine);
    return {};
  },
};

function matchesQuery(config: StoredAuthConfig, query: ListAuthConfigsQuery, catalog: ServedCatalog): boolean {
  const { toolkit_slug: slugs, deprecated_app_id: appId, deprecated_status: status, is_svc_managed: isManaged } = query;
  const toolkit = catalog.toolkits.get(config.toolkit.slug);
  const search = query.search?.toLowerCase();
  return (
    // The deprecated status filter can select disabled ones. Assumption E6.
    (status === undefined ? query.show_disabled === true || config.status === "ENABLED" : config.status === status) &&
    (isManaged === undefined || String(isManaged) === String(config.is_svc_managed)) &&
    (slugs === undefined || slugs.split(",").includes(config.toolkit.slug)) &&
    (appId === undefined || (toolkit !== undefined && toolkitUuid(toolkit) === appId)) &&
    (search === undefined || config.name.toLowerCase().includes(search) || config.id.toLowerCase().includes(search))
  );
}

function findAuthConfig(state: State, id: string): StoredAuthConfig {
  checkId(id, "ac_", "nanoid");
  const config = state.authConfigs.get(id);
  if (!config || config.isDeleted) throw authConfigNotFound(id);
  return config;
}

export const integrations: HandlersOf<"integrations"> = {
  "integrations.update": ({ params, body, state }) => {
    const integration = state.integrations.get(params.integrationId);
    if (!integration) throw notFound("Integration", `Integration ${params.integrationId}`, 10404);
    const { authConfig = integration.authConfig, enabled = integration.enabled } = body;
    state.integrations.update(integration.id, { authConfig, enabled });
    return { status: "success" };
  },
};
