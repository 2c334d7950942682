import { Svc } from "svc-sdk";

export async function main({ apiKey, url }: { apiKey: string; url: string }): Promise<unknown> {
  const composio = new Svc({ apiKey, baseUrl: url });
  const session = await composio.toolRouter.create({ user_id: "user-4711", toolkits: { enable: ["github", "slack", "textkit"] } });
  const { items } = await session.toolkits({ is_connected: true });
  const run = await session.execute({ tool_slug: "TEXTKIT_REVERSE", arguments: { text: "abc" } });
  const request = await session.link({ toolkit: "slack" });
  await fetch(`${request.redirect_url}/complete`, { method: "POST", redirect: "manual" });
  const account = await composio.connectedAccounts.waitUntilActive(request.connected_account_id, { deadlineMs: 5_000 });
  const again = await composio.toolRouter.get(session.id);
  const isSame = again.id === session.id && again.mcp.url === session.mcp.url;
  await again.delete();
  return [items.map(({ slug }) => slug), run.data, run.error, account.status, account.toolkit.slug, isSame];
}
