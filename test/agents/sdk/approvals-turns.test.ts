import OpenAI from "openai";
import { expect, test } from "vitest";
import { anthropic } from "../../../src/agents/adapters/anthropic.js";
import { google } from "../../../src/agents/adapters/google.js";
import { openai, openaiChat } from "../../../src/agents/adapters/openai.js";
import type { CallResult, RunOptions, Toolset } from "../../../src/agents/index.js";
import { gated } from "../approvals/support.js";
import { COUNT_WORDS, CREATE_ISSUE, ISSUE } from "../support.js";
import { startModel } from "./model-server.js";

const model = await startModel();
const chatMessage = () => ({
  role: "assistant",
  tool_calls: [{ type: "function", function: { name: CREATE_ISSUE, arguments: JSON.stringify(ISSUE) } }],
});
const chatCompletion = { choices: [{ message: chatMessage() }] };
const geminiResponse = {
  candidates: [{ content: { parts: [{ functionCall: { name: CREATE_ISSUE, args: ISSUE } }] } }],
};
const client = new OpenAI({ baseURL: `${model.url}/v1`, apiKey: "test", maxRetries: 0 });

test.each([
  ["whole", false],
  ["streamed", true],
])(
  "a turn of OpenAI's Responses API, %s, runs again with tokens: what ran is answered from its record",
  async (_, stream) => {
    const { tools, gate, executions } = await gated();
    model.script({
      calls: [
        { id: "call_a", name: CREATE_ISSUE, arguments: ISSUE },
        { id: "call_b", name: COUNT_WORDS, arguments: { text: "one two" } },
      ],
    });
    const { definitions, run } = openai(tools);
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: "Do it." }];
    const request = { model: "m", input, tools: definitions };
    const output: OpenAI.Responses.ResponseOutputItem[] = [];
    const onEvent = (event: OpenAI.Responses.ResponseStreamEvent) => {
      if (event.type === "response.output_item.done") output.push(event.item);
    };
    if (!stream) output.push(...(await client.responses.create(request)).output);
    const asked = stream
      ? await run(await client.responses.create({ ...request, stream: true }), { onStreamEvent: onEvent })
      : await run({ output });
    expect(asked.results.map(({ status }) => status)).toEqual(["pending", "succeeded"]);
    const approvals: string[] = [];
    for (const { pendingApproval: pending } of asked.results)
      if (pending) approvals.push(await gate.approve(pending, { approver: "ada" }));
    const turn = await run({ output }, { approvals });
    expect(turn.results.map(({ status, isReplay }) => [status, isReplay])).toEqual([
      ["succeeded", false],
      ["succeeded", true],
    ]);
    input.push(...turn.items);
    expect((await client.responses.create(request)).output_text).toBe("done");
    expect(executions()).toBe(2);
  },
);

test.each<[string, (tools: Toolset, options?: RunOptions) => Promise<{ results: CallResult[] }>]>([
  [
    "openaiChat, by the completion's id",
    (tools, options) => openaiChat(tools).run({ id: "chatcmpl-1", choices: [{ message: chatMessage() }] }, options),
  ],
  ["openaiChat, by the message", (tools, options) => openaiChat(tools).run(chatCompletion, options)],
  ["google, by the response", (tools, options) => google(tools).run(geminiResponse, options)],
])("an approved call without an id runs once: %s", async (_, run) => {
  const { tools, gate, executions } = await gated();
  const asked = await run(tools);
  const approvals: string[] = [];
  for (const { pendingApproval: pending } of asked.results)
    if (pending) approvals.push(await gate.approve(pending, { approver: "ada" }));
  expect(approvals).toHaveLength(1);
  expect(await run(tools, { approvals })).toMatchObject({ results: [{ status: "succeeded", isReplay: false }] });
  expect(await run(tools, { approvals })).toMatchObject({ results: [{ status: "succeeded", isReplay: true }] });
  expect(executions()).toBe(1);
});

test("a pending call isn't an error for Anthropic, and a denied one is", async () => {
  const { tools, gate, ask } = await gated();
  const token = await gate.deny(await ask("toolu_01XFDUDYJgAACzvnptvVoYEL"), { approver: "ada", reason: "Not today." });
  const message = {
    role: "assistant" as const,
    stop_reason: "tool_use" as const,
    content: [{ type: "tool_use" as const, id: "toolu_01XFDUDYJgAACzvnptvVoYEL", name: CREATE_ISSUE, input: ISSUE }],
  };
  const { run } = anthropic(tools);
  const pending = await run(message);
  expect(JSON.stringify(pending.messages.at(-1))).not.toContain("is_error");
  const refused = await run(message, { approvals: [token] });
  expect(refused.messages.at(-1)).toMatchObject({
    content: [{ is_error: true, content: expect.stringContaining("Not today.") }],
  });
});
