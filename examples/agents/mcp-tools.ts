// Tools of another MCP server, under your rules. Run it with: node examples/agents/mcp-tools.ts
// #region mcp-tools
// npm install svc-sdk @modelcontextprotocol/client
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { mcpTools } from "svc-sdk/agents/mcp";
import { allow, budget, policy } from "svc-sdk/agents/policy";

const client = new Client({ name: "my-agent", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: "node", args: ["examples/agents/notes-server.ts"] }));

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
await client.close();

// #endregion

// #region mcp-lock
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mcpLock } from "svc-sdk/agents/mcp";

/** Locks the tools once; later, tools that have changed are an error. */
async function lockedTools(file: string) {
  const server = new Client({ name: "my-agent", version: "1.0.0" });
  await server.connect(new StdioClientTransport({ command: "node", args: ["examples/agents/notes-server.ts"] }));
  const known = await readFile(file, "utf8").catch(() => undefined);
  const lock = known === undefined ? await mcpLock(server) : JSON.parse(known);
  if (known === undefined) await writeFile(file, JSON.stringify(lock, null, 2)); // Commit the file, and review changes.
  return { server, local: await mcpTools(server, { lock }) };
}
// #endregion
const file = join(await mkdtemp(join(tmpdir(), "mcp-")), "mcp.lock.json");
for (const _ of [1, 2]) {
  const { server, local } = await lockedTools(file);
  console.log(local.length, "locked tools");
  await server.close();
}
