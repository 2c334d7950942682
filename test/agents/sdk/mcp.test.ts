import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createMcpHandler, InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { type McpOptions, mcpServer } from "../../../src/agents/adapters/mcp.js";
import { tool } from "../../../src/agents/index.js";
import { rejection } from "../../support/client.js";
import { type Bench, bench, COUNT_WORDS, CREATE_ISSUE, deciding, ISSUE } from "../support.js";

/** A client of an MCP server over a toolset. */
async function connected({ tools }: Bench, options: McpOptions = {}): Promise<Client> {
  const server = mcpServer(tools, new McpServer({ name: "tools", version: "1.0.0" }), options);
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1.0.0" });
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  return client;
}

const textOf = ({ content }: { readonly content: readonly { readonly type: string; readonly text?: string }[] }) =>
  content.map(({ text = "" }) => text).join("");

describe("an MCP server over a toolset", () => {
  test("lists the tools with their schemas and hints", async () => {
    const { tools } = await (await connected(await bench())).listTools();
    expect(tools).toMatchObject([
      { name: CREATE_ISSUE, inputSchema: { type: "object", required: ["owner", "repo", "title"] } },
      { name: COUNT_WORDS, annotations: { readOnlyHint: true } },
    ]);
  });

  test("runs calls, with null for an absent argument", async () => {
    const made = await bench();
    const client = await connected(made);
    const [issue, words] = await Promise.all([
      client.callTool({ name: CREATE_ISSUE, arguments: { ...ISSUE, body: null } }),
      client.callTool({ name: COUNT_WORDS, arguments: { text: "a b" } }),
    ]);
    expect(JSON.parse(textOf(issue as never))).toMatchObject({ title: ISSUE.title });
    expect(JSON.parse(textOf(words as never))).toMatchObject({ words: 2 });
    expect(made.executions()).toBe(2);
  });

  test("answers wrong arguments and failures as errors that the model reads", async () => {
    const client = await connected(await bench());
    const wrong = await client.callTool({ name: CREATE_ISSUE, arguments: { ...ISSUE, title: 7 } });
    expect(wrong).toMatchObject({ isError: true });
    expect(textOf(wrong as never)).toContain("title: expected a string");
    const failed = await client.callTool({ name: CREATE_ISSUE, arguments: { ...ISSUE, repo: "nowhere" } });
    expect(failed).toMatchObject({ isError: true });
    expect(String(await rejection(client.callTool({ name: "nothing" })))).toContain("nothing");
  });

  test("answers denied calls and expired accounts", async () => {
    const denied = await connected(await bench({ policy: deciding(() => ({ outcome: "deny", reason: "Frozen." })) }));
    expect(textOf((await denied.callTool({ name: CREATE_ISSUE, arguments: ISSUE })) as never)).toContain("Frozen.");
    const expired = await connected(await bench({ userId: "user-expired" }));
    expect(textOf((await expired.callTool({ name: CREATE_ISSUE, arguments: ISSUE })) as never)).toContain(
      "has expired",
    );
  });

  test("serves clients of both protocol eras over HTTP, each request as a new call", async () => {
    const made = await bench();
    const handler = createMcpHandler(() => mcpServer(made.tools, new McpServer({ name: "tools", version: "1.0.0" })));
    const url = new URL("http://mcp.localhost/");
    const fetch = (input: URL | string, init?: RequestInit) => handler.fetch(new Request(input, init));
    const clients = [
      new Client({ name: "today", version: "1.0.0" }),
      new Client({ name: "negotiating", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } }),
    ];
    for (const client of clients) await client.connect(new StreamableHTTPClientTransport(url, { fetch }));
    const old = new OldClient({ name: "old", version: "1.0.0" });
    await old.connect(new OldTransport(url, { fetch }) as never);
    for (const client of [...clients, old]) {
      const result = await client.callTool({ name: CREATE_ISSUE, arguments: { ...ISSUE, labels: null } });
      expect(JSON.parse(textOf(result as never))).toMatchObject({ title: ISSUE.title });
      await client.close();
    }
    expect(made.executions()).toBe(3);
  });

  test("runs nothing for a cancelled call", async () => {
    const controller = new AbortController();
    const made = await bench({
      policy: deciding(() => {
        controller.abort(new Error("the user left"));
        // The cancellation reaches the server as another message.
        return new Promise((resolve) => setImmediate(resolve, { outcome: "allow" }));
      }),
    });
    const client = await connected(made);
    await rejection(client.callTool({ name: CREATE_ISSUE, arguments: ISSUE }, { signal: controller.signal }));
    expect(made.executions()).toBe(0);
  });

  test("tells a client that asks for progress that a call still runs, so that it waits longer than its timeout", async () => {
    let finish = () => {};
    const slow = tool({
      name: "slow",
      description: "Waits.",
      parameters: { type: "object", properties: {} },
      execute: () => new Promise<string>((resolve) => (finish = () => resolve("waited"))),
    });
    const client = await connected(await bench({ tools: [slow] }), { progressIntervalMs: 5 });
    const seen: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => {
      seen.push(progress);
      if (seen.length >= 3) finish();
    };
    const result = await client.callTool({ name: "slow" }, { onprogress, resetTimeoutOnProgress: true });
    expect(textOf(result as never)).toBe('"waited"');
    expect(seen.slice(0, 3)).toEqual([1, 2, 3]);
  });

  test("aborts a call that runs when its client cancels it", async () => {
    const controller = new AbortController();
    const aborted = new Promise<unknown>((resolve) => {
      const slow = tool({
        name: "slow",
        description: "Waits.",
        parameters: { type: "object", properties: {} },
        execute: (_, { signal }) => {
          signal?.addEventListener("abort", () => resolve(signal.aborted));
          controller.abort(new Error("the user left"));
          return new Promise((end) => signal?.addEventListener("abort", end));
        },
      });
      void bench({ tools: [slow] })
        .then(connected)
        .then((client) => rejection(client.callTool({ name: "slow" }, { signal: controller.signal })));
    });
    expect(await aborted).toBe(true);
  });
});
