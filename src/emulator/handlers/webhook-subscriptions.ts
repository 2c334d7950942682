import type { WebhookSubscription } from "../../resources/webhook-subscriptions/schema.js";
import type { HandlersOf, World } from "../context.js";
import { paginate } from "../page.js";
import { projectOf } from "../projects/lookup.js";
import { notFound, Refusal } from "../refusal.js";
import type { KeySeed } from "../seed.js";
import type { State } from "../state.js";
import { checkSettings, EVENT_TYPE_LIST } from "../subscriptions/rules.js";
import type { StoredWebhookSubscription } from "../subscriptions/stored-webhook-subscription.js";

export const webhookSubscriptions: HandlersOf<"webhookSubscriptions"> = {
  "webhookSubscriptions.create": ({ body, key, ...world }) => {
    const { state, ids, clock, settings } = world;
    const { webhook_url, enabled_events, version = "V3" } = body;
    checkSettings({ webhook_url, enabled_events, version });
    const { id: projectId } = projectOf(key, state);
    if (subscriptionsOf(projectId, state).length >= settings.subscriptionsPerProject) {
      throw new Refusal({
        status: 409,
        code: 10409,
        slug: "WebhookSubscription_Conflict",
        message: "This project already has a webhook subscription",
        suggestedFix: "Update the existing subscription",
      });
    }
    const now = clock.iso();
    const subscription: StoredWebhookSubscription = {
      id: ids.next("ws_"),
      projectId,
      webhook_url,
      version,
      enabled_events: [...new Set(enabled_events)],
      secret: newSecret(world),
      created_at: now,
      updated_at: now,
    };
    state.webhookSubscriptions.set(subscription.id, subscription);
    return shown(subscription);
  },

  "webhookSubscriptions.list": ({ query, key, state }) =>
    paginate(subscriptionsOf(projectOf(key, state).id, state).map(shown), query),

  "webhookSubscriptions.get": ({ params, ...call }) => shown(find(params.id, call)),

  "webhookSubscriptions.update": ({ params, body, ...call }) => {
    const subscription = find(params.id, call);
    const { webhook_url, enabled_events, version }: WebhookSubscription = {
      ...subscription,
      ...Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)),
    };
    checkSettings({ webhook_url, enabled_events, version });
    const unique = [...new Set(enabled_events)];
    Object.assign(subscription, { webhook_url, enabled_events: unique, version, updated_at: call.clock.iso() });
    return shown(subscription);
  },

  "webhookSubscriptions.delete": ({ params, ...call }) => {
    call.state.webhookSubscriptions.delete(find(params.id, call).id);
    return { success: true };
  },

  "webhookSubscriptions.rotateSecret": ({ params, ...call }) => {
    const subscription = find(params.id, call);
    Object.assign(subscription, { secret: newSecret(call), updated_at: call.clock.iso() });
    return { id: subscription.id, secret: subscription.secret };
  },

  "webhookSubscriptions.eventTypes": () => ({ items: structuredClone(EVENT_TYPE_LIST) }),
};

function subscriptionsOf(projectId: string, { webhookSubscriptions }: State): StoredWebhookSubscription[] {
  return [...webhookSubscriptions.values()].filter((subscription) => subscription.projectId === projectId);
}

function find(id: string, { key, state }: { readonly key: KeySeed | undefined; readonly state: State }) {
  const subscription = state.webhookSubscriptions.get(id);
  if (subscription?.projectId === projectOf(key, state).id) return subscription;
  throw notFound("WebhookSubscription", `Webhook subscription ${id}`, 10404);
}

function shown({ projectId: _, ...subscription }: StoredWebhookSubscription): WebhookSubscription {
  return structuredClone(subscription);
}

function newSecret({ ids }: World): string {
  return `whsec_${ids.uuid().replaceAll("-", "")}`;
}
