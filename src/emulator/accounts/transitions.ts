import type { World } from "../context.js";
import type { JsonObject } from "../definitions.js";
import { emit } from "../events.js";
import { deleteTriggersOf, disableTriggersOf, resumeTriggersOf } from "../triggers/follow-account.js";
import { detailedAccount } from "./show.js";
import { type AccountStatus, REASONS, type StoredAccount } from "./stored-account.js";

/** What a status is reached with. */
export interface Move {
  readonly reason: string | null;
  /** What the status adds to the values. */
  readonly outcome?: JsonObject;
  /** When it happened, in milliseconds since 1970. Now, when left out. */
  readonly at?: number;
}

const ACTIVATED_FROM: readonly AccountStatus[] = ["INITIALIZING", "INITIATED", "EXPIRED"];

/** Moves an account, with all that follows it: the event, and the triggers that live on it. See assumption E20. */
export function enter(
  account: StoredAccount,
  status: AccountStatus,
  { reason, outcome = {}, at }: Move,
  world: World,
): void {
  const timestamp = at === undefined ? world.clock.iso() : new Date(at).toISOString();
  const from = account.status;
  Object.assign(account, { status, outcome, statusReason: reason, updatedAt: timestamp });
  if (status === "ACTIVE" && from !== "INACTIVE") account.diesAt = endOfToken(account, Date.parse(timestamp));
  // A disabled one keeps the token it had.
  else if (status !== "ACTIVE" && status !== "INACTIVE") account.diesAt = null;
  const data = { ...detailedAccount(account, world.state) };
  switch (status) {
    case "ACTIVE":
      if (ACTIVATED_FROM.includes(from)) emit("svc.connected_account.activated", { timestamp, data }, world);
      if (from === "EXPIRED") resumeTriggersOf(account, timestamp, world);
      break;
    case "EXPIRED":
      emit("svc.connected_account.expired", { timestamp, data }, world);
      disableTriggersOf(account, timestamp, "connection_expired", world);
      break;
    case "INACTIVE":
    case "REVOKED":
      // Or the flow would bring it back.
      if (account.flow) account.flow.isOver = true;
      // The caller's own doing: no event tells of it.
      disableTriggersOf(account, timestamp, null, world);
      break;
    default:
  }
}

/** Expires an account whose credentials cannot be renewed. Spec: States and transitions. */
export function expire(account: StoredAccount, reason: string, world: World, at = world.clock.now()): void {
  enter(account, "EXPIRED", { reason, outcome: { expired_at: new Date(at).toISOString() }, at }, world);
}

/** Takes an account's credentials back at the provider. */
export function revoke(account: StoredAccount, reason: string, world: World): void {
  enter(account, "REVOKED", { reason, outcome: { revoked_at: world.clock.iso() } }, world);
}

/** Deletes an account. Afterwards it is not found, as on the wire; its triggers go with it. */
export function remove(account: StoredAccount, world: World): void {
  deleteTriggersOf(account, world);
  world.state.connectedAccounts.delete(account.id);
}

/** Disables the accounts of an auth config that was disabled, and brings them back with it. See assumption E25. */
export function followAuthConfig(authConfigId: string, isEnabled: boolean, world: World): void {
  const reason = REASONS.authConfigDisabled;
  for (const account of world.state.connectedAccounts.values()) {
    if (account.authConfigId !== authConfigId) continue;
    if (!isEnabled && account.status === "ACTIVE") enter(account, "INACTIVE", { reason }, world);
    if (isEnabled && account.status === "INACTIVE" && account.statusReason === reason) {
      enter(account, "ACTIVE", { reason: null }, world);
    }
  }
}

/**
 * When a token ends that comes without one that renews it, in milliseconds since 1970; null where it does not. See
 * assumption E26.
 */
export function endOfToken({ scheme, values }: StoredAccount, since: number): number | null {
  const { expires_in: lifetime, refresh_token: renewal } = values;
  const isRefreshable = typeof renewal === "string" || !scheme.includes("OAUTH2");
  // `Number` reads an empty text as 0.
  const seconds = typeof lifetime === "string" && lifetime.trim() !== "" ? Number(lifetime) : lifetime;
  return typeof seconds === "number" && Number.isFinite(seconds) && !isRefreshable ? since + seconds * 1_000 : null;
}
