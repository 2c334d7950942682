import type { CredentialKind } from "../../core/endpoint.js";
import type { EmulatorSeed, KeySeed } from "./schema.js";

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
export interface EmulatorKeys {
  /** Project API key. Undefined if the seed has none. */
  readonly apiKey: string | undefined;
  /** User API key. Undefined if the seed has none. */
  readonly userApiKey: string | undefined;
  /** Organization API key. Undefined if the seed has none. */
  readonly orgApiKey: string | undefined;
}

/** The first active key of each kind. */
export function activeKeys(keys: ReadonlyMap<string, KeySeed>): EmulatorKeys {
  const first = (kind: CredentialKind) =>
    [...keys.values()].find((key) => key.kind === kind && (key.state ?? "active") === "active")?.value;
  return { apiKey: first("apiKey"), userApiKey: first("userApiKey"), orgApiKey: first("orgApiKey") };
}
