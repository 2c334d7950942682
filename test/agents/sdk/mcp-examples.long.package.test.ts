import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "vitest";
import { emulatorWithEnvironment, start } from "../../examples/example-process.js";
import { CREATE_ISSUE, ISSUE } from "../support.js";

const APPROVAL_SECRET = "an approval key for tests, 0123456789";
const like = (pattern: RegExp): unknown => expect.stringMatching(pattern);

test("mcp-server serves its tools to an MCP client", async (context) => {
  const { environment } = await emulatorWithEnvironment(context);
  const client = new Client({ name: "test", version: "1.0.0" });
  context.onTestFinished(() => client.close());
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ["examples/agents/mcp-server.ts"],
      env: environment,
    }),
  );
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([CREATE_ISSUE]);
  expect(await client.callTool({ name: CREATE_ISSUE, arguments: ISSUE })).toMatchObject({
    content: [{ type: "text", text: like(/"number":1/) }],
  });
});

test("mcp-http-server serves its tools to a client with a token, and no other", async (context) => {
  const { environment, emulator } = await emulatorWithEnvironment(context);
  const variables = { ...environment, PORT: "0", MCP_TOKEN: "a token" };
  const server = start(context, ["examples/agents/mcp-http-server.ts"], variables);
  const url = new URL(await server.line(/^http:/));
  const client = new Client({ name: "test", version: "1.0.0" });
  context.onTestFinished(() => client.close());
  const requestInit = { headers: { authorization: "Bearer a token" } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  expect(await client.callTool({ name: CREATE_ISSUE, arguments: ISSUE })).toMatchObject({
    content: [{ type: "text", text: like(/"number":1/) }],
  });
  for (const authorization of ["Bearer another token", "Bearer ", ""]) {
    expect((await fetch(url, { method: "POST", headers: { authorization } })).status).toBe(401);
  }
  expect(emulator.requests.filter(({ operation }) => operation === "tools.execute")).toHaveLength(1);
});

test("approvals-mcp-server asks the user of an MCP client", async (context) => {
  const { environment, emulator } = await emulatorWithEnvironment(context);
  const client = new Client({ name: "test", version: "1.0.0" }, { capabilities: { elicitation: {} } });
  context.onTestFinished(() => client.close());
  const asked: string[] = [];
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params.message);
    return { action: "accept", content: {} };
  });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ["examples/agents/approvals-mcp-server.ts"],
      env: { ...environment, APPROVAL_SECRET },
    }),
  );
  expect(await client.callTool({ name: CREATE_ISSUE, arguments: ISSUE })).toMatchObject({
    content: [{ type: "text", text: like(/"number":1/) }],
  });
  expect(asked).toEqual([like(/title: "From a model"/)]);
  expect(emulator.requests.filter(({ operation }) => operation === "tools.execute")).toHaveLength(1);
});
