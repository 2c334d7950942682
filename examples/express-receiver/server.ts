// Receives a trigger's events in an Express application. In your own project: npm install svc-sdk express
// Set SVC_WEBHOOK_SECRET to the secret of your webhook subscription, and run it with:
// node examples/express-receiver/server.ts
import type { AddressInfo } from "node:net";
// #region app
import express from "express";
import { createReceiver } from "svc-sdk/webhooks";
import { toNodeHandler } from "svc-sdk/webhooks/node";

const app = express();

const receiver = createReceiver({
  on: { GITHUB_COMMIT_EVENT: ({ payload }) => console.log(`commit: ${payload["message"]}`) },
  onUnhandled: ({ type }) => console.log(`No handler for ${type}`),
});
app.post("/webhooks", toNodeHandler(receiver)); // Before express.json(): the signature covers the raw body.

app.use(express.json()); // For everything else.
app.get("/", (_request, response) => void response.send("It works"));

const server = app.listen(Number(process.env["PORT"] ?? 3000));
process.once("SIGTERM", () => server.close()); // Running requests end first.
// #endregion

server.once("listening", () => {
  // address() returns an AddressInfo if the server listens on a port.
  console.log(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
