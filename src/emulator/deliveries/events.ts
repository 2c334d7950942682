// The room of deliveries: events, and how each is sent to the subscriptions, again if that fails. Other rooms, such as
// `triggers`, say what happened. It imports `engine`, `projects`, `src/contract`, `src/resources` and `src/webhooks`.
// Start here, then `sender.ts`.

import type { PayloadVersion } from "../../resources/events/schema.js";
import { readTrigger, writeTrigger } from "../../webhooks/normalize.js";
import type { Engine } from "../engine/engine.js";
import type { DeliveryRecord, EmittedEvent } from "../engine/event-schema.js";
import type { StoredWebhookSubscription } from "../engine/project-records.js";
import { FIRST_PROJECT } from "../engine/project-records.js";
import { ORGANIZATION } from "../projects/organization.js";

/** Project and organization of an event. Each delivery has the project it's sent to instead. */
const OWNER = { project_id: FIRST_PROJECT, org_id: ORGANIZATION.id };

/** How many of the latest events are kept. */
const KEPT_EVENTS = 1_000;

type EventDraft = Pick<EmittedEvent, "timestamp" | "data"> & Partial<Pick<EmittedEvent, "metadata" | "legacy">>;

/** Emits an event and schedules its deliveries. Assumption E20 for its id. */
export function emitEvent(type: EmittedEvent["type"], draft: EventDraft, engine: Engine): EmittedEvent {
  const { state, ids } = engine;
  const prefix = type === "svc.trigger.message" ? "msg_" : "evt_";
  const event: EmittedEvent = { metadata: { ...OWNER }, ...structuredClone(draft), id: prefix + ids.uuid(), type };
  state.events.emitted.push(event);
  if (state.events.emitted.length > KEPT_EVENTS) state.events.emitted.shift();
  engine.feed.publish({ type: "event", event });
  const subscriptions = [...state.webhookSubscriptions.values()].filter(({ enabled_events: types }) =>
    types.includes(type),
  );
  for (const subscription of subscriptions) enqueue(subscription, event, engine);
  if (subscriptions.length > 0) engine.deliver();
  return event;
}

/** How many of the latest deliveries are kept, not counting pending ones. */
const KEPT_DELIVERIES = 1_000;

/** Schedules a delivery of an event for a subscription that enabled its type. */
function enqueue(subscription: StoredWebhookSubscription, event: EmittedEvent, engine: Engine): void {
  const { state, ids, clock } = engine;
  const { items, faults } = state.deliveries;
  // A subscription's checks accept only the three formats.
  const version = subscription.version as DeliveryRecord["version"];
  const payload = payloadOf(inProject(event, subscription.projectId), version);
  if (!payload) return;
  const now = clock.now();
  // To be reordered, deliveries have to be collected: send this one with those already waiting.
  const collected = faults.reorder ? items.find((other) => isWaiting(other, now))?.dueAt : undefined;
  const dueAt = collected ?? now + faults.delayMs;
  for (let copy = 0; copy < faults.copies; copy += 1) {
    const id = ids.next("wd_");
    const body = JSON.stringify(payload);
    scheduleDelivery(
      { id, eventId: event.id, subscriptionId: subscription.id, type: event.type, version, body, dueAt },
      engine,
    );
  }
}

/** Adds a pending delivery. */
export function scheduleDelivery(
  draft: Omit<DeliveryRecord, "state" | "attempts" | "createdAt">,
  { state, feed, clock }: Pick<Engine, "state" | "feed" | "clock">,
): DeliveryRecord {
  const delivery: DeliveryRecord = { ...draft, createdAt: clock.iso(), state: "pending", attempts: [] };
  state.deliveries.items.push(delivery);
  trimDeliveries(state.deliveries.items);
  feed.publish({ type: "delivery", delivery: structuredClone(delivery), attempt: null });
  return delivery;
}

/**
 * The event with a project's id. All projects share accounts and triggers, so they share their events too.
 * Assumption E54.
 */
function inProject(event: EmittedEvent, project_id: string): EmittedEvent {
  const { metadata } = event;
  return "project_id" in metadata ? { ...event, metadata: { ...metadata, project_id } } : event;
}

function isWaiting({ state, attempts, dueAt }: DeliveryRecord, now: number): boolean {
  return state === "pending" && attempts.length === 0 && dueAt !== null && dueAt > now;
}

/** Forgets the oldest finished deliveries. */
export function trimDeliveries(items: DeliveryRecord[]): void {
  while (items.length > KEPT_DELIVERIES) {
    const oldest = items.findIndex(({ state }) => state !== "pending");
    if (oldest < 0) return;
    items.splice(oldest, 1);
  }
}

/**
 * An event in one format; `undefined` if the format doesn't have it, because V1 and V2 have trigger messages only.
 * Spec: Events. Assumption E81.
 */
function payloadOf(event: EmittedEvent, version: PayloadVersion): object | undefined {
  const { id, timestamp, type, metadata, data, legacy } = event;
  if (version === "V3") return { id, timestamp, type, metadata, data };
  if (type !== "svc.trigger.message" || !legacy) return undefined;
  const { triggerUuid: legacyTriggerId, connectionUuid: legacyConnectionId } = legacy;
  const fields = readTrigger("V3", { timestamp, metadata, data });
  return writeTrigger(version, { ...fields, legacyTriggerId, legacyConnectionId });
}
