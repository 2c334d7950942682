import type { AuthConfig } from "../../resources/auth-configs/schema.js";
import type { SharedConnectionAcl } from "../../resources/connected-accounts/schema.js";
import type { JsonObject } from "../catalog/definitions.js";
import type { ConnectedAccountSeed } from "./seed.js";

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
