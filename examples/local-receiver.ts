// Receives events on this machine. Runs until you stop it: node examples/local-receiver.ts
// #region receiver
// npm install svc-sdk, save this as receiver.mjs, then: node receiver.mjs
import { createServer } from "node:http";
import { createReceiver } from "svc-sdk/webhooks";
import { toNodeHandler } from "svc-sdk/webhooks/node";

const receiver = createReceiver({
  on: { GITHUB_COMMIT_EVENT: ({ userId, payload }) => console.log(`A commit for ${userId}: ${payload["message"]}`) },
  onUnhandled: ({ type }) => console.log(`No handler for ${type}`),
});
const server = createServer(toNodeHandler(receiver)).listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1");
process.once("SIGTERM", () => server.close()); // Running requests end first.
// #endregion
