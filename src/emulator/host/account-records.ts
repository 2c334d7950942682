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

/** An auth config with what answers do not show. */
export interface StoredAuthConfig extends Omit<AuthConfig, "credentials" | "shared_credentials" | "no_of_connections"> {
  /** In clear; answers redact it. */
  credentials: JsonObject;
  /** In clear; answers redact it. */
  shared_credentials: JsonObject | undefined;
  auth_scheme: string;
  is_svc_managed: boolean;
  isDeleted: boolean;
}

/** What a connected account can be in. */
export type AccountStatus = NonNullable<ConnectedAccountSeed["status"]>;

/** What a connected account can be in. */
export const ACCOUNT_STATUSES = [
  "ACTIVE",
  "EXPIRED",
  "INACTIVE",
  "FAILED",
  "INITIATED",
  "INITIALIZING",
  "REVOKED",
] as const satisfies readonly AccountStatus[];

/** The hosted flow in which a user connects an account. */
export interface ConnectionFlow {
  /** What the link page's address ends with. */
  token: string;
  /** The link page's whole address. */
  url: string;
  callbackUrl: string | null;
  /** When it times out, in milliseconds since 1970. */
  endsAt: number;
  /** Completed, failed or timed out. */
  isOver: boolean;
  /** What the callback verifier was given; null before the page was completed, or where the project has no verifier. */
  sessionUri: string | null;
}

/** A connected account with what answers do not show. */
export interface StoredAccount {
  id: string;
  /** Its id of older times; V1 and V2 events carry it. */
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
  /** Credentials, and what names the user's own instance. In clear; answers mask it. */
  values: JsonObject;
  /** What the present status adds to the values: `error`, `expired_at`, `revoked_at`. */
  outcome: JsonObject;
  /** What it was initialised with. In clear; answers mask it. */
  params: JsonObject;
  sharing: "PRIVATE" | "SHARED";
  /** Who may use a shared one. */
  acl: SharedConnectionAcl;
  flow: ConnectionFlow | null;
  /** Tokens of the latest flows it had before, oldest first: their pages are gone. */
  pastTokens: string[];
  /** When its token ends that nothing can refresh, in milliseconds since 1970; null where the service refreshes it. */
  diesAt: number | null;
}

/** A trigger instance with what answers do not show. */
export interface StoredTrigger {
  id: string;
  /** Its id of older times; V1 and V2 events carry it. */
  uuid: string;
  /** Slug of its type. */
  name: string;
  toolkit: string;
  accountId: string;
  userId: string;
  config: JsonObject;
  /** The toolkit version it is bound to. */
  version: string;
  createdAt: string;
  updatedAt: string;
  /** Null while it is enabled. */
  disabledAt: string | null;
  /** Why the service disabled it; null where the caller did. */
  disabledReason: string | null;
}
