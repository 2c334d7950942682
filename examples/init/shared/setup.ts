// Subscribes to the real service's events, and adds the secret that signs them to .env. Run it once: npm run setup
import { appendFile } from "node:fs/promises";
import { Svc } from "svc-sdk";
import { subscribe } from "./service.ts";

const svc = new Svc();
const appUrl = process.env["APP_URL"];
if (!appUrl?.startsWith("https://"))
  throw new Error("Set APP_URL in .env: the URL where the service reaches this app.");

const { id } = await subscribe(svc, appUrl);
if (process.env["SVC_WEBHOOK_SECRET"]) {
  console.log("Subscribed, with the secret in .env.");
} else {
  // An existing subscription's secret is masked, so take a new one.
  const { secret } = await svc.webhookSubscriptions.rotateSecret(id);
  await appendFile(".env", `\nSVC_WEBHOOK_SECRET=${secret}\n`);
  console.log("Subscribed. SVC_WEBHOOK_SECRET is in .env now.");
}
