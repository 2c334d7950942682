import * as z from "zod/mini";
import { AuthConfig } from "../../resources/auth-configs/schema.js";
import { SharedConnectionAcl } from "../../resources/connected-accounts/schema.js";
import { CONNECTION_STATUSES } from "../../resources/connected-accounts/state-fields-schema.js";
import { boolean, JsonObject, number, object, string } from "../../resources/schema-kit.js";
import { ACCOUNT_TYPES } from "../../resources/shared.js";

/** A legacy connector. */
export const StoredIntegration = object({
  id: string,
  authConfig: JsonObject,
  enabled: boolean,
});
export type StoredIntegration = Readonly<z.infer<typeof StoredIntegration>>;

/** An auth config, including fields that responses don't show. */
export const StoredAuthConfig = object({
  ...z.omit(AuthConfig, { credentials: true, shared_credentials: true, no_of_connections: true }).shape,
  /** In plain text; responses redact it. */
  credentials: JsonObject,
  /** In plain text; responses redact it. */
  shared_credentials: z.optional(JsonObject),
  auth_scheme: string,
  is_svc_managed: boolean,
  isDeleted: boolean,
});
export type StoredAuthConfig = Readonly<z.infer<typeof StoredAuthConfig>>;

/** Status of a connected account. */
export type AccountStatus = (typeof CONNECTION_STATUSES)[number];

/** A hosted flow in which a user connects an account. */
const ConnectionFlow = object({
  /** Last part of the link page's URL. */
  token: string,
  callbackUrl: z.nullable(string),
  /** When it times out, in milliseconds since 1970. */
  endsAt: number,
  /** Completed, failed or timed out. */
  isOver: boolean,
  /** URI passed to the callback verifier; null until the page is completed, or if the project has no verifier. */
  sessionUri: z.nullable(string),
});
export type ConnectionFlow = Readonly<z.infer<typeof ConnectionFlow>>;

/** A connected account, including fields that responses don't show. */
export const StoredAccount = object({
  id: string,
  /** Legacy id, used by V1 and V2 events. */
  uuid: string,
  userId: string,
  toolkit: string,
  authConfigId: string,
  scheme: string,
  alias: z.nullable(string),
  status: z.enum(CONNECTION_STATUSES),
  statusReason: z.nullable(string),
  createdAt: string,
  updatedAt: string,
  /** Credentials and instance settings. In plain text; responses mask secrets. */
  values: JsonObject,
  /** Values the current status adds: `error`, `expired_at`, `revoked_at`. */
  outcome: JsonObject,
  /** Values it was created with. In plain text; responses mask secrets. */
  params: JsonObject,
  sharing: z.enum(ACCOUNT_TYPES),
  /** Who may use a shared account. */
  acl: SharedConnectionAcl,
  flow: z.nullable(z.readonly(ConnectionFlow)),
  /** Tokens of earlier flows, oldest first. Their pages return 410. */
  pastTokens: z.array(string),
  /** When a token that can't be refreshed expires, in milliseconds since 1970; null if the service refreshes it. */
  tokenExpiresAt: z.nullable(number),
});
export type StoredAccount = Readonly<z.infer<typeof StoredAccount>>;

/** Whether an account waits for its user. */
export function isWaiting({ status }: Pick<StoredAccount, "status">): boolean {
  return status === "INITIALIZING" || status === "INITIATED";
}

/** A trigger instance, including fields that responses don't show. */
export const StoredTrigger = object({
  id: string,
  /** Legacy id, used by V1 and V2 events. */
  uuid: string,
  /** Slug of its type. */
  name: string,
  toolkit: string,
  accountId: string,
  userId: string,
  config: JsonObject,
  /** The toolkit version it's bound to. */
  version: string,
  createdAt: string,
  updatedAt: string,
  /** Null while it's enabled. */
  disabledAt: z.nullable(string),
  /** Why the service disabled it; null if the caller did. */
  disabledReason: z.nullable(string),
});
export type StoredTrigger = Readonly<z.infer<typeof StoredTrigger>>;
