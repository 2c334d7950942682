// The second process: continues when the user has connected the account. Runs until you stop it:
// node examples/connect-and-continue/receiver.ts
// #region receiver
import { createServer } from "node:http";
import { redisDeliveries } from "svc-sdk/stores";
import { createReceiver } from "svc-sdk/webhooks";
import { toNodeHandler } from "svc-sdk/webhooks/node";
import { redis, resumeAgents } from "./agent.ts";

const receiver = createReceiver({
  store: redisDeliveries({ client: redis }),
  on: {
    "svc.connected_account.activated": async ({ event }) => {
      for (const text of await resumeAgents(event.data.user_id ?? "")) console.log(text); // Show it to the user.
    },
    "svc.connected_account.expired": ({ event }) =>
      console.log(`${event.data.user_id} must connect the account again.`),
  },
  onUnhandled: ({ type }) => console.log(`No handler for ${type}`),
});
const server = createServer(toNodeHandler(receiver)).listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1");
process.once("SIGTERM", () => server.close(() => redis.disconnect())); // Running requests end first.
server.once("listening", () => console.log("Waiting for events"));
// #endregion
