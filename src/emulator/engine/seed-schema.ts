import * as z from "zod/mini";
import { CONNECTION_STATUSES } from "../../resources/connected-accounts/state-fields-schema.js";
import { JsonObject, list, request } from "../../resources/schema-kit.js";
import { AUTH_CONFIG_STATUSES, AUTH_CONFIG_TYPES } from "../../resources/shared.js";
import { CREDENTIAL_KINDS } from "../../shared/credentials.js";

const nonEmpty = z.string().check(z.minLength(1));

/** A key the emulator accepts. */
export const KeySeed = request({
  /** Kind of credential, which decides its header or cookie. */
  kind: z.enum(CREDENTIAL_KINDS),
  /** The key itself. */
  value: nonEmpty,
  /**
   * `revoked` and `expired` keys return 401.
   * @default "active"
   */
  state: z.optional(z.enum(["active", "revoked", "expired"])),
  /** Operations or resources the key may not use, such as `tools.execute` or `authConfigs`. They return 403. */
  denied: z.optional(list(nonEmpty)),
});
export interface KeySeed extends Readonly<z.infer<typeof KeySeed>> {}

/** An initial auth config. */
export const AuthConfigSeed = request({
  /** Starts with `ac_`. */
  id: nonEmpty,
  /** Slug of its toolkit. */
  toolkit: nonEmpty,
  /** @default "default", managed by the service */
  type: z.optional(z.enum(AUTH_CONFIG_TYPES)),
  /** @default the toolkit's first scheme */
  scheme: z.optional(nonEmpty),
  name: z.optional(nonEmpty),
  /** @default none */
  credentials: z.optional(JsonObject),
  /** @default "ENABLED" */
  status: z.optional(z.enum(AUTH_CONFIG_STATUSES)),
});
export interface AuthConfigSeed extends Readonly<z.infer<typeof AuthConfigSeed>> {}

/** An initial connected account. */
export const ConnectedAccountSeed = request({
  /** Starts with `ca_`. */
  id: nonEmpty,
  /** The end user it belongs to. */
  userId: nonEmpty,
  /** The auth config it belongs to. */
  authConfigId: nonEmpty,
  /** @default "ACTIVE" */
  status: z.optional(z.enum(CONNECTION_STATUSES)),
});
export interface ConnectedAccountSeed extends Readonly<z.infer<typeof ConnectedAccountSeed>> {}

/** Initial data of an emulator. Plain data, so it can come from a JSON file. */
export const EmulatorSeed = request({
  /** API keys. Without any, every authenticated call fails. */
  keys: z.optional(list(KeySeed)),
  /** Auth configs. */
  authConfigs: z.optional(list(AuthConfigSeed)),
  /** Connected accounts. Each belongs to one of `authConfigs`. */
  connectedAccounts: z.optional(list(ConnectedAccountSeed)),
  /** Ids of legacy connectors. */
  integrations: z.optional(list(nonEmpty)),
});
export interface EmulatorSeed extends Readonly<z.infer<typeof EmulatorSeed>> {}
