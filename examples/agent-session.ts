// What an agent does in a session: search, connect, execute. Run it with: node examples/agent-session.ts
import { Svc } from "svc-sdk";
import { createEmulator } from "svc-sdk/emulator";

const emulator = createEmulator();
const svc = new Svc(emulator.connection);

// #region create
const session = await svc.toolRouter.create({ user_id: "ada", toolkits: { enable: ["github", "textkit"] } });
const { url, headers } = session.mcp; // What an MCP client needs. `headers` holds your key: never print it.
console.log(`An MCP client reaches the session at ${url} with ${Object.keys(headers).join()}`);
// #endregion

// #region search
const found = await session.search({ queries: [{ use_case: "create an issue" }] });
const tool = found.results[0]?.primary_tool_slugs[0] ?? "";
const missing = found.toolkit_connection_statuses.filter((status) => !status.has_active_connection);
console.log(`${tool} fits; not connected: ${missing.map(({ toolkit }) => toolkit).join()}`);
// #endregion

// #region connect
for (const { toolkit } of missing) {
  const { redirect_url, connected_account_id } = await session.link({ toolkit });
  console.log(`The agent asks its user to open ${redirect_url}`);
  // No browser here: this is what the user's click does.
  await emulator.fetch(`${redirect_url}/complete`, { method: "POST" });
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
// #endregion

await session.delete();
