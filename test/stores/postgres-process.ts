// A process that shares PostgreSQL with others, and runs calls of a local tool under a budget. A test kills it, or the
// server. Its environment names the server, this process and how many calls.
import { tool, toolset } from "../../src/agents/index.js";
import { allow, budget, policy } from "../../src/agents/policy-entry.js";
import { Svc } from "../../src/index.js";
import { postgresBudgets, postgresExecutions } from "../../src/stores/postgres.js";
import { poolOf } from "./postgres-clients.js";

const { POSTGRES_HOST = "", NAME = "", CALLS = "", LIMIT = "" } = process.env;
const client = poolOf(POSTGRES_HOST, 2);
const send = tool({
  name: "send",
  description: "Sends a message.",
  parameters: { type: "object", properties: {} },
  execute: (_, { callId }) => {
    process.send?.(callId);
    return callId;
  },
});
const tools = await toolset(new Svc({ baseUrl: "https://service.test", apiKey: "key", env: {} }), {
  userId: "user-1",
  tools: [send],
  policy: policy([allow({}), budget({ maxCalls: Number(LIMIT), per: "all" })], {
    budgets: postgresBudgets({ client }),
  }),
  executions: postgresExecutions({ client }),
});
for (let number = 0; number < Number(CALLS); number += 1) {
  // Every second call has the same id in all processes, and is tried until the database says what happened to it.
  const callId = number % 2 === 0 ? `shared ${number}` : `${NAME} ${number}`;
  for (let tries = 0; tries < 100; tries += 1) {
    const [result] = await tools.run([{ callId, name: "send", arguments: {} }]);
    if (result?.status !== "not_run" || result.error === undefined) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
process.send?.("done");
await client.end();
process.disconnect?.();
