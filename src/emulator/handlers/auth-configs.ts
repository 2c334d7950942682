import type { ProxyConfig } from "../../resources/auth-configs/request-schema.js";
import type {
  AuthConfig,
  CreateAuthConfigBody,
  ListAuthConfigsQuery,
  ToolAccessConfig,
  UpdateAuthConfigBody,
} from "../../resources/auth-configs/schema.js";
import { checkValues } from "../accounts/check-values.js";
import { REASONS } from "../accounts/stored-account.js";
import { followAuthConfig, revoke } from "../accounts/transitions.js";
import type { Catalogue } from "../catalogue.js";
import type { HandlersOf } from "../context.js";
import type { ToolkitDefinition } from "../definitions.js";
import { newAuthConfig } from "../new-auth-config.js";
import { paginate } from "../page.js";
import { maskSecret, maskSecrets, redactCredentials } from "../redaction.js";
import { checkId, invalidRequest, notFound, Refusal } from "../refusal.js";
import type { State } from "../state.js";
import type { StoredAuthConfig } from "../stored-auth-config.js";
import { toolkitUuid } from "./toolkits.js";

export const authConfigs: HandlersOf<"authConfigs"> = {
  "authConfigs.create": ({ body, state, catalogue, ids, clock }) => {
    const toolkit = catalogue.toolkits.get(body.toolkit.slug);
    if (!toolkit) throw notFound("Toolkit", `Toolkit ${body.toolkit.slug}`, 2301);
    const input = body.auth_config ?? { type: "use_svc_managed_auth" as const };
    const scheme = schemeOf(toolkit, input);
    checkValues(scheme, input.shared_credentials ?? {}, "body.auth_config.shared_credentials");
    const scopes = scopesOfTools(input.tool_access_config, scheme, toolkit, catalogue);
    const config = newAuthConfig(toolkit, scheme, {
      id: ids.next("ac_"),
      uuid: ids.uuid(),
      isCustom: input.type === "use_custom_auth",
      name: input.name,
      now: clock.iso(),
    });
    config.credentials = { ...input.credentials };
    if (input.type === "use_custom_auth") config.proxy_config = input.proxy_config ?? null;
    applyShared(config, input);
    if (scopes) config.credentials = { ...config.credentials, scopes };
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

  "authConfigs.list": ({ query, state, catalogue }) => {
    const matching = [...state.authConfigs.values()].filter(
      (config) => !config.isDeleted && matches(config, query, catalogue),
    );
    return paginate(
      matching.map((config) => shown(config, state)),
      query,
    );
  },

  "authConfigs.get": ({ params, state }) => shown(find(state, params.nanoid), state),

  "authConfigs.update": ({ params, body, state, clock, catalogue }) => {
    const config = find(state, params.nanoid);
    if (body.type !== config.type) {
      throw invalidRequest([`body.type: this auth config is ${config.type}, not ${body.type}`]);
    }
    checkValues(config.auth_scheme, body.shared_credentials ?? {}, "body.shared_credentials");
    const toolkit = catalogue.toolkits.get(config.toolkit.slug);
    const scopes = toolkit && scopesOfTools(body.tool_access_config, config.auth_scheme, toolkit, catalogue);
    applyUpdate(config, body);
    if (scopes) config.credentials = { ...config.credentials, scopes };
    config.last_updated_at = clock.iso();
    return {};
  },

  "authConfigs.delete": ({ params, query, ...world }) => {
    const { state, ids } = world;
    const config = find(state, params.nanoid);
    config.isDeleted = true;
    if (query.revoke_on_delete !== true) return {};
    for (const account of state.connectedAccounts.values()) {
      // Every one, whatever the revoke endpoint would say to it. See assumption E24.
      if (account.authConfigId === config.id && account.status !== "REVOKED") {
        revoke(account, REASONS.revokedOnDelete, world);
      }
    }
    return { revoke_job_id: ids.uuid() };
  },

  "authConfigs.setStatus": ({ params, ...world }) => {
    const { state, clock } = world;
    const { status } = params;
    if (status !== "ENABLED" && status !== "DISABLED")
      throw invalidRequest(["params.status: expected ENABLED or DISABLED"]);
    const config = find(state, params.nanoid);
    config.status = status;
    config.last_updated_at = clock.iso();
    followAuthConfig(config.id, status === "ENABLED", world);
    return {};
  },
};

function matches(config: StoredAuthConfig, query: ListAuthConfigsQuery, catalogue: Catalogue): boolean {
  const { toolkit_slug: slugs, deprecated_app_id: appId, deprecated_status: status, is_svc_managed: isManaged } = query;
  const toolkit = catalogue.toolkits.get(config.toolkit.slug);
  const search = query.search?.toLowerCase();
  return (
    // The old status filter asks for disabled ones by name. See assumption E6.
    (status === undefined ? query.show_disabled === true || config.status === "ENABLED" : config.status === status) &&
    (isManaged === undefined || String(isManaged) === String(config.is_svc_managed)) &&
    (slugs === undefined || slugs.split(",").includes(config.toolkit.slug)) &&
    (appId === undefined || (toolkit !== undefined && toolkitUuid(toolkit) === appId)) &&
    (search === undefined || config.name.toLowerCase().includes(search) || config.id.toLowerCase().includes(search))
  );
}

function find(state: State, id: string): StoredAuthConfig {
  checkId(id, "ac_", "nanoid");
  const config = state.authConfigs.get(id);
  if (!config || config.isDeleted) throw notFound("AuthConfig", `Auth config ${id}`, 301);
  return config;
}

function schemeOf(toolkit: ToolkitDefinition, input: NonNullable<CreateAuthConfigBody["auth_config"]>): string {
  if (input.type === "use_svc_managed_auth") {
    const managed = toolkit.auth.find(({ isManaged }) => isManaged);
    if (managed) return managed.scheme;
    throw badRequest(
      `The service has no managed credentials for toolkit ${toolkit.slug}`,
      "Create it with type use_custom_auth",
    );
  }
  const schemes = toolkit.auth.map(({ scheme }) => scheme);
  // A bearer token is accepted as an extra scheme wherever OAuth2 is.
  const accepted = schemes.includes("OAUTH2") ? [...schemes, "BEARER_TOKEN"] : schemes;
  if (accepted.includes(input.authScheme)) return input.authScheme;
  const fix = accepted.length > 0 ? `Use ${accepted.join(" or ")}` : "Its tools need no account";
  throw badRequest(`Toolkit ${toolkit.slug} does not support ${input.authScheme}`, fix);
}

function badRequest(message: string, suggestedFix: string): Refusal {
  return new Refusal({ status: 400, code: 300, slug: "AuthConfig_BadRequest", message, suggestedFix });
}

/**
 * The scopes of the tools that a request names for connection creation; `undefined` where they decide nothing: OAuth only.
 * Spec: Endpoints > Auth configs.
 *
 * @throws {Refusal} 400 for a tool that the toolkit does not have: its scopes are unknown. See assumption E94.
 */
function scopesOfTools(
  access: ToolAccessConfig | undefined,
  scheme: string,
  toolkit: ToolkitDefinition,
  catalogue: Catalogue,
): string[] | undefined {
  const named = access?.tools_for_connected_account_creation ?? [];
  const tools = new Map(catalogue.toolsOf(toolkit, "latest").map((one) => [one.tool.slug, one]));
  const strangers = named.filter((slug) => !tools.has(slug));
  if (strangers.length > 0) {
    const message = `Toolkit ${toolkit.slug} has no tool ${strangers.join(", ")}`;
    throw badRequest(message, "Name tools of this toolkit in tools_for_connected_account_creation");
  }
  if (named.length === 0 || !scheme.includes("OAUTH")) return undefined;
  return [...new Set(named.flatMap((slug) => tools.get(slug)?.facts.scopes ?? []))];
}

function applyUpdate(config: StoredAuthConfig, body: UpdateAuthConfigBody): void {
  if (body.name !== undefined) config.name = body.name;
  applyShared(config, body);
  if (body.type === "custom") {
    config.credentials = { ...config.credentials, ...body.credentials };
    if (body.proxy_config !== undefined) config.proxy_config = body.proxy_config;
  } else {
    if (body.scopes !== undefined) config.credentials = { ...config.credentials, scopes: body.scopes };
    if (body.user_scopes !== undefined) config.credentials = { ...config.credentials, user_scopes: body.user_scopes };
  }
}

type SharedSettings = Pick<
  UpdateAuthConfigBody,
  "restrict_to_following_tools" | "tool_access_config" | "shared_credentials" | "is_enabled_for_tool_router"
>;

/** What creation and change have in common: the given fields, the others stay. */
function applyShared(config: StoredAuthConfig, settings: SharedSettings): void {
  if (settings.restrict_to_following_tools) config.restrict_to_following_tools = settings.restrict_to_following_tools;
  config.tool_access_config = { ...config.tool_access_config, ...settings.tool_access_config };
  if (settings.shared_credentials) config.shared_credentials = settings.shared_credentials;
  if (settings.is_enabled_for_tool_router !== undefined) {
    config.is_enabled_for_tool_router = settings.is_enabled_for_tool_router;
  }
}

function shown({ isDeleted: _, ...config }: StoredAuthConfig, state: State): AuthConfig {
  const accounts = [...state.connectedAccounts.values()];
  const { credentials, shared_credentials, proxy_config: proxy, ...rest } = structuredClone(config);
  return {
    ...rest,
    credentials: redactCredentials(credentials, config.is_svc_managed),
    proxy_config: proxy && withMaskedKey(proxy),
    ...(shared_credentials && { shared_credentials: maskSecrets(shared_credentials) }),
    no_of_connections: accounts.filter(({ authConfigId, status }) => authConfigId === config.id && status === "ACTIVE")
      .length,
  };
}

function withMaskedKey({ proxy_auth_key: key, ...proxy }: ProxyConfig): ProxyConfig {
  return { ...proxy, ...(key !== undefined && { proxy_auth_key: maskSecret(key) }) };
}
