// An MCP server over HTTP, for many users. Set MCP_TOKEN, and run it with: node examples/agents/mcp-http-server.ts
// #region http
// npm install svc-sdk @modelcontextprotocol/server @hono/node-server, save this as http.mts, then: node http.mts
import { serve } from "@hono/node-server";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { Svc } from "svc-sdk";
import { prepareToolset } from "svc-sdk/agents";
import { mcpServer } from "svc-sdk/agents/mcp";

const prepared = await prepareToolset(new Svc(), { tools: ["GITHUB_CREATE_AN_ISSUE"] });

/** The user of an access token. In your program: check the token with your sign-in. */
const userOf = (token: string) => (token && token === process.env["MCP_TOKEN"] ? "user-4711" : undefined);

const handler = createMcpHandler(async ({ authInfo }) => {
  const tools = await prepared.for({ userId: String(authInfo?.extra?.["userId"]) });
  return mcpServer(tools, new McpServer({ name: "my-tools", version: "1.0.0" }));
});
const fetch = async (request: Request) => {
  const token = (request.headers.get("authorization") ?? "").replace("Bearer ", "");
  const userId = userOf(token);
  if (!userId) return new Response(null, { status: 401, headers: { "www-authenticate": "Bearer" } });
  return handler.fetch(request, { authInfo: { token, clientId: "any", scopes: [], extra: { userId } } });
};
const port = Number(process.env["PORT"] ?? 3000);
serve({ fetch, port, hostname: "127.0.0.1" }, (address) => console.log(`http://127.0.0.1:${address.port}/mcp`));
// #endregion
