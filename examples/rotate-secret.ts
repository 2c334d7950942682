// Rotates a signing secret while deliveries arrive. Run it with: node examples/rotate-secret.ts
// biome-ignore-all assist/source/organizeImports: the imports that the region doesn't need are on top.
import { signedDelivery } from "svc-sdk/testing";
// #region rotate
import { Svc } from "svc-sdk";
import { createReceiver, memoryDeliveries } from "svc-sdk/webhooks";

const svc = new Svc();
const subscription = await svc.webhookSubscriptions.ensure({
  webhook_url: "https://app.example/webhooks",
  enabled_events: ["svc.trigger.message"],
});
const { secret: old } = subscription; // If the subscription already existed, use the secret you stored.

const store = memoryDeliveries(); // Shared by both receivers, so that no event runs twice.
const receiverFor = (...secrets: string[]) =>
  createReceiver({ secrets, store, on: {}, onUnhandled: ({ secretIndex }) => console.log(`secret ${secretIndex}`) });

let receiver = receiverFor(old);
const { secret: current } = await svc.webhookSubscriptions.rotateSecret(subscription.id);
receiver = receiverFor(current, old); // Store `current`; remove `old` when secretIndex 1 no longer appears.
// #endregion

console.log((await receiver(signedDelivery({ secret: old }).request)).status);
console.log((await receiver(signedDelivery({ secret: current }).request)).status);
