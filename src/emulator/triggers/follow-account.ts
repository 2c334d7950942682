import type { StoredAccount } from "../accounts/stored-account.js";
import type { World } from "../context.js";
import { emit } from "../events.js";
import type { StoredTrigger } from "./stored-trigger.js";

/** The latest deleted triggers whose ids are kept. */
const KEPT_IDS = 1_000;

/** Disables the enabled triggers of an account. With a reason it is the service's doing, and an event tells of each. */
export function disableTriggersOf(account: StoredAccount, at: string, reason: string | null, world: World): void {
  for (const trigger of triggersOf(account, world)) {
    if (trigger.disabledAt !== null) continue;
    Object.assign(trigger, { disabledAt: at, disabledReason: reason, updatedAt: at });
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
    emit("svc.trigger.disabled", { timestamp: at, data }, world);
  }
}

/** Brings back the triggers that an expiry disabled; those that the caller disabled stay so. */
export function resumeTriggersOf(account: StoredAccount, at: string, world: World): void {
  for (const trigger of triggersOf(account, world)) {
    if (trigger.disabledReason === "connection_expired") enableTrigger(trigger, at);
  }
}

/** Deletes the triggers of a deleted account. */
export function deleteTriggersOf(account: StoredAccount, world: World): void {
  for (const trigger of triggersOf(account, world)) deleteTrigger(trigger, world);
}

/** Deletes a trigger. Its id is kept for a while, so that it can be told from one that never was. See assumption E97. */
export function deleteTrigger(
  { id }: StoredTrigger,
  { state: { triggers, deletedTriggers } }: Pick<World, "state">,
): void {
  triggers.delete(id);
  deletedTriggers.ids.push(id);
  if (deletedTriggers.ids.length > KEPT_IDS) deletedTriggers.ids.shift();
}

/** Enables a trigger. `at` is ISO 8601. */
export function enableTrigger(trigger: StoredTrigger, at: string): void {
  Object.assign(trigger, { disabledAt: null, disabledReason: null, updatedAt: at });
}

function triggersOf({ id }: StoredAccount, { state }: World): StoredTrigger[] {
  return [...state.triggers.values()].filter(({ accountId }) => accountId === id);
}
