// Replaces a signing secret while deliveries come in. Run it with: node examples/rotate-secret.ts
// biome-ignore-all assist/source/organizeImports: what the region does not need stands before it.
import { signedDelivery } from "svc-sdk/testing";
// #region rotate
import { Svc } from "svc-sdk";
import { createReceiver, memoryStore } from "svc-sdk/webhooks";

const svc = new Svc();
const subscription = await svc.webhookSubscriptions.ensure({
  webhook_url: "https://app.example/webhooks",
  enabled_events: ["svc.trigger.message"],
});
const { secret: old } = subscription; // Of one that was there before, the secret that you kept.

const store = memoryStore(); // Shared by both receivers, so that no event runs twice.
const receiverFor = (...secrets: string[]) =>
  createReceiver({ secrets, store, on: {}, onUnknown: ({ secretIndex }) => console.log(`secret ${secretIndex}`) });

let receiver = receiverFor(old);
const { secret: current } = await svc.webhookSubscriptions.rotateSecret(subscription.id);
receiver = receiverFor(current, old); // Store `current`; drop `old` when nothing comes with it (secretIndex 1) any more.
// #endregion

console.log((await receiver(signedDelivery({ secret: old }).request)).status);
console.log((await receiver(signedDelivery({ secret: current }).request)).status);
