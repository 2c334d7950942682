import type { CredentialKind } from "../../core/endpoint.js";
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
export function activeKeys({ keys = [] }: EmulatorSeed): Keys {
  const first = (kind: CredentialKind) =>
    keys.find((key) => key.kind === kind && (key.state ?? "active") === "active")?.value;
  return { apiKey: first("apiKey"), userApiKey: first("userApiKey"), orgApiKey: first("orgApiKey") };
}
