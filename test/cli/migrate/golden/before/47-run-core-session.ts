import { Composio } from "@composio/core";

export async function main({ apiKey, url }: { apiKey: string; url: string }): Promise<unknown> {
  const composio = new Composio({ apiKey, baseURL: url, allowTracking: false, disableVersionCheck: true });
  const session = await composio.create("user-4711", { toolkits: ["github", "slack", "textkit"], mcp: true });
  const { items } = await session.toolkits({ isConnected: true });
  const run = await session.execute("TEXTKIT_REVERSE", { text: "abc" });
  const request = await session.authorize("slack");
  await fetch(`${request.redirectUrl}/complete`, { method: "POST", redirect: "manual" });
  const account = await request.waitForConnection(5_000);
  const again = await composio.use(session.sessionId);
  const isSame = again.sessionId === session.sessionId && again.mcp.url === session.mcp.url;
  await again.delete();
  return [items.map(({ slug }) => slug), run.data, run.error, account.status, account.toolkit.slug, isSame];
}
