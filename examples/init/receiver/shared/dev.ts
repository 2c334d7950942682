// Starts a local emulator of the service, and the app with its keys. No account needed: npm run dev
import { createInterface } from "node:readline";
import { Svc } from "svc-sdk";
import { appUrl, emulator, startApp } from "./emulate.ts";
import { subscribe } from "./subscribe.ts";

const svc = new Svc(emulator.connection);
const { secret } = await subscribe(svc, appUrl);
startApp({ SVC_WEBHOOK_SECRET: secret });

console.log("Press Enter to simulate a commit on GitHub.");
for await (const _line of createInterface({ input: process.stdin })) {
  const { items } = await svc.triggers.listActive();
  if (items.length === 0) console.log("Nothing listens for commits yet: connect GitHub first.");
  for (const { id } of items) emulator.triggers.fire(id, { id: "c0ffee", message: "Fix the build", author: "ada" });
}
