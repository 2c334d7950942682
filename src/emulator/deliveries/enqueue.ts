import type { World } from "../context.js";
import type { EmittedEvent } from "../emitted-event.js";
import type { StoredWebhookSubscription } from "../subscriptions/stored-webhook-subscription.js";
import { payloadOf } from "./payload.js";
import type { StoredDelivery } from "./stored.js";

/** The latest deliveries that are kept; those that are still to be made are kept beyond it. */
const KEPT_DELIVERIES = 1_000;

/** Makes a delivery of an event to each subscription that enabled its type. */
export function enqueue(event: EmittedEvent, world: World): void {
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
