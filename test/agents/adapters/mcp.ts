import { mcpServer, mcpTools } from "../../../src/agents/adapters/mcp.js";
import type { Toolset } from "../../../src/agents/index.js";
import { type AdaptersUnderTest, type Any, withSchema } from "../adapter-under-test.js";

function registered(tools: Toolset): Map<string, Any> {
  const byName = new Map<string, Any>();
  mcpServer(tools, {
    registerTool: (name, config, handler) => byName.set(name, { config, handler }),
  });
  return byName;
}

const mcpReq = {
  signal: new AbortController().signal,
  requestState: () => undefined,
  notify: async () => undefined,
};

export const adapters: AdaptersUnderTest = {
  guide: {
    page: "mcp-server",
    title: "MCP server",
    about: "Serve and use MCP tools",
    packages: ["@modelcontextprotocol/server"],
  },
  libraries: {
    mcp: {
      passesText: false,
      shown: (tools) => [...registered(tools)].map(([name, { config }]) => withSchema([name, config])),
      run: async (tools, name, args) => (await registered(tools).get(name).handler(args, { mcpReq })).content[0].text,
    },
  },
  options: (tools) => ({
    mcpServer: {
      call: (o) => mcpServer(tools, { registerTool: () => undefined }, o),
      good: { approver: "ada" },
      wrong: { approver: 1 },
    },
    mcpTools: {
      call: (o) => mcpTools({ listTools: async () => ({ tools: [] }), callTool: async () => ({}) }, o),
      good: { prefix: "a_" },
      wrong: { prefix: 1 },
    },
  }),
};
