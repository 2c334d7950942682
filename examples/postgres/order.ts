// A local tool whose writes are committed with the record of its call. Run it with DATABASE_URL:
// node examples/postgres/order.ts

// #region order
// npm install svc-sdk pg
import { Pool, type PoolClient } from "pg";
import { Svc } from "svc-sdk";
import { type CallResult, type ToolCall, tool, toolset } from "svc-sdk/agents";
import { postgresExecutions } from "svc-sdk/stores";

const pool = new Pool({ connectionString: process.env["DATABASE_URL"] });
const svc = new Svc();

const orderOver = (transaction: PoolClient) =>
  tool({
    name: "order",
    description: "Orders an item.",
    parameters: { type: "object", properties: { item: { type: "string" } }, required: ["item"] },
    execute: async ({ item }) => {
      await transaction.query("INSERT INTO orders (item) VALUES ($1)", [item]);
      return "ordered";
    },
  });

export async function runOrder(call: ToolCall): Promise<CallResult | undefined> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    // Only local tools that write through the same client.
    const executions = postgresExecutions({ client });
    const tools = await toolset(svc, { userId: "user-4711", tools: [orderOver(client)], executions });
    const [result] = await tools.run([call]);
    await client.query(result?.status === "succeeded" ? "COMMIT" : "ROLLBACK");
    client.release();
    return result;
  } catch (error) {
    client.release(true); // A closed connection rolls back.
    throw error;
  }
}
// #endregion

for (const attempt of ["first", "second"]) {
  const result = await runOrder({ callId: "call_1", name: "order", arguments: { item: "lamp" } });
  console.log(`${attempt}: ${result?.text} ${result?.isReplay ? "again" : "now"}`);
}
await pool.end();
