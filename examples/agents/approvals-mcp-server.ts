// An MCP server whose client's user approves calls. Run it with: node examples/agents/approvals-mcp-server.ts
// #region mcp
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { Svc } from "svc-sdk";
import { memoryExecutions, toolset } from "svc-sdk/agents";
import { mcpServer } from "svc-sdk/agents/mcp";
import { approvals, ask, policy } from "svc-sdk/agents/policy";

const gate = approvals({ keys: [{ id: "2026-11", secret: process.env["APPROVAL_SECRET"] ?? "" }] });
const tools = await toolset(new Svc(), {
  userId: "user-4711",
  tools: ["GITHUB_CREATE_AN_ISSUE"],
  policy: policy([ask({ tools: ["GITHUB_CREATE_AN_ISSUE"] })]),
  approvals: gate,
  executions: memoryExecutions(),
});
const server = new McpServer({ name: "my-tools", version: "1.0.0" });
mcpServer(tools, server, { approvals: gate, approver: "user-4711" });
await server.connect(new StdioServerTransport());
// #endregion
