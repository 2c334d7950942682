// Receives a trigger's events in a Hono application. In your own project: npm install svc-sdk hono @hono/node-server
// Set SVC_WEBHOOK_SECRET to the secret of your webhook subscription, and run it with:
// node examples/hono-receiver/server.ts
import type { AddressInfo } from "node:net";
// #region app
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { createReceiver } from "svc-sdk/webhooks";

const receiver = createReceiver({
  on: { GITHUB_COMMIT_EVENT: ({ payload }) => console.log(`commit: ${payload["message"]}`) },
  onUnhandled: ({ type }) => console.log(`No handler for ${type}`),
});

const app = new Hono();
app.post("/webhooks", (context) => receiver(context.req.raw));
app.get("/", (context) => context.text("It works"));

const server = serve({ fetch: app.fetch, port: Number(process.env["PORT"] ?? 3000) });
process.once("SIGTERM", () => server.close()); // Running requests end first.
// #endregion

server.once("listening", () => {
  // address() returns an AddressInfo if the server listens on a port.
  console.log(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
