import { Composio } from "@composio/core";

const composio = new Composio();
const userId = "user-4711";

const session = await composio.create(userId, {
  toolkits: ["github", "textkit"],
  authConfigs: { github: "ac_github_demo" },
  manageConnections: { callbackUrl: "https://app.example/connected", waitForConnections: true },
  tools: { textkit: ["TEXTKIT_REVERSE"] },
  mcp: true,
});
console.log(session.sessionId, session.mcp.url, session.mcp.headers);
const { items } = await session.toolkits({ isConnected: true });
console.log(items.length);
const found = await session.search({ query: "open an issue" });
console.log(found.results.length);
const run = await session.execute("TEXTKIT_REVERSE", { text: "abc", keepCase: true });
console.log(run.error ?? run.data, run.logId);
const request = await session.authorize("slack", { callbackUrl: "https://app.example/connected" });
console.log(request.redirectUrl);
await session.update({ toolkits: ["github"] });
const same = await composio.use(session.sessionId);
await same.delete();
