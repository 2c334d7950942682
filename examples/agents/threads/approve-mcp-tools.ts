// Some tools of an MCP server need an approval: https://github.com/openai/openai-agents-python/issues/802
// Run it with: node examples/agents/threads/approve-mcp-tools.ts
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Svc } from "svc-sdk";
import { memoryExecutions, toolset } from "svc-sdk/agents";
import { mcpTools } from "svc-sdk/agents/mcp";
import { allow, approvals, ask, describeApproval, policy } from "svc-sdk/agents/policy";

const client = new Client({ name: "my-agent", version: "1.0.0" });
const server = fileURLToPath(new URL("../notes-server.ts", import.meta.url));
await client.connect(new StdioClientTransport({ command: "node", args: [server] }));

const gate = approvals({ keys: [{ id: "2026-11", secret: process.env["APPROVAL_SECRET"] ?? "" }] });
const tools = await toolset(new Svc(), {
  userId: "user-4711",
  tools: await mcpTools(client, { prefix: "notes_" }),
  policy: policy([allow({ tools: ["notes_list"] }), ask({ tools: ["notes_add"], reason: "It writes." })]),
  approvals: gate,
  executions: memoryExecutions(),
});
const list = { callId: "call_1", name: "notes_list", arguments: {} };
const add = { callId: "call_2", name: "notes_add", arguments: { text: "Buy milk" } };
const [listed, asked] = await tools.run([list, add]); // Or with an adapter: openaiAgents(tools), aiSdk(tools), …
console.log(listed?.status, asked?.status);

if (!asked?.pendingApproval) throw new Error("No approval is pending.");
console.log(describeApproval(asked.pendingApproval));
const token = await gate.approve(asked.pendingApproval, { approver: "ada@example.com" });
const [added] = await tools.run([add], { approvals: [token] });
console.log(added?.status, added?.text);
await client.close();
