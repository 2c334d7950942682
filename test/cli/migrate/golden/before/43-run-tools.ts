import Composio, { NotFoundError } from "@composio/client";

export async function main({ apiKey, url }: { apiKey: string; url: string }): Promise<unknown> {
  const composio = new Composio({ apiKey, baseURL: url, maxRetries: 0 });
  const tool = await composio.tools.retrieve("TEXTKIT_REVERSE", { version: "latest" });
  const run = await composio.tools.execute(tool.slug, {
    user_id: "user-4711",
    version: tool.version,
    arguments: { text: "stressed" },
  });
  const missing = await composio.toolkits.retrieve("missing").catch((error: unknown) => error instanceof NotFoundError);
  const scopes = await composio.tools.retrieveRequiredScopes({ tools: ["GITHUB_CREATE_AN_ISSUE"] });
  const proxied = await composio.tools.proxy({
    endpoint: "/weather",
    method: "GET",
    connected_account_id: "ca_weather_demo",
    parameters: [{ name: "city", value: "Lisbon", type: "query" }],
  });
  return [tool.name, run.data, run.successful, missing, scopes, proxied.status];
}
