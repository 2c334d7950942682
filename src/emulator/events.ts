import type { World } from "./context.js";
import type { EmittedEvent } from "./emitted-event.js";

/** The emulated project and its organization, as the session's information names them. */
const PROJECT = { project_id: "pr_emulator", org_id: "ok_emulator" };

/** The latest events that are kept. */
const KEPT_EVENTS = 1_000;

type Draft = Pick<EmittedEvent, "timestamp" | "data"> & Partial<Pick<EmittedEvent, "metadata" | "legacy">>;

/** Puts an event into the queue. See assumption E20 for its id. */
export function emit(type: EmittedEvent["type"], draft: Draft, { state, ids }: World): EmittedEvent {
  const prefix = type === "svc.trigger.message" ? "msg_" : "evt_";
  const event: EmittedEvent = { metadata: { ...PROJECT }, ...structuredClone(draft), id: prefix + ids.uuid(), type };
  state.events.emitted.push(event);
  if (state.events.emitted.length > KEPT_EVENTS) state.events.emitted.shift();
  return event;
}
