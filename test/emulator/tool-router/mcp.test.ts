import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
  type VersionNegotiationMode,
} from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, test } from "vitest";
import { FRONTS, type Front, inProcess } from "./fronts.js";

/** A connected client of any generation. */
interface Connected {
  readonly client: Client | NewClient;
  /** The negotiated revision of the protocol. */
  readonly revision: string | undefined;
}

type Connect = (url: URL, options: StreamableHTTPClientTransportOptions) => Promise<Connected>;

const connectOlder: Connect = async (url, options) => {
  const transport = new StreamableHTTPClientTransport(url, options);
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  return { client, revision: transport.protocolVersion };
};

const connectNewer =
  (mode: VersionNegotiationMode): Connect =>
  async (url, options) => {
    const client = new NewClient({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
    await client.connect(new NewTransport(url, options));
    return { client, revision: client.getNegotiatedProtocolVersion() };
  };

const CLIENTS: readonly (readonly [string, Connect, string])[] = [
  ["@modelcontextprotocol/sdk", connectOlder, "2025-11-25"],
  ["@modelcontextprotocol/client", connectNewer("legacy"), "2025-11-25"],
  ["@modelcontextprotocol/client, which asks for the newest revision,", connectNewer("auto"), "2026-07-28"],
  ["@modelcontextprotocol/client, which knows one revision,", connectNewer({ pin: "2026-07-28" }), "2026-07-28"],
];

async function connected(front: Front, config = {}, connect = connectOlder) {
  const session = await front.svc.toolRouter.create({ user_id: "user-4711", ...config });
  const { url, headers } = session.mcp;
  const fetch: StreamableHTTPClientTransportOptions["fetch"] = async (to, init) => front.fetch(String(to), init);
  return { session, url, ...(await connect(new URL(url), { requestInit: { headers: { ...headers } }, fetch })) };
}

function textOf(result: object): string {
  const { content }: { content?: unknown } = result;
  const [first] = Array.isArray(content) ? content : [];
  return String(Object(first).text);
}

describe.each(FRONTS)("over MCP %s,", (_, open) => {
  test.each(CLIENTS)("%s connects, lists the session's tools and calls them", async (_name, connect, expected) => {
    const front = await open();
    const config = { preload: { tools: ["TEXTKIT_REVERSE"] } };
    const { session, client, revision } = await connected(front, config, connect);
    expect(revision).toBe(expected);
    expect(client.getServerVersion()?.name).toBe("svc-tool-router");
    const never = { listChanged: false };
    expect(client.getServerCapabilities()).toMatchObject({ tools: never, prompts: never, resources: never });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(session.record.tool_router_tools);
    expect(tools.at(-1)?.inputSchema).toMatchObject({ type: "object", required: ["text"] });

    const reversed = await client.callTool({ name: "TEXTKIT_REVERSE", arguments: { text: "abc" } });
    expect(reversed.isError).toBe(false);
    expect(JSON.parse(textOf(reversed))).toEqual({ data: { text: "cba" }, error: null, successful: true });

    const query = { queries: [{ use_case: "count words" }] };
    const found = await client.callTool({ name: "SVC_SEARCH_TOOLS", arguments: query });
    expect(textOf(found)).toContain("TEXTKIT_COUNT_WORDS");
    expect((await client.listPrompts()).prompts).toEqual([]);
    expect((await client.listResources()).resources).toEqual([]);
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

describe("the schemas of tools over MCP", () => {
  const schemaOf = async ($schema: string) => {
    const input = {
      $schema,
      type: "object",
      properties: { id: { $ref: "#/definitions/id" } },
      definitions: { id: {} },
    };
    const tool = { slug: "BOX_OPEN", name: "Open", description: "Opens.", input, output: {}, run: () => ({}) };
    const texts = { name: "Box", description: "Boxes.", categories: [], auth: [], versions: {} };
    const front = inProcess({ toolkits: [{ slug: "box", ...texts, tools: [tool] }] });
    const { client } = await connected(front, { preload: { tools: ["BOX_OPEN"] } });
    return (await client.listTools()).tools.at(-1)?.inputSchema;
  };

  test("are JSON Schema 2020-12: another dialect isn't named", async () => {
    expect(await schemaOf("http://json-schema.org/draft-07/schema#")).toEqual({
      type: "object",
      properties: { id: { $ref: "#/definitions/id" } },
      definitions: { id: {} },
    });
  });

  test("keep a dialect of 2020-12", async () => {
    const $schema = "https://json-schema.org/draft/2020-12/schema";
    expect(await schemaOf($schema)).toMatchObject({ $schema });
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
    const unknown = await post(front, url, { ...ping, method: "completion/complete" }, key);
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

test("over MCP, a session has a tool once that its configuration preloads twice", async () => {
  const { session, client } = await connected(inProcess(), {
    preload: { tools: ["TEXTKIT_REVERSE", "TEXTKIT_REVERSE"] },
  });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(session.record.tool_router_tools);
  expect(tools.filter(({ name }) => name === "TEXTKIT_REVERSE")).toHaveLength(1);
});
