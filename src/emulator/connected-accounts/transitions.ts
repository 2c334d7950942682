import type { JsonObject } from "../../resources/schema-kit.js";
import { emitEvent } from "../deliveries/events.js";
import type { AccountStatus, ConnectionFlow, StoredAccount, StoredTrigger } from "../engine/account-records.js";
import { projectOf } from "../engine/admission.js";
import type { Engine } from "../engine/engine.js";
import type { State } from "../engine/state.js";
import { detailedAccount } from "./show.js";

/** Values of `status_reason`, as observed in the API. */
export const REASONS = {
  timedOut: "Connection initiation did not complete within 10 minutes",
  refreshFailed: "Permanent auth error during token refresh",
  callbackFailed: "OAuth callback failed during token exchange",
  byUser: "Connection status updated by user",
  authConfigDisabled: "Auth config is disabled",
  revoked: "Revoked via user-initiated revoke endpoint",
  revokedOnDelete: "Revoked as part of connection delete",
} as const;

/** Details of a status change. */
interface Transition {
  readonly reason: string | null;
  /** Values the new status adds. */
  readonly outcome?: JsonObject;
  /**
   * When it happened, in milliseconds since 1970.
   * @default now
   */
  readonly at?: number;
}

const ACTIVATED_FROM: readonly AccountStatus[] = ["INITIALIZING", "INITIATED", "EXPIRED"];

/**
 * Changes an account's status, emits the event, and updates its triggers. Assumption E20.
 *
 * @param from the account, with other changes that are stored at the same time.
 * @returns the account in its new status.
 */
export function enterStatus(
  from: StoredAccount,
  status: AccountStatus,
  { reason, outcome = {}, at }: Transition,
  engine: Engine,
): StoredAccount {
  const timestamp = at === undefined ? engine.clock.iso() : new Date(at).toISOString();
  const account: StoredAccount = {
    ...from,
    ...{ status, outcome, statusReason: reason, updatedAt: timestamp },
    tokenExpiresAt: endOfTokenIn(status, from, Date.parse(timestamp)),
    // Otherwise, completing the flow would reactivate it.
    ...((status === "INACTIVE" || status === "REVOKED") && { flow: endedFlow(from) }),
  };
  engine.state.connectedAccounts.set(account.id, account);
  const data = recordForEvent(account, engine.state);
  switch (status) {
    case "ACTIVE":
      if (ACTIVATED_FROM.includes(from.status))
        emitEvent("svc.connected_account.activated", { timestamp, data }, engine);
      if (from.status === "EXPIRED") resumeTriggersOf(account, timestamp, engine);
      break;
    case "EXPIRED":
      emitEvent("svc.connected_account.expired", { timestamp, data }, engine);
      disableTriggersOf(account, timestamp, "connection_expired", engine);
      break;
    case "INACTIVE":
    case "REVOKED":
      // The caller did this, so no event is emitted.
      disableTriggersOf(account, timestamp, null, engine);
      break;
    default:
  }
  return account;
}

/** An account as events have it: masked for the first project, and never with a link. Assumption E54. */
function recordForEvent(account: StoredAccount, state: State): JsonObject {
  const project = projectOf(undefined, state, true);
  return { ...detailedAccount(account, { state, project, origin: "" }) };
}

/** An account's flow, which can't be completed anymore. */
export function endedFlow({ flow }: StoredAccount): ConnectionFlow | null {
  return flow && { ...flow, isOver: true };
}

function endOfTokenIn(status: AccountStatus, from: StoredAccount, now: number): number | null {
  // A disabled account keeps its token.
  if (status === "INACTIVE" || (status === "ACTIVE" && from.status === "INACTIVE")) return from.tokenExpiresAt;
  return status === "ACTIVE" ? endOfToken(from, now) : null;
}

