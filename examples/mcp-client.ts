// Gives a session's tools to an MCP client. Run it with: node examples/mcp-client.ts
// #region connect
// npm install svc-sdk @modelcontextprotocol/client, save this as client.mts, then: node client.mts
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Svc } from "svc-sdk";

const svc = new Svc();

const session = await svc.toolRouter.create({ user_id: "ada", preload: { tools: ["TEXTKIT_REVERSE"] } });
const { url, headers } = session.mcp;
const client = new Client({ name: "my-agent", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
// #endregion

// #region call
const { tools } = await client.listTools();
console.log(tools.map(({ name }) => name).join(" "));
// SVC_SEARCH_TOOLS SVC_GET_TOOL_SCHEMAS SVC_MULTI_EXECUTE_TOOL … TEXTKIT_REVERSE
const reversed = await client.callTool({ name: "TEXTKIT_REVERSE", arguments: { text: "abc" } });
console.log(JSON.stringify(reversed.content));
// [{"type":"text","text":"{\"data\":{\"text\":\"cba\"},\"error\":null,\"successful\":true}"}]
await client.close();
// #endregion

await session.delete();
