// An MCP server over a toolset, for any MCP client. Run it with: node examples/agents/mcp-server.ts
// #region mcp
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { mcpServer } from "svc-sdk/agents/mcp";

const tools = await toolset(new Svc(), {
  userId: "user-4711",
  tools: ["GITHUB_CREATE_AN_ISSUE"],
  onAuthRequired: async ({ reason, toolkit, linkUrl }) => {
    if (reason === "account_required") return undefined; // Keeps the default text: it lists the accounts.
    return `Nothing ran. Ask the user to connect ${toolkit} at ${await linkUrl()}, then call it again.`;
  },
});
const server = mcpServer(tools, new McpServer({ name: "my-tools", version: "1.0.0" }));
await server.connect(new StdioServerTransport());
// #endregion
