import type { PayloadVersion } from "../../resources/events/schema.js";
import type { World } from "../host/context.js";
import type { EmittedEvent, StoredDelivery, StoredWebhookSubscription } from "../host/event-records.js";
import { FIRST_PROJECT, ORGANIZATION } from "../host/project-records.js";

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

/** The latest deliveries that are kept; those that are still to be made are kept beyond it. */
const KEPT_DELIVERIES = 1_000;

/** Makes a delivery of an event to each subscription that enabled its type. */
function enqueue(event: EmittedEvent, world: World): void {
  const { webhookSubscriptions } = world.state;
  const takers = [...webhookSubscriptions.values()].filter(({ enabled_events: types }) => types.includes(event.type));
  for (const subscription of takers) enqueueFor(subscription, event, world);
  if (takers.length > 0) world.deliver();
}

function enqueueFor(subscription: StoredWebhookSubscription, event: EmittedEvent, { state, ids, clock }: World): void {
  const { items, misbehaviour } = state.deliveries;
  // Only the three formats pass the checks of a subscription.
  const version = subscription.version as StoredDelivery["version"];
  const payload = payloadOf(inProject(event, subscription.projectId), version);
  if (!payload) return;
  const now = clock.now();
  // What is to be reordered has to be gathered: it goes out with those that wait already.
  const gathered = misbehaviour.reorder ? items.find((other) => isGathered(other, now))?.dueAt : undefined;
  const dueAt = gathered ?? now + misbehaviour.delayMs;
  for (let copy = 0; copy < misbehaviour.copies; copy += 1) {
    items.push({
      id: ids.next("wd_"),
      eventId: event.id,
      subscriptionId: subscription.id,
      type: event.type,
      version,
      body: JSON.stringify(payload),
      state: "pending",
      attempts: [],
      dueAt,
    });
  }
  trim(items);
}

/**
 * The event as a project reads it. Accounts and triggers are shared by all projects, and so is what happens to them. See
 * assumption E54.
 */
function inProject(event: EmittedEvent, project_id: string): EmittedEvent {
  const { metadata } = event;
  return "project_id" in metadata ? { ...event, metadata: { ...metadata, project_id } } : event;
}

function isGathered({ state, attempts, dueAt }: StoredDelivery, now: number): boolean {
  return state === "pending" && attempts.length === 0 && dueAt !== null && dueAt > now;
}

function trim(items: StoredDelivery[]): void {
  while (items.length > KEPT_DELIVERIES) {
    const oldest = items.findIndex(({ state }) => state !== "pending");
    if (oldest < 0) return;
    items.splice(oldest, 1);
  }
}

/**
 * An event as one format has it; `undefined` where the format does not have such events: V2 and V1 are for trigger messages
 * only. Spec: Events. See assumption E81.
 */
function payloadOf(event: EmittedEvent, version: PayloadVersion): object | undefined {
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
