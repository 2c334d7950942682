import type { CredentialKind } from "../../core/credentials.js";
import type { JsonObject } from "../catalog/definitions.js";

/** A key that the emulator knows. */
export interface KeySeed {
  /** Which header or cookie carries it. */
  readonly kind: CredentialKind;
  /** What the client sends. */
  readonly value: string;
  /** `revoked` and `expired` keys are answered with 401. */
  readonly state?: "active" | "revoked" | "expired";
  /** Operations it may not call, by name or resource: `tools.execute`, `authConfigs`. Answered with 403. */
  readonly denied?: readonly string[];
}

/** An auth config that exists from the start. */
export interface AuthConfigSeed {
  /** Starts with `ac_`. */
  readonly id: string;
  /** Slug of its toolkit. */
  readonly toolkit: string;
  /** Managed by the service when left out. */
  readonly type?: "default" | "custom";
  /** The toolkit's first scheme when left out. */
  readonly scheme?: string;
  readonly name?: string;
  /** None when left out. */
  readonly credentials?: JsonObject;
  /** `ENABLED` when left out. */
  readonly status?: "ENABLED" | "DISABLED";
}

/** A connected account that exists from the start. */
export interface ConnectedAccountSeed {
  /** Starts with `ca_`. */
  readonly id: string;
  /** The end user it belongs to. */
  readonly userId: string;
  /** The auth config it belongs to. */
  readonly authConfigId: string;
  /** `ACTIVE` when left out. */
  readonly status?: "ACTIVE" | "EXPIRED" | "INACTIVE" | "FAILED" | "INITIATED" | "INITIALIZING" | "REVOKED";
}

/** What an emulator holds when it starts. Plain data, so that it can come from a JSON file. */
export interface EmulatorSeed {
  /** None when left out: then nothing can be called. */
  readonly keys?: readonly KeySeed[];
  /** They come before the accounts that use them. */
  readonly authConfigs?: readonly AuthConfigSeed[];
  /** Each belongs to one of `authConfigs`. */
  readonly connectedAccounts?: readonly ConnectedAccountSeed[];
  /** Ids of legacy connectors. */
  readonly integrations?: readonly string[];
}

/** Keys of each kind, and users in the states a program meets. */
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

/** The keys to use with an emulator: options of a client. */
export interface Keys {
  /** Of a project. Undefined where the seed has none. */
  readonly apiKey: string | undefined;
  /** Of a user. Undefined where the seed has none. */
  readonly userApiKey: string | undefined;
  /** Of an organization. Undefined where the seed has none. */
  readonly orgApiKey: string | undefined;
}

/** The first active key of each kind. */
export function activeKeys({ keys = [] }: EmulatorSeed): Keys {
  const first = (kind: CredentialKind) =>
    keys.find((key) => key.kind === kind && (key.state ?? "active") === "active")?.value;
  return { apiKey: first("apiKey"), userApiKey: first("userApiKey"), orgApiKey: first("orgApiKey") };
}
