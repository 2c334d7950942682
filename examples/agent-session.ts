// What an agent does in a session: search, connect, execute. Run it with: node examples/agent-session.ts
// #region create
// npm install svc-sdk, save this as session.mts, then: node session.mts
import { Svc } from "svc-sdk";

const svc = new Svc();

const session = await svc.toolRouter.create({ user_id: "ada", toolkits: { enable: ["github", "textkit"] } });
const { url, headers } = session.mcp; // For an MCP client. `headers` contains your key: never print it.
console.log(`An MCP client reaches the session at ${url} with ${Object.keys(headers).join()}`);
// An MCP client reaches the session at http://127.0.0.1:4747/tool_router/v3/trs_…/mcp with x-api-key
// #endregion

// #region search
const found = await session.search({ queries: [{ use_case: "create an issue" }] });
const tool = found.results[0]?.primary_tool_slugs[0] ?? "";
const missing = found.toolkit_connection_statuses.filter((status) => !status.has_active_connection);
console.log(`${tool} fits; not connected: ${missing.map(({ toolkit }) => toolkit).join()}`);
// GITHUB_CREATE_AN_ISSUE fits; not connected: github
// #endregion

// #region connect
for (const { toolkit } of missing) {
  const { redirect_url, connected_account_id } = await session.link({ toolkit });
  console.log(`The agent asks its user to open ${redirect_url}`);
  // The emulator's page, confirmed. With the real service, your user opens redirect_url in a browser.
  await fetch(`${redirect_url}/complete`, { method: "POST", redirect: "manual" });
  await svc.connectedAccounts.waitUntilActive(connected_account_id);
}
// #endregion

// #region execute
const run = await session.execute({
  tool_slug: tool,
  arguments: { owner: "octo-org", repo: "hello-world", title: "From an agent" },
});
if (run.error === null) console.log(`Opened ${run.data["html_url"]}`);
else console.error(`${tool} failed: ${run.error}`);
// Opened https://github.example.com/octo-org/hello-world/issues/1
// #endregion

await session.delete();
