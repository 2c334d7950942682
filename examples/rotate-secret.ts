// Rotates a signing secret, loses the response, and rotates again. Run it with: node examples/rotate-secret.ts
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Svc } from "svc-sdk";
import { createEmulator } from "svc-sdk/emulator";
import { signedDelivery } from "svc-sdk/testing";

const file = join(tmpdir(), `webhook-secrets-${crypto.randomUUID()}.json`);
process.env["SECRETS_FILE"] = file;
const { finishRotation, receiver, rotate, save } = await import("./rotate-secret/rotate.ts");

const emulator = createEmulator(); // In this process, so that it can be made to lose a response.
const svc = new Svc(emulator.connection);
const { id, secret } = await svc.webhookSubscriptions.ensure({
  webhook_url: "https://app.example/webhooks",
  enabled_events: ["svc.trigger.message"],
});
await save({ secrets: [secret], isRotating: false }); // Only creating and rotating are guaranteed to return it.

emulator.faults.next("webhookSubscriptions.rotateSecret", { connection: "reset", when: "after" });
await rotate(svc, id).catch(() => console.log("the new secret was lost"));
await finishRotation(svc, id);

const current = (await svc.webhookSubscriptions.get(id)).secret;
console.log((await receiver(signedDelivery({ secret: current }).request)).status);
console.log((await receiver(signedDelivery({ secret }).request)).status); // A retry that was signed before.
rmSync(file);
