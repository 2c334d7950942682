// An MCP server with notes, as another team may run one. mcp-tools.ts starts it.
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const notes: string[] = [];
const server = new McpServer({ name: "notes", version: "1.0.0" });
server.registerTool("list", { description: "Lists the notes.", inputSchema: z.object({}) }, () => ({
  content: [{ type: "text", text: JSON.stringify({ notes }) }],
}));
server.registerTool("add", { description: "Adds a note.", inputSchema: z.object({ text: z.string() }) }, ({ text }) => {
  notes.push(text);
  return { content: [{ type: "text", text: JSON.stringify({ count: notes.length }) }] };
});
await server.connect(new StdioServerTransport());
