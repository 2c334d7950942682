// Replaces a signing secret while deliveries come in. Run it with: node examples/rotate-secret.ts
import { Svc } from "svc-sdk";
import { signedDelivery } from "svc-sdk/testing";
import { createReceiver, memoryStore } from "svc-sdk/webhooks";

const svc = new Svc();
const subscription = await svc.webhookSubscriptions.ensure({
  webhook_url: "https://app.example/webhooks",
  enabled_events: ["svc.trigger.message"],
});
const { secret: old } = subscription;

// #region rotate
const store = memoryStore(); // Shared by both receivers, so that no event runs twice.
const receiverFor = (...secrets: string[]) =>
  createReceiver({ secrets, store, on: {}, onUnknown: ({ secretIndex }) => console.log(`secret ${secretIndex}`) });

let receiver = receiverFor(old);
const { secret: current } = await svc.webhookSubscriptions.rotateSecret(subscription.id);
receiver = receiverFor(current, old); // Store `current`; drop `old` when nothing comes with it (secretIndex 1) any more.
// #endregion

console.log((await receiver(signedDelivery({ secret: old }).request)).status);
console.log((await receiver(signedDelivery({ secret: current }).request)).status);
