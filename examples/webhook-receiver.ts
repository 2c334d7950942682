// Receives a trigger's events and runs each once, however often it comes.
// Run it after a build with: node examples/webhook-receiver.ts
import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Svc, type SvcOptions } from "svc-sdk";
import { createReceiver } from "svc-sdk/webhooks";
import { toNodeHandler } from "svc-sdk/webhooks/node";

// The service: an emulator in a process of its own, which sends each delivery three times.
const service = fork(new URL("webhook-sender.ts", import.meta.url));
const [connection]: SvcOptions[] = await once(service, "message");
const svc = new Svc(connection);

// The address comes first: the subscription needs it, and its answer holds the secret.
const server = createServer().listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;
const { secret } = await svc.webhookSubscriptions.ensure({
  webhook_url: `http://127.0.0.1:${port}/webhooks`,
  enabled_events: ["svc.trigger.message"],
});

const commits: string[] = [];
// #region receiver
const receiver = createReceiver<{ GITHUB_COMMIT_EVENT: { message: string; author: string } }>({
  secret,
  on: {
    GITHUB_COMMIT_EVENT: async ({ userId, payload }) => {
      console.log(`${payload.author} committed "${payload.message}" for ${userId}`);
      commits.push(payload.message);
    },
  },
  onUnknown: ({ type }) => console.log(`nobody handles ${type}`),
});
server.on("request", toNodeHandler(receiver));
// #endregion

const { trigger_id } = await svc.triggers.upsert("GITHUB_COMMIT_EVENT", {
  user_id: "user-4711",
  trigger_config: { owner: "octo-org", repo: "hello-world" },
});
service.send({ trigger_id, payload: { id: "c0ffee", message: "Fix the build", author: "ada" } });
const [states]: string[][] = await once(service, "message");

console.log(`deliveries: ${states?.join(", ")}; handled: ${commits.length}`);
if (states?.join() !== "delivered,delivered,delivered" || commits.length !== 1) process.exitCode = 1;

service.disconnect();
server.close();
server.closeAllConnections();
