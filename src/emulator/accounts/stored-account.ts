import type { SharedConnectionAcl } from "../../resources/connected-accounts/schema.js";
import type { JsonObject } from "../definitions.js";
import type { ConnectedAccountSeed } from "../seed.js";

/** How long a user has to finish a flow, in milliseconds. */
export const FLOW_MS = 600_000;

/** The texts of `status_reason`, as they were seen on the wire. */
export const REASONS = {
  timedOut: "Connection initiation did not complete within 10 minutes",
  refreshFailed: "Permanent auth error during token refresh",
  callbackFailed: "OAuth callback failed during token exchange",
  byUser: "Connection status updated by user",
  authConfigDisabled: "Auth config is disabled",
  revoked: "Revoked via user-initiated revoke endpoint",
  revokedOnDelete: "Revoked as part of connection delete",
} as const;

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

type Identity = Pick<StoredAccount, "id" | "uuid" | "userId" | "toolkit" | "authConfigId" | "scheme" | "status">;

/** An account that was just made. `now` is ISO 8601. */
export function newAccount(identity: Identity, now: string, values: JsonObject = {}): StoredAccount {
  return {
    ...identity,
    alias: null,
    statusReason: null,
    createdAt: now,
    updatedAt: now,
    values: { ...values },
    outcome: {},
    params: { ...values },
    sharing: "PRIVATE",
    acl: {},
    flow: null,
    pastTokens: [],
    diesAt: null,
  };
}
