import type { ToolkitDefinition } from "./definitions.js";
import type { StoredAuthConfig } from "./stored-auth-config.js";

/** What tells a fresh auth config from the next. */
export interface AuthConfigIdentity {
  readonly id: string;
  readonly uuid: string;
  readonly isCustom: boolean;
  /** The toolkit's when left out. */
  readonly name: string | undefined;
  /** ISO 8601. */
  readonly now: string;
}

/** An auth config with the spec's defaults. */
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
    created_by: "developer@example.com",
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

/** Where an emulated toolkit's logo would be. */
export function logoOf(toolkit: string): string {
  return `https://logos.example.com/${toolkit}.svg`;
}
