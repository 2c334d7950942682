import type { World } from "./context.js";
import { enqueue } from "./deliveries/enqueue.js";
import type { EmittedEvent } from "./emitted-event.js";
import { FIRST_PROJECT, ORGANIZATION } from "./projects/stored.js";

/** Whose event it is. Each delivery names the project it goes to instead. */
const OWNER = { project_id: FIRST_PROJECT, org_id: ORGANIZATION.id };

/** The latest events that are kept. */
const KEPT_EVENTS = 1_000;

type Draft = Pick<EmittedEvent, "timestamp" | "data"> & Partial<Pick<EmittedEvent, "metadata" | "legacy">>;

/** Lets an event happen, and its deliveries begin. See assumption E20 for its id. */
export function emit(type: EmittedEvent["type"], draft: Draft, world: World): EmittedEvent {
  const { state, ids } = world;
  const prefix = type === "svc.trigger.message" ? "msg_" : "evt_";
  const event: EmittedEvent = { metadata: { ...OWNER }, ...structuredClone(draft), id: prefix + ids.uuid(), type };
  state.events.emitted.push(event);
  if (state.events.emitted.length > KEPT_EVENTS) state.events.emitted.shift();
  enqueue(event, world);
  return event;
}
