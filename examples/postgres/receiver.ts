// Handles each event exactly once, in a transaction of PostgreSQL. Run it with DATABASE_URL, SVC_WEBHOOK_SECRET and PORT:
// node examples/postgres/receiver.ts

// #region receiver
import { createServer } from "node:http";
import { Pool, type PoolClient } from "pg";
import { postgresInbox } from "svc-sdk/stores";
import { createReceiver } from "svc-sdk/webhooks";
import { toNodeHandler } from "svc-sdk/webhooks/node";

const pool = new Pool({ connectionString: process.env["DATABASE_URL"] });
const inbox = postgresInbox<PoolClient>({ pool });

const receiver = createReceiver({
  store: inbox,
  on: {
    GITHUB_COMMIT_EVENT: async ({ payload }, context) => {
      const transaction = inbox.transaction(context);
      // Your own table: CREATE TABLE commits (message text)
      await transaction.query("INSERT INTO commits (message) VALUES ($1)", [payload["message"]]);
      console.log(`stored ${payload["message"]}`);
    },
  },
  onUnhandled: ({ type }) => console.log(`No handler for ${type}`),
});

const server = createServer(toNodeHandler(receiver)).listen(Number(process.env["PORT"] ?? 3000));
process.once("SIGTERM", () => server.close(() => pool.end())); // Running requests end first.
// #endregion

server.once("listening", () => {
  const { port }: { port: number } = Object(server.address());
  console.log(`Listening on http://127.0.0.1:${port}`);
});
