// Receives a trigger's events in a Fastify application. In your own project: npm install svc-sdk fastify
// Set SVC_WEBHOOK_SECRET to the secret of your webhook subscription, and run it with:
// node examples/fastify-receiver/server.ts
import type { AddressInfo } from "node:net";
// #region app
import fastify from "fastify";
import { createReceiver } from "svc-sdk/webhooks";
import { toNodeHandler } from "svc-sdk/webhooks/node";

const app = fastify();

const receiver = createReceiver({
  on: { GITHUB_COMMIT_EVENT: ({ payload }) => console.log(`commit: ${payload["message"]}`) },
  onUnhandled: ({ type }) => console.log(`No handler for ${type}`),
});
app.register(async (scope) => {
  scope.removeAllContentTypeParsers(); // Only in this scope: other routes get parsed JSON.
  scope.addContentTypeParser("*", (_request, _body, done) => done(null)); // The receiver reads the body.
  scope.post("/webhooks", toNodeHandler(receiver));
});
app.get("/", async () => "It works");

await app.listen({ port: Number(process.env["PORT"] ?? 3000) });
process.once("SIGTERM", () => void app.close()); // Running requests end first.
// #endregion

// address() returns an AddressInfo if the server listens on a port.
console.log(`Listening on http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
