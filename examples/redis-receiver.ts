// A receiver that may run in many processes. Start several, each with REDIS_URL, SVC_WEBHOOK_SECRET and PORT set:
// node examples/redis-receiver.ts

// #region receiver
import { createServer } from "node:http";
import { Redis } from "ioredis";
import { redisStore } from "svc-sdk/stores/redis";
import { createReceiver } from "svc-sdk/webhooks";
import { toNodeHandler } from "svc-sdk/webhooks/node";

const client = new Redis(process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379");

const receiver = createReceiver({
  store: redisStore({ client, prefix: "svc:webhook:" }),
  on: {
    GITHUB_COMMIT_EVENT: async ({ id, payload }) => {
      // The effect has the delivery's id, so that a process that dies in between leaves nothing done twice.
      await client.hset("commits", id, String(payload["message"]));
      console.log(`stored ${payload["message"]}`);
    },
  },
  onUnknown: ({ type }) => console.log(`Nobody handles ${type}`),
  onError: (error, { status, delivery }) => console.error(`answered ${status} to ${delivery?.id}`, error),
});
// #endregion

// #region stop
const server = createServer(toNodeHandler(receiver)).listen(Number(process.env["PORT"] ?? 3000));
process.once("SIGTERM", () => server.close(() => client.disconnect())); // What has begun is answered first.
// #endregion

server.once("listening", () => {
  const { port }: { port: number } = Object(server.address());
  console.log(`Listening on http://127.0.0.1:${port}`);
});
