// Starts each server over stdio, asks for its tools, and writes their schemas down for the tests. No tool is called.
// npm ci --prefix test/programs/mcp-servers --ignore-scripts && node test/programs/mcp-servers/dump.mjs && npx biome check --write
// test/agents
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const HERE = new URL(".", import.meta.url);
const FIXTURE = new URL("../../agents/schema/real-tools.json", HERE);

/** Placeholders for what some servers want before they list their tools. */
const ENVIRONMENT = {
  GITHUB_PERSONAL_ACCESS_TOKEN: "placeholder",
  GITLAB_PERSONAL_ACCESS_TOKEN: "placeholder",
  GITLAB_TOOLSETS: "all",
  USE_GITLAB_WIKI: "true",
  USE_MILESTONE: "true",
  USE_PIPELINE: "true",
  SLACK_BOT_TOKEN: "xoxb-placeholder",
  SLACK_TEAM_ID: "T0",
  NOTION_TOKEN: "ntn_placeholder",
  AIRTABLE_API_KEY: "pat123.placeholder",
  FIRECRAWL_API_KEY: "fc-placeholder",
  TAVILY_API_KEY: "tvly-placeholder",
};
const ARGUMENTS = { "@modelcontextprotocol/server-filesystem": ["/tmp"] };
const TIMEOUT_MS = 60_000;

function binaryOf(name) {
  const folder = new URL(`node_modules/${name}/`, HERE);
  const { bin } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));
  return new URL(typeof bin === "string" ? bin : Object.values(bin)[0], folder).pathname;
}

async function toolsOf(name) {
  const server = spawn(process.execPath, [binaryOf(name), ...(ARGUMENTS[name] ?? [])], {
    env: { ...process.env, ...ENVIRONMENT },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const timeout = setTimeout(() => server.kill(), TIMEOUT_MS);
  const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "schema-dump", version: "1" };
  send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  const tools = [];
  try {
    for await (const line of createInterface({ input: server.stdout })) {
      if (!line.startsWith("{")) continue;
      const { id, result, error } = JSON.parse(line);
      if (error) throw new Error(`${name}: ${error.message}`);
      if (id === 1) send({ method: "notifications/initialized" });
      if (id === 2) tools.push(...result.tools);
      if (id === 1 || (id === 2 && result.nextCursor)) {
        send({ id: 2, method: "tools/list", params: { ...(result.nextCursor && { cursor: result.nextCursor }) } });
      } else if (id === 2) return tools;
    }
  } finally {
    clearTimeout(timeout);
    server.kill();
  }
  throw new Error(`${name} listed no tools.`);
}

const { dependencies } = JSON.parse(readFileSync(new URL("package.json", HERE), "utf8"));
const servers = [];
for (const [name, version] of Object.entries(dependencies)) {
  const tools = (await toolsOf(name)).map(({ name: tool, inputSchema, outputSchema }) => ({
    name: tool,
    inputSchema,
    outputSchema,
  }));
  console.log(`${name} ${version}: ${tools.length} tools`);
  servers.push({ name, version, tools });
}
writeFileSync(FIXTURE, `${JSON.stringify(servers)}\n`);
