import type { CredentialKind } from "../../core/endpoint.js";
import type { AuthConfig } from "../../resources/auth-configs/schema.js";
import type { SharedConnectionAcl } from "../../resources/connected-accounts/schema.js";
import type { JsonObject } from "../catalog/definitions.js";

/** A key the emulator accepts. */
export interface KeySeed {
  /** Kind of credential, which decides its header or cookie. */
  readonly kind: CredentialKind;
  /** The key itself. */
  readonly value: string;
  /**
   * `revoked` and `expired` keys return 401.
   * @default "active"
   */
  readonly state?: "active" | "revoked" | "expired";
  /** Operations or resources the key may not use, such as `tools.execute` or `authConfigs`. They return 403. */
  readonly denied?: readonly string[];
}

/** An initial auth config. */
export interface AuthConfigSeed {
  /** Starts with `ac_`. */
  readonly id: string;
  /** Slug of its toolkit. */
  readonly toolkit: string;
  /** @default "default", managed by the service */
  readonly type?: "default" | "custom";
  /** @default the toolkit's first scheme */
  readonly scheme?: string;
  readonly name?: string;
  /** @default none */
  readonly credentials?: JsonObject;
  /** @default "ENABLED" */
  readonly status?: "ENABLED" | "DISABLED";
}

/** An initial connected account. */
export interface ConnectedAccountSeed {
  /** Starts with `ca_`. */
  readonly id: string;
  /** The end user it belongs to. */
  readonly userId: string;
  /** The auth config it belongs to. */
  readonly authConfigId: string;
  /** @default "ACTIVE" */
  readonly status?: "ACTIVE" | "EXPIRED" | "INACTIVE" | "FAILED" | "INITIATED" | "INITIALIZING" | "REVOKED";
}

/** Initial data of an emulator. Plain data, so it can come from a JSON file. */
export interface EmulatorSeed {
  /** API keys. Without any, every authenticated call fails. */
  readonly keys?: readonly KeySeed[];
  /** Auth configs. */
  readonly authConfigs?: readonly AuthConfigSeed[];
  /** Connected accounts. Each belongs to one of `authConfigs`. */
  readonly connectedAccounts?: readonly ConnectedAccountSeed[];
  /** Ids of legacy connectors. */
  readonly integrations?: readonly string[];
}

/** The default seed: a key of each kind, and users with active, expired, and inactive accounts. */
export const demoSeed: EmulatorSeed = {
  keys: [
    { kind: "apiKey", value: "ak_emulator" },
    { kind: "userApiKey", value: "uak_emulator" },
    { kind: "orgApiKey", value: "oak_emulator" },
    { kind: "sessionCookie", value: "cookie_emulator" },
    { kind: "apiKey", value: "ak_revoked", state: "revoked" },
    { kind: "apiKey", value: "ak_expired", state: "expired" },
    {
      kind: "apiKey",
      value: "ak_readonly",
      denied: [
        "tools.execute",
        "tools.proxy",
        "authConfigs.create",
        "authConfigs.update",
        "authConfigs.delete",
        "authConfigs.setStatus",
      ],
    },
  ],
  authConfigs: [
    { id: "ac_github_demo", toolkit: "github", name: "GitHub" },
    { id: "ac_slack_demo", toolkit: "slack", name: "Slack" },
    { id: "ac_weather_demo", toolkit: "weathermap", type: "custom", name: "Weather" },
  ],
  connectedAccounts: [
    { id: "ca_github_demo", userId: "user-4711", authConfigId: "ac_github_demo" },
    { id: "ca_slack_demo", userId: "user-4711", authConfigId: "ac_slack_demo" },
    { id: "ca_weather_demo", userId: "user-4711", authConfigId: "ac_weather_demo" },
    { id: "ca_github_expired", userId: "user-expired", authConfigId: "ac_github_demo", status: "EXPIRED" },
    { id: "ca_github_inactive", userId: "user-inactive", authConfigId: "ac_github_demo", status: "INACTIVE" },
  ],
  integrations: ["integration-demo"],
};

