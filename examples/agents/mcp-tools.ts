// Tools of another MCP server, under your rules. Run it with: node examples/agents/mcp-tools.ts
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// The example writes to a temporary folder.
process.chdir(mkdtempSync(join(tmpdir(), "svc-mcp-")));

// #region mcp-tools
// npm install svc-sdk @modelcontextprotocol/client @modelcontextprotocol/server zod, save this as notes.mts, then: node notes.mts
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { mcpTools } from "svc-sdk/agents/mcp";
import { allow, budget, policy } from "svc-sdk/agents/policy";

const client = new Client({ name: "my-agent", version: "1.0.0" });
const server = fileURLToPath(new URL("notes-server.ts", import.meta.url));
await client.connect(new StdioClientTransport({ command: "node", args: [server] }));

const tools = await toolset(new Svc(), {
  userId: "user-4711",
  tools: ["GITHUB_CREATE_AN_ISSUE", ...(await mcpTools(client, { prefix: "notes_" }))],
  policy: policy([
    allow({ tools: ["GITHUB_CREATE_AN_ISSUE", "notes_add"] }),
    budget({ tools: ["notes_add"], maxCalls: 1 }),
  ]),
});
const call = (name: string, args: object, callId: string) => ({ callId, name, arguments: args });
const results = await tools.run([
  call("notes_add", { text: "The build is broken." }, "call_1"),
  call("notes_add", { text: "Again." }, "call_2"),
  call("notes_list", {}, "call_3"),
]);
for (const { status, text } of results) console.log(status, text);
// succeeded {"count":1}
// not_run notes_add was not allowed, so nothing ran: The budget of 1 call is used up. …
// not_run notes_list was not allowed, so nothing ran: No rule allows it. …
// #endregion

console.log(tools.tools.length, "tools");

// #region mcp-lock
import { readFile, writeFile } from "node:fs/promises";
import { mcpLock } from "svc-sdk/agents/mcp";

// After you have reviewed the tools. Commit the file:
await writeFile("mcp.lock.json", JSON.stringify(await mcpLock(client), null, 2));

// In your program:
const lock = JSON.parse(await readFile("mcp.lock.json", "utf8"));
const locked = await mcpTools(client, { prefix: "notes_", lock }); // Throws if a tool has changed.
console.log(locked.map(({ name }) => name).join(" ")); // notes_list notes_add
await client.close();
// #endregion
