// Gives a session's tools to an older MCP client. Run it with: node examples/older-mcp-client.ts
// #region older
// npm install svc-sdk @modelcontextprotocol/sdk, save this as client.mts, then: node client.mts
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Svc } from "svc-sdk";

const svc = new Svc();

const session = await svc.toolRouter.create({ user_id: "ada", preload: { tools: ["TEXTKIT_REVERSE"] } });
const { url, headers } = session.mcp;
const client = new Client({ name: "my-agent", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
// #endregion

const { tools } = await client.listTools();
console.log(tools.map(({ name }) => name).join(" "));
const reversed = await client.callTool({ name: "TEXTKIT_REVERSE", arguments: { text: "abc" } });
console.log(JSON.stringify(reversed.content));
await client.close();

await session.delete();
