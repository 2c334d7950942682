import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { expect, test } from "vitest";
import { emulatorWithEnvironment, outputOf } from "../../examples/example-process.js";
import { CREATE_ISSUE, ISSUE } from "../support.js";

test("openai-answer approves a call of OpenAI's own tools, and runs the toolset's", async (context) => {
  const { environment } = await emulatorWithEnvironment(context);
  const asked = { type: "mcp_approval_request", id: "mcpr_1", name: "search", server_label: "docs", arguments: "{}" };
  const call = { type: "function_call", call_id: "call_1", name: CREATE_ISSUE, arguments: JSON.stringify(ISSUE) };
  const content = [{ type: "output_text", text: "I opened issue #1.", annotations: [] }];
  const outputs = [[asked, call], [{ type: "message", role: "assistant", content }]];
  const inputs: { type?: string }[][] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    inputs.push(Object(await json(request)).input);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ object: "response", id: "resp_1", status: "completed", output: outputs.shift() }));
  };
  const server = createServer((request, response) => void respond(request, response)).listen(0, "127.0.0.1");
  context.onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = Object(server.address());
  const variables = { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_API_KEY: "none" };
  const lines = await outputOf(["examples/agents/openai-answer.ts"], { ...environment, ...variables });
  expect(lines).toEqual(["I opened issue #1."]);
  expect(inputs[1]).toMatchObject([
    { role: "user" },
    asked,
    call,
    { type: "function_call_output", call_id: "call_1", output: expect.stringContaining('"number":1') },
    { type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: true },
  ]);
});
