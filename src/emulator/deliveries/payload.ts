import type { PayloadVersion } from "../../resources/events/schema.js";
import type { EmittedEvent } from "../emitted-event.js";

/**
 * An event as one format has it; `undefined` where the format does not have such events: V2 and V1 are for trigger messages
 * only. Spec: Events. See assumption E81.
 */
export function payloadOf(event: EmittedEvent, version: PayloadVersion): object | undefined {
  const { id, timestamp, type, metadata, data, legacy } = event;
  if (version === "V3") return { id, timestamp, type, metadata, data };
  if (type !== "svc.trigger.message" || !legacy) return undefined;
  const slug = String(metadata["trigger_slug"]);
  if (version === "V2") {
    return {
      type: slug.toLowerCase(),
      timestamp,
      log_id: metadata["log_id"],
      data: {
        ...data,
        connection_id: legacy.connectionUuid,
        connection_nano_id: metadata["connected_account_id"],
        trigger_nano_id: metadata["trigger_id"],
        trigger_id: legacy.triggerUuid,
        user_id: metadata["user_id"],
      },
    };
  }
  return {
    trigger_name: slug,
    trigger_id: legacy.triggerUuid,
    connection_id: legacy.connectionUuid,
    payload: data,
    log_id: metadata["log_id"],
  };
}
