import { describe, expect, test } from "vitest";
import { anthropic } from "../../../src/agents/adapters/anthropic.js";
import { google } from "../../../src/agents/adapters/google.js";
import { langchain } from "../../../src/agents/adapters/langchain.js";
import { mcpServer } from "../../../src/agents/adapters/mcp.js";
import { openai, openaiChat } from "../../../src/agents/adapters/openai.js";
import { tool } from "../../../src/agents/index.js";
import { ask, policy } from "../../../src/agents/policy-entry.js";
import { ConfigError } from "../../../src/index.js";
import { gated } from "../approvals/support.js";
import { bench, COUNT_WORDS, CREATE_ISSUE, ISSUE } from "../support.js";

async function* streamOf(...events: object[]): AsyncGenerator<object> {
  yield* events;
}

/** As a program keeps it between two requests. */
const stored = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

/** A toolset with one tool that needs no argument, and the arguments of its calls. */
async function deleting() {
  const ran: unknown[] = [];
  const remove = tool({
    name: "delete_rows",
    description: "Deletes rows.",
    parameters: { type: "object", properties: { where: { type: "string" } } },
    execute: (args) => void ran.push(args),
  });
  return { ...(await bench({ tools: [remove] })), ran };
}

describe("a call that the model didn't write whole isn't run when its turn is run again:", () => {
  test.each(["tool_use", "max_tokens"])("broken JSON of Anthropic, before %s", async (stop_reason) => {
    const { tools, ran } = await deleting();
    const { run } = anthropic(tools);
    const first = await run(
      streamOf(
        { type: "message_start", message: { id: "msg_1" } },
        {
          type: "content_block_start",
          index: 0,
          content_block: { type: "tool_use", id: "toolu_02aaBBcc", name: "delete_rows", input: {} },
        },
        {
          type: "content_block_delta",
          index: 0,
          delta: { type: "input_json_delta", partial_json: '{"where": "id = 7' },
        },
        { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: { stop_reason } },
      ),
    );
    expect(first.results).toMatchObject([{ status: "not_run" }]);
    const [message] = stored(first.messages);
    const { results } = await run({ content: Object(message).content, stop_reason: "tool_use" });
    expect(results).toMatchObject([{ status: "not_run", isReplay: false }]);
    expect(ran).toEqual([]);
  });

  test("a complete-looking call of Chat Completions before length", async () => {
    const { tools, ran } = await deleting();
    const { run } = openaiChat(tools);
    const made = { name: "delete_rows", arguments: "{}" };
    const call = { index: 0, id: "call_aabbccdd", type: "function", function: made };
    const cut = streamOf({ choices: [{ delta: { tool_calls: [call] } }] }, { choices: [{ finish_reason: "length" }] });
    const { messages } = await run(cut);
    const { results } = await run({ choices: [{ message: stored(Object(messages[0])), finish_reason: "tool_calls" }] });
    expect(results).toMatchObject([{ status: "not_run", text: expect.stringContaining("cut off") }]);
    expect(ran).toEqual([]);
  });

  test("a call of Gemini in a stream that broke off, unless its arguments are complete the next time", async () => {
    const { tools, ran } = await deleting();
    const { run } = google(tools);
    const parts = (args: object) => [{ functionCall: { id: "fcall-aabbccx", name: "delete_rows", args } }];
    const { contents } = await run(streamOf({ candidates: [{ content: { parts: parts({}) } }] }) as never);
    const again = await run({ candidates: [{ content: stored(contents[0]) }] } as never);
    expect(again.results).toMatchObject([{ status: "not_run" }]);
    const whole = { candidates: [{ content: { parts: parts({ where: "id = 7" }) }, finishReason: "STOP" }] };
    expect((await run(whole as never)).results).toMatchObject([{ status: "succeeded" }]);
    expect(ran).toEqual([{ where: "id = 7" }]);
  });
});

test("the items of an OpenAI turn that is run again have one output per call", async () => {
  const { tools, gate } = await gated({ policy: policy([ask({})]) });
  const { run } = openai(tools);
  const call = { type: "function_call", call_id: "call_aabbcc", name: CREATE_ISSUE, arguments: JSON.stringify(ISSUE) };
  const first = await run({ output: [call] });
  const pending = first.results[0]?.pendingApproval;
  if (!pending) throw new Error("The call isn't pending.");
  const token = await gate.approve(pending, { approver: "ada" });
  const second = await run({ output: stored(first.items) }, { approvals: [token] });
  expect(second.results).toMatchObject([{ status: "succeeded" }]);
  expect(second.items.map((item) => Object(item).type)).toEqual(["function_call", "function_call_output"]);
});

