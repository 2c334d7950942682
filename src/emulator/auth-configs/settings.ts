import type { UpdateAuthConfigBody } from "../../resources/auth-configs/schema.js";
import { logoOf } from "../catalog/catalog.js";
import type { ToolkitDefinition } from "../catalog/definitions.js";
import type { StoredAuthConfig } from "../engine/account-records.js";
import { OWNER_EMAIL } from "../projects/organization.js";

/** The settings of an auth config after an update; omitted ones don't change. */
export function updatedSettings(config: StoredAuthConfig, body: UpdateAuthConfigBody) {
  const { name = config.name } = body;
  const settings = { ...sharedSettings(config, body), name };
  if (body.type === "custom") {
    const { proxy_config = config.proxy_config } = body;
    return { ...settings, proxy_config, credentials: { ...config.credentials, ...body.credentials } };
  }
  const { scopes, user_scopes } = body;
  const given = { ...(scopes !== undefined && { scopes }), ...(user_scopes !== undefined && { user_scopes }) };
  return { ...settings, credentials: { ...config.credentials, ...given } };
}

export type SharedSettings = Pick<
  UpdateAuthConfigBody,
  "restrict_to_following_tools" | "tool_access_config" | "shared_credentials" | "is_enabled_for_tool_router"
>;

/** The settings that creation and update share, after a request; omitted ones don't change. */
export function sharedSettings(config: StoredAuthConfig, settings: SharedSettings) {
  const { restrict_to_following_tools: allowed, tool_access_config: access } = settings;
  const { tools_for_connected_account_creation: creating, tools_available_for_execution: executing } = access ?? {};
  return {
    restrict_to_following_tools: allowed ? [...allowed] : config.restrict_to_following_tools,
    tool_access_config: {
      ...config.tool_access_config,
      ...(creating && { tools_for_connected_account_creation: [...creating] }),
      ...(executing && { tools_available_for_execution: [...executing] }),
    },
    shared_credentials: settings.shared_credentials ?? config.shared_credentials,
    is_enabled_for_tool_router: settings.is_enabled_for_tool_router ?? config.is_enabled_for_tool_router,
  };
}

/** The individual fields of a new auth config. Without a name, it has its toolkit's. */
interface AuthConfigIdentity extends Record<"id" | "uuid" | "now", string> {
  readonly isCustom: boolean;
  readonly name: string | undefined;
}

/** An auth config with the spec's defaults. `now` is ISO 8601. */
export function newAuthConfig(
  toolkit: ToolkitDefinition,
  scheme: string,
  { id, uuid, isCustom, name, now }: AuthConfigIdentity,
): StoredAuthConfig {
  const accountFields = toolkit.auth.find((auth) => auth.scheme === scheme)?.accountFields ?? [];
  return {
    id,
    uuid,
    type: isCustom ? "custom" : "default",
    toolkit: { slug: toolkit.slug, logo: logoOf(toolkit.slug), auth_guide_url: null, auth_hint_url: null },
    name: name ?? toolkit.name,
    auth_scheme: scheme,
    is_svc_managed: !isCustom,
    credentials: {},
    proxy_config: null,
    status: "ENABLED",
    created_by: OWNER_EMAIL,
    created_at: now,
    last_updated_at: now,
    expected_input_fields: accountFields.map((field) => ({ ...field })),
    restrict_to_following_tools: [],
    tool_access_config: { tools_for_connected_account_creation: [], tools_available_for_execution: [] },
    shared_credentials: undefined,
    is_enabled_for_tool_router: true,
    isDeleted: false,
  };
}
