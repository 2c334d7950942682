import type { WebhookSubscription } from "../../resources/webhook-subscriptions/schema.js";
import type { HandlersOf, World } from "../context.js";
import { paginate } from "../page.js";
import { notFound, Refusal } from "../refusal.js";
import { checkSettings, EVENT_TYPE_LIST } from "../subscriptions/rules.js";

export const webhookSubscriptions: HandlersOf<"webhookSubscriptions"> = {
  "webhookSubscriptions.create": ({ body, ...world }) => {
    const { state, ids, clock, settings } = world;
    const { webhook_url, enabled_events, version = "V3" } = body;
    checkSettings({ webhook_url, enabled_events, version });
    if (state.webhookSubscriptions.size >= settings.subscriptionsPerProject) {
      throw new Refusal({
        status: 409,
        code: 10409,
        slug: "WebhookSubscription_Conflict",
        message: "This project already has a webhook subscription",
        suggestedFix: "Update the existing subscription",
      });
    }
    const now = clock.iso();
    const subscription: WebhookSubscription = {
      id: ids.next("ws_"),
      webhook_url,
      version,
      enabled_events: [...enabled_events],
      secret: newSecret(world),
      created_at: now,
      updated_at: now,
    };
    state.webhookSubscriptions.set(subscription.id, subscription);
    return structuredClone(subscription);
  },

  "webhookSubscriptions.list": ({ query, state }) =>
    paginate(structuredClone([...state.webhookSubscriptions.values()]), query),

  "webhookSubscriptions.get": ({ params, ...world }) => structuredClone(find(params.id, world)),

  "webhookSubscriptions.update": ({ params, body, ...world }) => {
    const subscription = find(params.id, world);
    const { webhook_url, enabled_events, version }: WebhookSubscription = {
      ...subscription,
      ...Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)),
    };
    checkSettings({ webhook_url, enabled_events, version });
    Object.assign(subscription, { webhook_url, enabled_events, version, updated_at: world.clock.iso() });
    return structuredClone(subscription);
  },

  "webhookSubscriptions.delete": ({ params, ...world }) => {
    world.state.webhookSubscriptions.delete(find(params.id, world).id);
    return { success: true };
  },

  "webhookSubscriptions.rotateSecret": ({ params, ...world }) => {
    const subscription = find(params.id, world);
    Object.assign(subscription, { secret: newSecret(world), updated_at: world.clock.iso() });
    return { id: subscription.id, secret: subscription.secret };
  },

  "webhookSubscriptions.eventTypes": () => ({ items: structuredClone(EVENT_TYPE_LIST) }),
};

function find(id: string, { state }: World): WebhookSubscription {
  const subscription = state.webhookSubscriptions.get(id);
  if (!subscription) throw notFound("WebhookSubscription", `Webhook subscription ${id}`, 10404);
  return subscription;
}

function newSecret({ ids }: World): string {
  return `whsec_${ids.uuid().replaceAll("-", "")}`;
}