describe("a call of something else with a tool's name isn't one of the tool:", () => {
  const args = JSON.stringify({ text: "one two" });
  test.each([
    { type: "custom_tool_call", call_id: "ctc_1abc", name: COUNT_WORDS, input: args },
    { type: "function_call", call_id: "call_1abc", namespace: "crm", name: COUNT_WORDS, arguments: args },
  ])("$type of the Responses API", async (item) => {
    const { tools, executions } = await bench();
    expect((await openai(tools).run({ output: [item] })).results).toMatchObject([{ status: "not_run" }]);
    expect(executions()).toBe(0);
  });

  test("custom of Chat Completions", async () => {
    const { tools, executions } = await bench();
    const message = { tool_calls: [{ id: "call_1abc", type: "custom", custom: { name: COUNT_WORDS, input: args } }] };
    expect((await openaiChat(tools).run({ choices: [{ message }] })).results).toMatchObject([{ status: "not_run" }]);
    expect(executions()).toBe(0);
  });
});

test("a namespace that repeats the name of the function is the library's own", async () => {
  const { tools } = await bench();
  const item = { type: "function_call", call_id: "call_1abc", namespace: COUNT_WORDS, name: COUNT_WORDS };
  const { results } = await openai(tools).run({ output: [{ ...item, arguments: '{"text":"one"}' }] });
  expect(results).toMatchObject([{ status: "succeeded" }]);
});

test("a stream that has its items only in the last response runs their calls", async () => {
  const { tools } = await bench();
  const item = { type: "function_call", call_id: "call_1abc", name: COUNT_WORDS, arguments: '{"text":"one"}' };
  const response = { id: "resp_1", status: "completed", output: [item] };
  const { results, items } = await openai(tools).run(streamOf({ type: "response.completed", response }));
  expect(results).toMatchObject([{ status: "succeeded" }]);
  expect(items).toHaveLength(2);
});

test("a service that repeats a call's name in each part of a stream calls the tool", async () => {
  const { tools } = await bench();
  const part = (id: string, args: string) => ({
    choices: [{ delta: { tool_calls: [{ index: 0, id, function: { name: COUNT_WORDS, arguments: args } }] } }],
  });
  const end = { choices: [{ delta: {}, finish_reason: "tool_calls" }] };
  const { results } = await openaiChat(tools).run(streamOf(part("call_1abc", '{"text"'), part("", ':"one"}'), end));
  expect(results).toMatchObject([{ status: "succeeded" }]);
});

test("an async onEvent that rejects rejects the run", async () => {
  const { tools } = await bench();
  const onEvent = () => Promise.reject(new Error("no socket"));
  const running = openai(tools).run(streamOf({ type: "response.completed", response: { output: [] } }), {
    onStreamEvent: onEvent,
  });
  await expect(running).rejects.toThrow("no socket");
});

test("an interrupt of LangGraph that never throws ends with the pending call", async () => {
  const { tools } = await gated({ policy: policy([ask({})]) });
  class DynamicStructuredTool {
    invoke: (input: object) => Promise<string>;
    constructor(fields: { func(input: unknown): Promise<string> }) {
      this.invoke = (input) => fields.func(input);
    }
  }
  let asked = 0;
  const interrupt = async () => `token ${asked++}`;
  const [made] = langchain(tools, { DynamicStructuredTool, interrupt });
  expect(await made?.invoke(ISSUE)).toContain("needs the approval of a person");
  expect(asked).toBeLessThan(200);
});

test("mcpServer rejects approvals that can't ask", async () => {
  const { tools } = await bench();
  const options = { approvals: { reqest: () => undefined } };
  // @ts-expect-error As a JavaScript program would pass it.
  expect(() => mcpServer(tools, { registerTool: () => undefined }, options)).toThrow(
    new ConfigError("mcpServer: approvals must be what approvals() returned."),
  );
});

test.each([Number.NaN, 0, "1000"])("mcpServer rejects progressIntervalMs %s", async (progressIntervalMs) => {
  const { tools } = await bench();
  const options = { progressIntervalMs } as { progressIntervalMs: number };
  expect(() => mcpServer(tools, { registerTool: () => undefined }, options)).toThrow(ConfigError);
});
