// Subscribes your server to the project's events, once per deploy. Run it with: node examples/subscribe.ts
// #region ensure
import { Svc } from "svc-sdk";

const svc = new Svc();

const subscription = await svc.webhookSubscriptions.ensure({
  webhook_url: "https://app.example/webhooks",
  enabled_events: ["svc.trigger.message", "svc.trigger.disabled", "svc.connected_account.expired"],
  version: "V3",
});
console.log(`export SVC_WEBHOOK_SECRET=${subscription.secret}`); // Complete if the call created the subscription.
// #endregion
console.log(`Events go to ${subscription.webhook_url}, as ${subscription.version}`);

// #region types
for (const { event_type, description } of (await svc.webhookSubscriptions.listEventTypes()).items) {
  console.log(`${event_type}: ${description}`); // svc.trigger.message: An event of an enabled trigger instance.
}
// #endregion
