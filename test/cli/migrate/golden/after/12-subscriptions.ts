import { Svc } from "svc-sdk";

const composio = new Svc();

const subscription = await composio.webhookSubscriptions.create({
  webhook_url: "https://app.example/webhooks",
  enabled_events: ["svc.trigger.message", "svc.connected_account.expired"],
});
const { items } = await composio.webhookSubscriptions.eventTypes();
for (const { event_type } of items) console.log(event_type);
const { secret } = await composio.webhookSubscriptions.rotateSecret(subscription.id);
console.log(secret.length);
await composio.webhookSubscriptions.update(subscription.id, { version: "V3" });
console.log((await composio.webhookSubscriptions.get(subscription.id)).version);
await composio.webhookSubscriptions.delete(subscription.id);
