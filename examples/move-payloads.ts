// Moves from V1 or V2 payloads to V3, one handler at a time. Run it with: node examples/move-payloads.ts
// biome-ignore-all assist/source/organizeImports: what the region does not need stands before it.
import { signedDelivery } from "svc-sdk/testing";
// #region receiver
import { Svc } from "svc-sdk";
import { asVersion, createReceiver, verifyWebhook } from "svc-sdk/webhooks";

const svc = new Svc({ logLevel: "error" }); // Else it warns: V2 is deprecated.
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
async function readAsV3(request: Request): Promise<void> {
  const delivery = await verifyWebhook(request, { secret });
  const converted = asVersion(delivery, "V3"); // Of a V1 or V2 event: what it does not carry is left out, never made up.
  console.log(converted?.isComplete, converted?.missing.join());
}
// #endregion
await readAsV3(signedDelivery({ secret, version: "V2" }).request);

// #region upgrade
const { version } = await svc.webhookSubscriptions.update(subscription.id, { version: "V3" });
console.log(`from now on ${version}`);
// #endregion
