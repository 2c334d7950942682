// Moves from V1 or V2 payloads to V3, one handler at a time. Run it with: node examples/move-payloads.ts
// biome-ignore-all assist/source/organizeImports: the imports that the region doesn't need are on top.
import { signedDelivery } from "svc-sdk/testing";
// #region receiver
import { Svc } from "svc-sdk";
import { createReceiver } from "svc-sdk/webhooks";

const svc = new Svc();
const subscription = await svc.webhookSubscriptions.ensure({
  webhook_url: "https://app.example/webhooks",
  enabled_events: ["svc.trigger.message"],
  version: "V2",
});
const { secret } = subscription;

const receiver = createReceiver({
  secret, // A slug's handler gets the same event in every format.
  on: { GITHUB_COMMIT_EVENT: ({ version, userId, payload }) => console.log(version, userId, payload["message"]) },
  onUnhandled: ({ type }) => console.log(`No handler for ${type}`),
});
// #endregion
for (const version of ["V1", "V2", "V3"] as const) await receiver(signedDelivery({ secret, version }).request);

// #region upgrade
const { version } = await svc.webhookSubscriptions.update(subscription.id, { version: "V3" });
console.log(`from now on ${version}`);
// #endregion
