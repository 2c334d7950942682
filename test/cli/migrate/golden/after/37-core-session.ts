import { Svc } from "svc-sdk";

const composio = new Svc();
const userId = "user-4711";

const session = await composio.toolRouter.create({
  user_id: userId,
  toolkits: { enable: ["github", "textkit"] },
  auth_configs: { github: "ac_github_demo" },
  manage_connections: { callback_url: "https://app.example/connected", enable_wait_for_connections: true },
  tools: { textkit: { enable: ["TEXTKIT_REVERSE"] } },
});
console.log(session.id, session.mcp.url, session.mcp.headers);
const { items } = await session.toolkits({ is_connected: true });
console.log(items.length);
const found = await session.search({ queries: [{ use_case: "open an issue" }] });
console.log(found.results.length);
const run = await session.execute({ tool_slug: "TEXTKIT_REVERSE", arguments: { text: "abc", keepCase: true } });
console.log(run.error ?? run.data, run.log_id);
const request = await session.link({ toolkit: "slack", callback_url: "https://app.example/connected" });
console.log(request.redirect_url);
await session.update({ toolkits: { enable: ["github"] } });
const same = await composio.toolRouter.get(session.id);
await same.delete();
