// Moves from V1 or V2 payloads to V3, one handler at a time. Run it with: node examples/move-payloads.ts
import { Svc } from "svc-sdk";
import { signedDelivery } from "svc-sdk/testing";
// #region receiver
import { asVersion, createReceiver, verifyWebhook } from "svc-sdk/webhooks";

const svc = new Svc();
const subscription = await svc.webhookSubscriptions.ensure({
  webhook_url: "https://app.example/webhooks",
  enabled_events: ["svc.trigger.message"],
  version: "V2",
});
const { secret } = subscription;

const receiver = createReceiver({
  secret, // A handler of a slug gets the same event, whatever format it came in.
  on: { GITHUB_COMMIT_EVENT: ({ version, userId, payload }) => console.log(version, userId, payload["message"]) },
  onUnknown: ({ type }) => console.log(`Nobody handles ${type}`),
});
// #endregion
for (const version of ["V1", "V2", "V3"] as const) await receiver(signedDelivery({ secret, version }).request);

// #region convert
const delivery = await verifyWebhook(signedDelivery({ secret, version: "V2" }).request, { secret });
const converted = asVersion(delivery, "V3");
console.log(converted?.isComplete, converted?.missing.join()); // What V2 does not carry is left out, never made up.
// #endregion

// #region upgrade
const { version } = await svc.webhookSubscriptions.update(subscription.id, { version: "V3" });
console.log(`from now on ${version}`);
// #endregion
