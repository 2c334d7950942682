import * as z from "zod/mini";
import { CREDENTIAL_KINDS, type CredentialKind } from "../../core/endpoint.js";
import { JsonObject, list, request } from "../../resources/schema-kit.js";
import { ACCOUNT_STATUSES, type AccountStatus } from "./account-records.js";

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
  readonly state?: "active" | "revoked" | "expired" | undefined;
  /** Operations or resources the key may not use, such as `tools.execute` or `authConfigs`. They return 403. */
  readonly denied?: readonly string[] | undefined;
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
  readonly credentials?: Readonly<Record<string, unknown>>;
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
  readonly status?: AccountStatus;
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

const optionalList = <Schema extends z.ZodMiniType>(item: Schema) => z.optional(list(item));

const nonEmpty = z.string().check(z.minLength(1));

/** Schema of a {@link KeySeed}. */
export const KeyShape = request({
  kind: z.enum(CREDENTIAL_KINDS),
  value: nonEmpty,
  state: z.optional(z.enum(["active", "revoked", "expired"])),
  denied: optionalList(nonEmpty),
});

/** Schema of an {@link EmulatorSeed}. */
export const SeedShape = request({
  keys: optionalList(KeyShape),
  authConfigs: optionalList(
    request({
      id: nonEmpty,
      toolkit: nonEmpty,
      type: z.optional(z.enum(["default", "custom"])),
      scheme: z.optional(nonEmpty),
      name: z.optional(nonEmpty),
      credentials: z.optional(JsonObject),
      status: z.optional(z.enum(["ENABLED", "DISABLED"])),
    }),
  ),
  connectedAccounts: optionalList(
    request({
      id: nonEmpty,
      userId: nonEmpty,
      authConfigId: nonEmpty,
      status: z.optional(z.enum(ACCOUNT_STATUSES)),
    }),
  ),
  integrations: optionalList(nonEmpty),
});

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