/** Expires an account whose credentials can't be renewed. Spec: States and transitions. */
export function expireAccount(account: StoredAccount, reason: string, engine: Engine, at = engine.clock.now()): void {
  enterStatus(account, "EXPIRED", { reason, outcome: { expired_at: new Date(at).toISOString() }, at }, engine);
}

/** Revokes an account's credentials. */
export function revokeAccount(account: StoredAccount, reason: string, engine: Engine): StoredAccount {
  return enterStatus(account, "REVOKED", { reason, outcome: { revoked_at: engine.clock.iso() } }, engine);
}

/** Deletes an account and its triggers. */
export function removeAccount(account: StoredAccount, engine: Engine): void {
  for (const trigger of triggersOf(account, engine)) deleteTrigger(trigger, engine);
  engine.state.connectedAccounts.delete(account.id);
}

/** Disables an auth config's accounts when it's disabled, and enables them again with it. Assumption E25. */
export function followAuthConfig(authConfigId: string, isEnabled: boolean, engine: Engine): void {
  const reason = REASONS.authConfigDisabled;
  for (const account of engine.state.connectedAccounts.values()) {
    if (account.authConfigId !== authConfigId) continue;
    if (!isEnabled && account.status === "ACTIVE") enterStatus(account, "INACTIVE", { reason }, engine);
    if (isEnabled && account.status === "INACTIVE" && account.statusReason === reason) {
      enterStatus(account, "ACTIVE", { reason: null }, engine);
    }
  }
}

/**
 * When a token without a refresh token expires, in milliseconds since 1970; null if it doesn't. Assumption E26.
 */
export function endOfToken({ scheme, values }: StoredAccount, since: number): number | null {
  const { expires_in: lifetime, refresh_token: renewal } = values;
  const isRefreshable = typeof renewal === "string" || !scheme.includes("OAUTH2");
  // `Number` converts an empty string to 0.
  const seconds = typeof lifetime === "string" && lifetime.trim() !== "" ? Number(lifetime) : lifetime;
  return typeof seconds === "number" && Number.isFinite(seconds) && !isRefreshable ? since + seconds * 1_000 : null;
}

/** How many ids of deleted triggers are kept. */
const KEPT_IDS = 1_000;

/** Disables an account's enabled triggers. A reason means the service did it, which emits an event for each. */
function disableTriggersOf(account: StoredAccount, at: string, reason: string | null, engine: Engine): void {
  for (const trigger of triggersOf(account, engine)) {
    if (trigger.disabledAt !== null) continue;
    engine.state.triggers.update(trigger.id, { disabledAt: at, disabledReason: reason, updatedAt: at });
    if (reason === null) continue;
    const data = {
      id: trigger.id,
      connected_account_id: trigger.accountId,
      trigger_name: trigger.name,
      user_id: trigger.userId,
      trigger_config: trigger.config,
      disabled_at: at,
      disabled_reason: reason,
    };
    emitEvent("svc.trigger.disabled", { timestamp: at, data }, engine);
  }
}

/** Enables the triggers that expiration disabled, but not those the caller disabled. */
function resumeTriggersOf(account: StoredAccount, at: string, engine: Engine): void {
  for (const { id, disabledReason } of triggersOf(account, engine)) {
    if (disabledReason === "connection_expired") engine.state.triggers.update(id, { ...ENABLED, updatedAt: at });
  }
}

/** Deletes a trigger, but keeps its id so that later requests return 410 instead of 404. Assumption E97. */
export function deleteTrigger(
  { id }: StoredTrigger,
  { state: { triggers, deletedTriggers } }: Pick<Engine, "state">,
): void {
  triggers.delete(id);
  deletedTriggers.ids.push(id);
  if (deletedTriggers.ids.length > KEPT_IDS) deletedTriggers.ids.shift();
}

/** Fields of an enabled trigger. */
export const ENABLED = { disabledAt: null, disabledReason: null } as const;

function triggersOf({ id }: StoredAccount, { state }: Engine): StoredTrigger[] {
  return [...state.triggers.values()].filter(({ accountId }) => accountId === id);
}
