import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, test } from "vitest";
import { FRONTS, type Front, inProcess } from "./fronts.js";

async function connected(front: Front, config = {}) {
  const session = await front.svc.toolRouter.create({ user_id: "user-4711", ...config });
  const { url, headers } = session.mcp;
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: async (url, init) => front.fetch(String(url), init),
  });
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  return { session, client, url };
}

function textOf(result: Awaited<ReturnType<Client["callTool"]>>): string {
  const [first] = Array.isArray(result.content) ? result.content : [];
  return String(Object(first).text);
}

describe.each(FRONTS)("an MCP client %s", (_, open) => {
  test("initializes, lists the session's tools and calls them", async () => {
    const front = await open();
    const { session, client } = await connected(front, { preload: { tools: ["TEXTKIT_REVERSE"] } });
    expect(client.getServerVersion()?.name).toBe("svc-tool-router");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(session.record.tool_router_tools);
    expect(tools.at(-1)?.inputSchema).toMatchObject({ type: "object", required: ["text"] });

    const reversed = await client.callTool({ name: "TEXTKIT_REVERSE", arguments: { text: "abc" } });
    expect(reversed.isError).toBe(false);
    expect(JSON.parse(textOf(reversed))).toEqual({ data: { text: "cba" }, error: null });

    const query = { queries: [{ use_case: "count words" }] };
    const found = await client.callTool({ name: "SVC_SEARCH_TOOLS", arguments: query });
    expect(textOf(found)).toContain("TEXTKIT_COUNT_WORDS");
    await client.ping();
    await client.close();
    await front.close();
  });
});

describe("an MCP call", () => {
  test("returns errors of the service and of its tool as results", async () => {
    const front = inProcess();
    const { client } = await connected(front, {
      user_id: "user-nobody",
      preload: { tools: ["GITHUB_CREATE_AN_ISSUE", "TEXTKIT_REVERSE"] },
    });
    const refused = await client.callTool({ name: "GITHUB_CREATE_AN_ISSUE", arguments: {} });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain("No active connection found for toolkit(s) 'github'");
    const failed = await client.callTool({ name: "TEXTKIT_REVERSE", arguments: { text: " " } });
    expect(failed.isError).toBe(true);
    expect(textOf(failed)).toContain("There is nothing to reverse");
  });

  test("is a protocol error for a tool the session doesn't expose", async () => {
    const { client } = await connected(inProcess());
    await expect(client.callTool({ name: "TEXTKIT_REVERSE", arguments: { text: "a" } })).rejects.toThrow(
      /TEXTKIT_REVERSE not found/,
    );
  });
});

describe("the MCP URL", () => {
  const post = (front: Front, url: string, body: unknown, headers: Record<string, string> = {}) =>
    front.fetch(url, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    });
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

  test("requires the project's key, unless the project makes it public", async () => {
    const front = inProcess();
    const { url } = (await front.svc.toolRouter.create({ user_id: "u" })).mcp;
    expect((await post(front, url, ping)).status).toBe(401);
    expect((await post(front, url, ping, { "x-api-key": "ak_wrong" })).status).toBe(401);
    expect((await post(front, url, ping, { "x-api-key": front.apiKey })).status).toBe(200);
    await front.svc.projects.updateConfig({ require_mcp_api_key: false });
    expect(await (await post(front, url, ping)).json()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });

  test("responds to batches, notifications, and invalid messages per JSON-RPC", async () => {
    const front = inProcess();
    const key = { "x-api-key": front.apiKey };
    const { url } = (await front.svc.toolRouter.create({ user_id: "u" })).mcp;
    const note = { jsonrpc: "2.0", method: "notifications/initialized" };
    expect((await post(front, url, note, key)).status).toBe(202);
    expect(await (await post(front, url, [ping, note, { ...ping, id: 2 }], key)).json()).toHaveLength(2);
    expect(await (await post(front, url, "{", key)).json()).toMatchObject({ error: { code: -32_700 } });
    expect(await (await post(front, url, { id: 1 }, key)).json()).toMatchObject({ error: { code: -32_600 } });
    const unknown = await post(front, url, { ...ping, method: "resources/list" }, key);
    expect(await unknown.json()).toMatchObject({ id: 1, error: { code: -32_601 } });
    expect((await front.fetch(url, { headers: key })).status).toBe(405);
    expect((await front.fetch(url, { method: "DELETE", headers: key })).status).toBe(405);
  });

  test("is deleted with its session, and works without the version too", async () => {
    const front = inProcess();
    const key = { "x-api-key": front.apiKey };
    const session = await front.svc.toolRouter.create({ user_id: "u" });
    const short = session.mcp.url.replace("/v3", "");
    expect((await post(front, short, ping, key)).status).toBe(200);
    await session.delete();
    expect((await post(front, session.mcp.url, ping, key)).status).toBe(404);
  });
});