/** Keys of an emulator, as client options. */
export interface Keys {
  /** Project API key. Undefined if the seed has none. */
  readonly apiKey: string | undefined;
  /** User API key. Undefined if the seed has none. */
  readonly userApiKey: string | undefined;
  /** Organization API key. Undefined if the seed has none. */
  readonly orgApiKey: string | undefined;
}

/** The first active key of each kind. */
export function activeKeys(keys: ReadonlyMap<string, KeySeed>): Keys {
  const first = (kind: CredentialKind) =>
    [...keys.values()].find((key) => key.kind === kind && (key.state ?? "active") === "active")?.value;
  return { apiKey: first("apiKey"), userApiKey: first("userApiKey"), orgApiKey: first("orgApiKey") };
}

/** A legacy connector. */
export interface StoredIntegration {
  id: string;
  authConfig: JsonObject;
  enabled: boolean;
}

/** An auth config, including fields that responses don't show. */
export interface StoredAuthConfig extends Omit<AuthConfig, "credentials" | "shared_credentials" | "no_of_connections"> {
  /** In plain text; responses redact it. */
  credentials: JsonObject;
  /** In plain text; responses redact it. */
  shared_credentials: JsonObject | undefined;
  auth_scheme: string;
  is_svc_managed: boolean;
  isDeleted: boolean;
}

/** Status of a connected account. */
export type AccountStatus = NonNullable<ConnectedAccountSeed["status"]>;

/** Every status of a connected account. */
export const ACCOUNT_STATUSES = [
  "ACTIVE",
  "EXPIRED",
  "INACTIVE",
  "FAILED",
  "INITIATED",
  "INITIALIZING",
  "REVOKED",
] as const satisfies readonly AccountStatus[];

/** A hosted flow in which a user connects an account. */
export interface ConnectionFlow {
  /** Last part of the link page's URL. */
  token: string;
  /** URL of the link page. */
  url: string;
  callbackUrl: string | null;
  /** When it times out, in milliseconds since 1970. */
  endsAt: number;
  /** Completed, failed or timed out. */
  isOver: boolean;
  /** URI passed to the callback verifier; null until the page is completed, or if the project has no verifier. */
  sessionUri: string | null;
}

/** A connected account, including fields that responses don't show. */
export interface StoredAccount {
  id: string;
  /** Legacy id, used by V1 and V2 events. */
  uuid: string;
  userId: string;
  toolkit: string;
  authConfigId: string;
  scheme: string;
  alias: string | null;
  status: AccountStatus;
  statusReason: string | null;
  createdAt: string;
  updatedAt: string;
  /** Credentials and instance settings. In plain text; responses mask secrets. */
  values: JsonObject;
  /** Values the current status adds: `error`, `expired_at`, `revoked_at`. */
  outcome: JsonObject;
  /** Values it was created with. In plain text; responses mask secrets. */
  params: JsonObject;
  sharing: "PRIVATE" | "SHARED";
  /** Who may use a shared account. */
  acl: SharedConnectionAcl;
  flow: ConnectionFlow | null;
  /** Tokens of earlier flows, oldest first. Their pages return 410. */
  pastTokens: string[];
  /** When a token that can't be refreshed expires, in milliseconds since 1970; null if the service refreshes it. */
  tokenExpiresAt: number | null;
}

/** A trigger instance, including fields that responses don't show. */
export interface StoredTrigger {
  id: string;
  /** Legacy id, used by V1 and V2 events. */
  uuid: string;
  /** Slug of its type. */
  name: string;
  toolkit: string;
  accountId: string;
  userId: string;
  config: JsonObject;
  /** The toolkit version it's bound to. */
  version: string;
  createdAt: string;
  updatedAt: string;
  /** Null while it's enabled. */
  disabledAt: string | null;
  /** Why the service disabled it; null if the caller did. */
  disabledReason: string | null;
}
