// Rotates a signing secret while deliveries arrive. ../rotate-secret.ts runs it.
// #region rotate
import { readFile, rename, writeFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import type { Svc } from "svc-sdk";
import { createReceiver } from "svc-sdk/webhooks";

const FILE = process.env["SECRETS_FILE"] ?? "webhook-secrets.json"; // Or an entry of your secret manager.

interface Stored {
  readonly secrets: readonly string[];
  /** Whether a rotation began whose new secret isn't stored. */
  readonly isRotating: boolean;
}

const load = async (): Promise<Stored> => JSON.parse(await readFile(FILE, "utf8"));

export async function save(stored: Stored): Promise<void> {
  await writeFile(`${FILE}.new`, JSON.stringify(stored), { mode: 0o600 });
  await rename(`${FILE}.new`, FILE); // A crash leaves the old file or the new one.
}

/** Waits for a rotation to end: events of that moment are signed with the new secret. A rotation that failed is left. */
async function secrets(): Promise<readonly string[]> {
  let stored = await load();
  for (let tries = 0; stored.isRotating && tries < 20; tries += 1) {
    await setTimeout(100);
    stored = await load();
  }
  return stored.secrets;
}

export const receiver = createReceiver({
  secrets, // Called again if no secret matches a delivery.
  on: {},
  onUnhandled: ({ secretIndex }) => console.log(`signed with secret ${secretIndex}`),
});

/** Rotates the secret. If it fails, run it again: each rotation returns a new secret. */
export async function rotate(svc: Svc, subscriptionId: string): Promise<void> {
  const { secrets } = await load();
  await save({ secrets, isRotating: true });
  const { secret } = await svc.webhookSubscriptions.rotateSecret(subscriptionId);
  await save({ secrets: [secret, ...secrets].slice(0, 2), isRotating: false }); // The new one, and the last one.
}

/** Run it at each start: it repeats a rotation whose response was lost, or that a crash interrupted. */
export async function finishRotation(svc: Svc, subscriptionId: string): Promise<void> {
  if ((await load()).isRotating) await rotate(svc, subscriptionId);
}
// #endregion
