// A receiver for several processes. Start each of them with REDIS_URL, SVC_WEBHOOK_SECRET and PORT set:
// node examples/redis-receiver.ts

// #region receiver
import { createServer } from "node:http";
import { Redis } from "ioredis";
import { redisDeliveries } from "svc-sdk/stores";
import { createReceiver } from "svc-sdk/webhooks";
import { toNodeHandler } from "svc-sdk/webhooks/node";

const client = new Redis(process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379");

const receiver = createReceiver({
  store: redisDeliveries({ client, prefix: "svc:webhook:" }),
  on: {
    GITHUB_COMMIT_EVENT: async ({ id, payload }) => {
      // Keyed by the delivery's id: if the process dies before the commit, the next run overwrites the same entry.
      await client.hset("commits", id, String(payload["message"]));
      console.log(`stored ${payload["message"]}`);
    },
  },
  onUnhandled: ({ type }) => console.log(`No handler for ${type}`),
  onError: (error, { status, delivery }) => console.error(`responded ${status} to ${delivery?.id}`, error),
});

const server = createServer(toNodeHandler(receiver)).listen(Number(process.env["PORT"] ?? 3000));
process.once("SIGTERM", () => server.close(() => client.disconnect())); // Running requests end first.
// #endregion

server.once("listening", () => {
  const { port }: { port: number } = Object(server.address());
  console.log(`Listening on http://127.0.0.1:${port}`);
});
