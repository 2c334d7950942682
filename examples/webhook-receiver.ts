// Receives a trigger's events over HTTP and handles each once. Runs until you stop it:
// node examples/webhook-receiver.ts
// #region server
import { createServer } from "node:http";
import { Svc } from "svc-sdk";
import { createReceiver } from "svc-sdk/webhooks";
import { toNodeHandler } from "svc-sdk/webhooks/node";

const svc = new Svc();
const port = Number(process.env["PORT"] ?? 3000);
// #endregion

// #region subscribe
const { secret } = await svc.webhookSubscriptions.ensure({
  webhook_url: `http://127.0.0.1:${port}/webhooks`,
  enabled_events: ["svc.trigger.message"],
});
// #endregion

// #region receive
const receiver = createReceiver({
  secret,
  on: {
    GITHUB_COMMIT_EVENT: ({ userId, payload }) => console.log(`A commit for ${userId}: ${payload["message"]}`),
  },
  onUnhandled: ({ type }) => console.log(`No handler for ${type}`),
});
const server = createServer(toNodeHandler(receiver)).listen(port, "127.0.0.1");
process.once("SIGTERM", () => server.close()); // Running requests end first.
// #endregion

// #region listen
const { trigger_id } = await svc.triggers.upsert("GITHUB_COMMIT_EVENT", {
  user_id: "user-4711",
  trigger_config: { owner: "octo-org", repo: "hello-world" },
});
console.log(`${trigger_id} listens for commits`);
// #endregion
