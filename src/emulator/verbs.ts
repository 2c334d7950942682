import { ConfigError } from "../errors/local.js";
import { REASONS } from "./accounts/stored-account.js";
import { expire } from "./accounts/transitions.js";
import type { World } from "./context.js";
import type { JsonObject } from "./definitions.js";
import type { EmittedEvent } from "./emitted-event.js";
import { fire } from "./triggers/fire.js";

/** What happens to connected accounts outside of the service. */
export interface AccountVerbs {
  /**
   * Lets the refresh of an ACTIVE account's credentials fail for good: it becomes EXPIRED, and its triggers are disabled.
   *
   * @param reason the `status_reason`; by default what the service says of a failed token refresh.
   * @throws {ConfigError} for an account that does not exist or is not ACTIVE.
   */
  expire(accountId: string, reason?: string): void;
}

/** What happens in the external applications that triggers listen to. */
export interface TriggerVerbs {
  /**
   * Lets an event happen that an enabled trigger instance listens for, and gives the message that was emitted.
   *
   * @param payload as the trigger type's `payload` describes it.
   * @throws {ConfigError} for an instance that is unknown, deleted or disabled, and for a payload its type does not have.
   */
  fire(triggerId: string, payload: JsonObject): EmittedEvent;
}

/** The accounts' verbs in a world. */
export function accountVerbs(world: World): AccountVerbs {
  return {
    expire: (accountId, reason = REASONS.refreshFailed) => {
      const account = world.state.connectedAccounts.get(accountId);
      if (!account) throw new ConfigError(`accounts.expire: there is no account ${accountId}.`);
      if (account.status !== "ACTIVE") {
        throw new ConfigError(`accounts.expire: only ACTIVE accounts expire; ${accountId} is ${account.status}.`);
      }
      expire(account, reason, world);
    },
  };
}

/** The triggers' verbs in a world. */
export function triggerVerbs(world: World): TriggerVerbs {
  return { fire: (triggerId, payload) => fire(triggerId, payload, world) };
}
