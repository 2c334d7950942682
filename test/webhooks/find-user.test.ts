import { expect, test } from "vitest";
import { createEmulator } from "../../src/emulator/index.js";
import { Svc } from "../../src/index.js";
import { signedDelivery } from "../../src/testing/index.js";
import { normalizeTrigger, verifyWebhook } from "../../src/webhooks/index.js";

const SECRET = "whsec_of_your_subscription";

test("a V1 event's trigger instance is found by its legacy id, and names the user", async () => {
  const svc = new Svc(createEmulator().connection);
  const upserted = await svc.triggers.upsert("GITHUB_COMMIT_EVENT", {
    user_id: "user-4711",
    trigger_config: { owner: "octo-org", repo: "hello-world" },
  });
  const [instance] = (await svc.triggers.listActive()).items;
  for (const trigger_id of [instance?.uuid, upserted.trigger_id]) {
    const event = { trigger_name: "GITHUB_COMMIT_EVENT", trigger_id, payload: { message: "Fix" } };
    const delivery = await verifyWebhook(signedDelivery({ secret: SECRET, event }).request, { secret: SECRET });
    const trigger = normalizeTrigger(delivery);
    expect([trigger?.version, trigger?.userId]).toEqual(["V1", undefined]);
    const found = (await svc.triggers.listActive({ show_disabled: true })).items.find(
      ({ id, uuid }) => id === trigger?.triggerId || uuid === trigger?.legacyTriggerId,
    );
    expect(found?.user_id).toBe("user-4711");
  }
});
