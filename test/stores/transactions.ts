import { tool, toolset } from "../../src/agents/index.js";
import { Svc } from "../../src/index.js";
import { postgresExecutions, postgresInbox } from "../../src/stores/postgres.js";
import { signedDelivery } from "../../src/testing/index.js";
import { createReceiver, type Receiver } from "../../src/webhooks/index.js";
import type { Pool, PooledClient } from "./postgres-clients.js";

const SECRET = "whsec_of_the_inbox, 0123456789";

/** The tables that handlers and tools write to. Nothing in them prevents a second row. */
export const EFFECTS = "CREATE TABLE effects (id text, process int); CREATE TABLE audits (id text)";

async function write(client: PooledClient, id: string): Promise<void> {
  await client.query("INSERT INTO effects VALUES ($1, $2)", [id, process.pid]);
  await client.query("INSERT INTO audits VALUES ($1)", [id]);
}

/** A receiver whose handler writes in the inbox's transaction. */
export function receiverOver(
  pool: Pool,
  { handle = write, onError = () => {} }: { handle?: typeof write; onError?: (error: unknown) => unknown } = {},
): Receiver {
  const inbox = postgresInbox<PooledClient>({ pool });
  return createReceiver({
    secret: SECRET,
    store: inbox,
    on: {},
    onUnhandled: async ({ id }, context) => await handle(inbox.transaction(context), id),
    onError,
    // As short as a lease can be.
    handlerTimeoutMs: 2_000,
  });
}

/** Delivers an event. Returns the status of the response. */
export async function deliverTo(receiver: Receiver, id: string): Promise<number> {
  const { request } = signedDelivery({ secret: SECRET, id });
  return (await receiver(request)).status;
}

/** Runs a call whose local tool writes, and commits its record and its writes together. */
export async function inTransaction(pool: Pool, callId: string): Promise<string> {
  const client = await pool.connect();
  const ignore = () => {};
  client.on("error", ignore);
  try {
    await client.query("BEGIN");
    const order = tool({
      name: "order",
      description: "Orders something.",
      parameters: { type: "object", properties: {} },
      execute: async () => {
        await write(client, callId);
        return "ordered";
      },
    });
    const tools = await toolset(new Svc({ baseUrl: "https://service.test", apiKey: "key", env: {} }), {
      userId: "user-1",
      tools: [order],
      executions: postgresExecutions({ client }),
    });
    const [result] = await tools.run([{ callId, name: "order", arguments: {} }]);
    await client.query(result?.status === "succeeded" ? "COMMIT" : "ROLLBACK");
    client.off("error", ignore);
    client.release();
    return `${result?.status}: ${result?.text}`;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
