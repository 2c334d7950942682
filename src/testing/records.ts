import type { ConnectedAccountDetail, Tool, TriggerInstance } from "../index.js";

const NOW = "2026-01-04T10:11:12.000Z";

/** An ACTIVE GitHub account of `user-4711`, like `connectedAccounts.get` returns. `overrides` replaces whole fields. */
export function connectedAccountRecord(overrides: Partial<ConnectedAccountDetail> = {}): ConnectedAccountDetail {
  return {
    id: "ca_5TgBn9YhUj2M",
    toolkit: { slug: "github" },
    auth_config: { id: "ac_1QaZ2WsX3EdC", auth_scheme: "OAUTH2", is_svc_managed: true, is_disabled: false },
    word_id: "github_blue-otter",
    alias: null,
    user_id: "user-4711",
    status: "ACTIVE",
    status_reason: null,
    is_disabled: false,
    created_at: NOW,
    updated_at: NOW,
    state: { authScheme: "OAUTH2", val: { status: "ACTIVE", access_token: "gho_...", token_type: "bearer" } },
    data: {},
    params: {},
    ...overrides,
  };
}

/** An enabled trigger instance for commits, as `triggers.listActive` returns it. `overrides` replaces whole fields. */
export function triggerInstanceRecord(overrides: Partial<TriggerInstance> = {}): TriggerInstance {
  const record: Omit<TriggerInstance, keyof OldNames> = {
    id: "ti_8KdRw2PqLx0Z",
    uuid: "d2a7c9b4-1f38-4e21-8a66-5c0e3b7f9d42",
    connected_account_id: "ca_5TgBn9YhUj2M",
    connected_account_uuid: "0b6f1f0e-6a53-4c0b-9c1e-7f6d2a4e9b10",
    user_id: "user-4711",
    trigger_name: "GITHUB_COMMIT_EVENT",
    trigger_config: { owner: "octo-org", repo: "hello-world" },
    version: "20251023_00",
    updated_at: NOW,
    disabled_at: null,
    state: {},
    ...overrides,
  };
  const oldNames: OldNames = {
    connectedAccountId: record.connected_account_id,
    triggerName: record.trigger_name,
    triggerConfig: record.trigger_config,
    updatedAt: record.updated_at,
    disabledAt: record.disabled_at,
  };
  return { ...record, ...oldNames, ...overrides };
}

/** Fields that repeat another field under an old name. */
type OldNames = Pick<
  TriggerInstance,
  "connectedAccountId" | "triggerName" | "triggerConfig" | "updatedAt" | "disabledAt"
>;

/** A GitHub tool in one version, as `tools.get` returns it. `overrides` replaces whole fields. */
export function toolRecord(overrides: Partial<Tool> = {}): Tool {
  const record: Omit<Tool, "deprecated"> = {
    slug: "GITHUB_CREATE_AN_ISSUE",
    name: "Create an issue",
    description: "Opens an issue in a repository.",
    toolkit: { slug: "github", name: "GitHub", logo: "https://logos.example.com/github.svg" },
    input_parameters: {
      type: "object",
      properties: { owner: { type: "string" }, repo: { type: "string" }, title: { type: "string" } },
      required: ["owner", "repo", "title"],
    },
    output_parameters: { type: "object", properties: { number: { type: "integer" } } },
    no_auth: false,
    available_versions: ["20251023_00", "20250909_00"],
    version: "20251023_00",
    scopes: ["repo"],
    scope_requirements: null,
    tags: ["openWorldHint"],
    is_deprecated: false,
    ...overrides,
  };
  const { name, version, available_versions, is_deprecated, toolkit } = record;
  const deprecated = { displayName: name, version, available_versions, is_deprecated, toolkit: { logo: toolkit.logo } };
  return { ...record, deprecated, ...overrides };
}
