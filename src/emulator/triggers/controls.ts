import { ConfigError, describeMismatches } from "../../errors/local.js";
import { mismatchesOfJsonSchema } from "../../json-schema/check/check-json-schema.js";
import type { JsonObject } from "../../resources/schema-kit.js";
import { factsIn } from "../catalog/catalog.js";
import { emitEvent } from "../deliveries/events.js";
import type { Engine } from "../engine/engine.js";
import type { EmittedEvent } from "../engine/event-schema.js";
import { typeNamed } from "./find-type.js";

/** Controls of trigger instances. */
export interface TriggerControls {
  /**
   * Fires an event of an enabled trigger instance, and returns the emitted message.
   *
   * @param payload must match the trigger type's `payload` schema.
   * @throws {ConfigError} for an unknown, deleted, or disabled instance, or an invalid payload.
   */
  fire(triggerId: string, payload: JsonObject): EmittedEvent;
}

/** Creates the trigger controls of an emulator. */
export function triggerControls(engine: Engine): TriggerControls {
  const { state, ids, clock, catalog } = engine;
  const fire = (triggerId: string, payload: JsonObject) => {
    const trigger = state.triggers.get(triggerId);
    if (!trigger) {
      const problem = state.deletedTriggers.ids.includes(triggerId)
        ? "it was deleted"
        : "unknown trigger instance. triggers.upsert returns its id";
      throw new ConfigError(`triggers.fire(${triggerId}): ${problem}.`);
    }
    const account = state.connectedAccounts.get(trigger.accountId);
    if (trigger.disabledAt !== null || !account) throw new ConfigError(`triggers.fire(${triggerId}): it is disabled.`);
    const type = typeNamed(trigger.name, catalog)?.definition;
    const mismatches = mismatchesOfJsonSchema(type ? factsIn(type, trigger.version).payload : {}, payload);
    if (mismatches.length > 0) {
      const problem = describeMismatches(mismatches);
      throw new ConfigError(`triggers.fire(${triggerId}): the payload doesn't match ${trigger.name}: ${problem}.`);
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
    return emitEvent("svc.trigger.message", { timestamp: clock.iso(), metadata, data: payload, legacy }, engine);
  };
  return { fire };
}
