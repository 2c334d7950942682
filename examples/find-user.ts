// Finds the user of an event in any format. Run it with: node examples/find-user.ts
// biome-ignore-all assist/source/organizeImports: the imports that the region doesn't need are on top.
import { createEmulator } from "svc-sdk/emulator";
import { signedDelivery } from "svc-sdk/testing";
import { normalizeTrigger, verifyWebhook } from "svc-sdk/webhooks";
// #region find
import type { Svc } from "svc-sdk";
import type { TriggerEvent } from "svc-sdk/webhooks";

async function userOf(svc: Svc, { userId, triggerId, legacyTriggerId }: TriggerEvent): Promise<string | undefined> {
  if (userId) return userId;
  for await (const { id, uuid, user_id } of svc.triggers.listActive({ show_disabled: true })) {
    if (id === triggerId || (uuid !== undefined && uuid === legacyTriggerId)) return user_id;
  }
  return undefined;
}
// #endregion

const { Svc: Client } = await import("svc-sdk");
const svc = new Client(createEmulator().connection);
await svc.triggers.upsert("GITHUB_COMMIT_EVENT", {
  user_id: "user-4711",
  trigger_config: { owner: "octo-org", repo: "hello-world" },
});
const [instance] = (await svc.triggers.listActive()).items;
const event = { trigger_name: "GITHUB_COMMIT_EVENT", trigger_id: instance?.uuid, payload: { message: "Fix" } };
const { request } = signedDelivery({ secret: "whsec_of_your_subscription", event });
const trigger = normalizeTrigger(await verifyWebhook(request, { secret: "whsec_of_your_subscription" }));
console.log(trigger?.version, trigger && (await userOf(svc, trigger)));
