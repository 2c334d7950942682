import { mismatchesOfJsonSchema } from "../../arguments/check-json-schema.js";
import { ConfigError, describeMismatches } from "../../errors/local.js";
import { factsIn } from "../catalogue.js";
import type { World } from "../context.js";
import type { JsonObject } from "../definitions.js";
import type { EmittedEvent } from "../emitted-event.js";
import { emit } from "../events.js";
import { typeNamed } from "./trigger-types.js";

/**
 * Lets an event of the external application happen.
 *
 * @throws {ConfigError} for an instance that is unknown, deleted or disabled, and for a payload its type does not have.
 */
export function fire(triggerId: string, payload: JsonObject, world: World): EmittedEvent {
  const { state, ids, clock, catalogue } = world;
  const trigger = state.triggers.get(triggerId);
  if (!trigger) {
    const problem = state.deletedTriggers.ids.includes(triggerId) ? "it was deleted" : "there is no such instance";
    throw new ConfigError(`triggers.fire(${triggerId}): ${problem}.`);
  }
  const account = state.connectedAccounts.get(trigger.accountId);
  if (trigger.disabledAt !== null || !account) throw new ConfigError(`triggers.fire(${triggerId}): it is disabled.`);
  const type = typeNamed(trigger.name, catalogue)?.definition;
  const mismatches = mismatchesOfJsonSchema(type ? factsIn(type, trigger.version).payload : {}, payload);
  if (mismatches.length > 0) {
    const complaint = describeMismatches(mismatches);
    throw new ConfigError(`triggers.fire(${triggerId}): the payload does not fit ${trigger.name}: ${complaint}.`);
  }
  const metadata = {
    log_id: ids.next("log_"),
    trigger_slug: trigger.name,
    trigger_id: trigger.id,
    connected_account_id: account.id,
    auth_config_id: account.authConfigId,
    user_id: trigger.userId,
  };
  const legacy = { triggerUuid: trigger.uuid, connectionUuid: account.uuid };
  return emit("svc.trigger.message", { timestamp: clock.iso(), metadata, data: payload, legacy }, world);
}
