import { describe, expect, test } from "vitest";
import { anthropic } from "../../../src/agents/adapters/anthropic.js";
import { google } from "../../../src/agents/adapters/google.js";
import { openai, openaiChat } from "../../../src/agents/adapters/openai.js";
import { TURN_ADAPTERS } from "../every-adapter.js";
import { bench, COUNT_WORDS } from "../support.js";

async function* streamOf(...events: object[]): AsyncGenerator<object> {
  yield* events;
}

// biome-ignore lint/suspicious/noExplicitAny: responses that the libraries' types don't have.
type Any = any;

const COMPLETE = { isIncomplete: false, incompleteReason: undefined, unanswered: [] };
const incomplete = (incompleteReason: string) => ({ isIncomplete: true, incompleteReason, hasCalls: false });
const UNANSWERED = incomplete("unanswered");
const ARGS = '{"text":"one"}';

describe.each(Object.entries(TURN_ADAPTERS))("a turn of %s", (_, { create, cut, said }) => {
  test("that a limit has cut off says so, and again when it's resumed", async () => {
    const made = create((await bench()).tools);
    for (const given of [cut.response, streamOf(...cut.events)]) {
      const turn = await made.run(given);
      expect(turn).toMatchObject(incomplete(cut.reason));
      const ticket = JSON.parse(JSON.stringify(await turn.suspend([])));
      expect(await made.resume(ticket)).toMatchObject(incomplete(cut.reason));
    }
  });

  test("that is complete says so, and again when it's resumed", async () => {
    const made = create((await bench()).tools);
    const turn = await made.run(said);
    expect(turn).toMatchObject({ ...COMPLETE, hasCalls: false });
    const ticket = JSON.parse(JSON.stringify(await turn.suspend([])));
    expect(await made.resume(ticket)).toMatchObject({ ...COMPLETE, hasCalls: false });
  });
});

describe("a turn of the Responses API", () => {
  const message = { type: "message", role: "assistant", content: [{ type: "output_text", text: "Half a sen" }] };
  const cut = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
  const run = async (response: object) => openai((await bench()).tools).run(response as Any);

  test("that a limit has cut off says so", async () => {
    const response = { ...cut, output: [message] };
    expect(await run(response)).toMatchObject({ ...incomplete("max_output_tokens"), items: [message] });
    const stream = streamOf(
      { type: "response.output_item.done", item: message },
      { type: "response.incomplete", response: { ...response, output: [] } },
    );
    expect(await run(stream)).toMatchObject(incomplete("max_output_tokens"));
  });

  test("that is complete says so, with calls and without", async () => {
    expect(await run({ status: "completed", output: [message] })).toMatchObject({ ...COMPLETE, hasCalls: false });
    const call = { type: "function_call", call_id: "a", name: COUNT_WORDS, arguments: ARGS };
    expect(await run({ status: "completed", output: [call] })).toMatchObject({ ...COMPLETE, hasCalls: true });
  });

  test("sends back no message without content, and no reasoning that led to nothing", async () => {
    const reasoning = { type: "reasoning", id: "rs_1", summary: [] };
    const empty = { type: "message", role: "assistant", content: [], status: "incomplete" };
    expect((await run({ ...cut, output: [message, reasoning, empty] })).items).toEqual([message]);
    expect((await run({ ...cut, output: [reasoning] })).items).toEqual([]);
    expect((await run({ status: "completed", output: [reasoning, message] })).items).toEqual([reasoning, message]);
  });

  test.each([
    { type: "robot_call", call_id: "call_1", status: "completed" },
    { type: "robot_call", id: "robot_1" },
    { type: "signature_request", id: "signature_1" },
  ])("reports an item of a new kind that waits for an output: %j", async (item) => {
    const { tools } = await bench();
    const response = { status: "completed", output: [message, item] } as Any;
    expect(await openai(tools).run(response)).toMatchObject({ ...UNANSWERED, unanswered: [item] });
    const output = { type: "robot_call_output", call_id: "call_1", output: "Done." };
    const answered = await openai(tools).run(response, { answer: () => output });
    expect(answered).toMatchObject({ hasCalls: true, unanswered: [], outputs: [output] });
  });

  test.each([
    { type: "web_search_call", id: "ws_1", status: "completed" },
    { type: "shell_call", call_id: "call_1", execution: "server" },
    { type: "program", id: "prog_1", call_id: "call_1", code: "" },
  ])("reports no item that the service answers: %j", async (item) => {
    expect(await run({ status: "completed", output: [item] })).toMatchObject(COMPLETE);
  });

  test("reports no item of a new kind after which the model went on", async () => {
    const item = { type: "robot_call", id: "robot_1", status: "completed" };
    expect(await run({ status: "completed", output: [item, message] })).toMatchObject(COMPLETE);
    const output = { type: "robot_call_output", call_id: "robot_1" };
    expect(await run({ status: "completed", output: [item, output] })).toMatchObject(COMPLETE);
  });
});

describe("a turn of Chat Completions", () => {
  const call = (id: string, args = ARGS) => ({
    id,
    type: "function",
    function: { name: COUNT_WORDS, arguments: args },
  });
  const chunk = (delta: object, finish_reason: string | null = null, index = 0) => ({
    choices: [{ index, delta, finish_reason }],
  });
  const run = async (response: object) => openaiChat((await bench()).tools).run(response as Any);

  test.each(["length", "content_filter", "a reason that isn't known"])("that ended with %s says so", async (reason) => {
    const message = { role: "assistant", content: "Half a sen" };
    expect(await run({ choices: [{ message, finish_reason: reason }] })).toMatchObject(incomplete(reason));
    const turn = await run(streamOf(chunk({ content: "Half a sen" }), chunk({}, reason)));
    expect(turn).toMatchObject({ ...incomplete(reason), messages: [message] });
  });

  test.each(["stop", "tool_calls", "STOP", null])("that ended with %s is complete", async (finish_reason) => {
    const message = { role: "assistant", content: "A sentence." };
    expect(await run({ choices: [{ message, finish_reason }] })).toMatchObject(COMPLETE);
  });

  test("whose stream broke off says so", async () => {
    expect(await run(streamOf(chunk({ content: "Half" })))).toMatchObject(incomplete("stream_broke_off"));
  });

  test("that the service ended with an error runs nothing", async () => {
    const { tools, executions } = await bench();
    const error = { message: "The provider is overloaded." };
    const stream = streamOf(
      { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call("a") }] } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: "error", error }] },
    );
    await expect(openaiChat(tools).run(stream)).rejects.toThrow("The provider is overloaded.");
    const message = { role: "assistant", content: null, tool_calls: [call("a")] };
    const whole = { choices: [{ message, finish_reason: "error" }] };
    await expect(openaiChat(tools).run(whole)).rejects.toThrow("the response failed");
    expect(executions()).toBe(0);
  });

  test.each([
    [{ choices: [{ finish_reason: "content_filter" }] }],
    [{ choices: [] }],
    [{ choices: [{ message: null }] }],
  ])("without a message sends back nothing: %j", async (response) => {
    expect(await run(response)).toMatchObject({ ...incomplete("empty_response"), messages: [] });
  });

  test("sends back no empty message and no empty list of calls", async () => {
    const stop = { finish_reason: "stop" };
    for (const content of [null, "", []]) {
      const message = { role: "assistant", content, tool_calls: [] };
      expect((await run({ choices: [{ message, ...stop }] })).messages).toEqual([]);
    }
    const said = { role: "assistant", content: "Yes.", tool_calls: [] };
    expect((await run({ choices: [{ message: said, ...stop }] })).messages).toEqual([
      { role: "assistant", content: "Yes." },
    ]);
    const refused = { role: "assistant", content: null, refusal: "No." };
    expect((await run({ choices: [{ message: refused, ...stop }] })).messages).toEqual([refused]);
    expect((await run(streamOf(chunk({ role: "assistant" }), chunk({}, "stop")))).messages).toEqual([]);
  });

  test("reports a call in the form before tools", async () => {
    const function_call = { name: COUNT_WORDS, arguments: ARGS };
    const message = { role: "assistant", content: null, function_call };
    const turn = await run({ choices: [{ message, finish_reason: "function_call" }] });
    expect(turn).toMatchObject({ ...UNANSWERED, unanswered: [function_call], messages: [message] });
  });

  test("has only the first of several alternatives, in whatever order they arrive", async () => {
    const { tools, executions } = await bench();
    const part = (index: number, id: string, args: string) =>
      chunk({ tool_calls: [{ index: 0, ...call(id, args) }] }, null, index);
    const stream = streamOf(
      part(1, "other", '{"text":"o'),
      part(0, "first", '{"text":"one'),
      chunk({ tool_calls: [{ index: 0, function: { arguments: 'ther"}' } }] }, null, 1),
      chunk({ tool_calls: [{ index: 0, function: { arguments: ' two"}' } }] }, null, 0),
      chunk({}, "tool_calls", 1),
      chunk({}, "tool_calls", 0),
    );
    const { results } = await openaiChat(tools).run(stream);
    expect(results).toMatchObject([{ callId: "first", data: { words: 2 } }]);
    const choice = (index: number, id: string) => ({ index, message: { role: "assistant", tool_calls: [call(id)] } });
    const whole = await openaiChat(tools).run({ choices: [choice(1, "b1"), choice(0, "a1")] });
    expect(whole.results).toMatchObject([{ callId: "a1" }]);
    expect(executions()).toBe(2);
  });
});

describe("a turn of Anthropic", () => {
  const text = { type: "text", text: "Half a sen" };
  const run = async (message: object) => anthropic((await bench()).tools).run(message as Any);

  test.each(["max_tokens", "refusal", "model_context_window_exceeded"])(
    "that ended with %s says so",
    async (reason) => {
      expect(await run({ content: [text], stop_reason: reason })).toMatchObject(incomplete(reason));
    },
  );

  test.each(["end_turn", "tool_use", "stop_sequence", null])("that ended with %s is complete", async (stop_reason) => {
    expect(await run({ content: [text], stop_reason })).toMatchObject(COMPLETE);
  });

  test("whose stream broke off says so", async () => {
    const stream = streamOf({ type: "content_block_start", index: 0, content_block: text });
    expect(await run(stream)).toMatchObject(incomplete("stream_broke_off"));
  });

  test("whose stream broke off while the model thought sends back only what it signed", async () => {
    const start = (index: number) => ({
      type: "content_block_start",
      index,
      content_block: { type: "thinking", thinking: "", signature: "" },
    });
    const delta = (index: number, delta: object) => ({ type: "content_block_delta", index, delta });
    const stream = streamOf(
      start(0),
      delta(0, { type: "thinking_delta", thinking: "I count." }),
      delta(0, { type: "signature_delta", signature: "c2ln" }),
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: text },
      start(2),
      delta(2, { type: "thinking_delta", thinking: "I al" }),
    );
    const turn = await run(stream);
    expect(turn).toMatchObject(incomplete("stream_broke_off"));
    const content = [{ type: "thinking", thinking: "I count.", signature: "c2ln" }, text];
    expect(turn.messages).toEqual([{ role: "assistant", content }]);
  });

  test("sends back nothing empty", async () => {
    expect((await run({ content: [], stop_reason: "end_turn" })).messages).toEqual([]);
    const content = [{ type: "text", text: "" }, text, { type: "text", text: " \n" }];
    expect((await run({ content, stop_reason: "end_turn" })).messages).toEqual([
      { role: "assistant", content: [text] },
    ]);
    const call = { type: "tool_use", id: "toolu_1abc", name: COUNT_WORDS, input: { text: "one" } };
    const turn = await run({ content: [{ type: "text", text: "" }, call], stop_reason: "tool_use" });
    expect(turn.messages[0]).toEqual({ role: "assistant", content: [call] });
  });

  test.each([null, "x", ["one"]])("sends back an object for an input that isn't one: %j", async (input) => {
    const call = { type: "tool_use", id: "toolu_1abc", name: COUNT_WORDS, input };
    const { messages, results } = await run({ content: [call], stop_reason: "tool_use" });
    expect(messages[0]).toEqual({ role: "assistant", content: [{ ...call, input: {} }] });
    expect(results).toMatchObject([{ status: "not_run" }]);
  });

  test("reports a call of a tool that the toolset can't run", async () => {
    const waiting = { type: "robot_tool_use", id: "robot_1", name: "robot" };
    const server = { type: "server_tool_use", id: "srv_1", name: "web_search" };
    const result = { type: "web_search_tool_result", tool_use_id: "srv_1", content: [] };
    const turn = await run({ content: [server, result, waiting], stop_reason: "tool_use" });
    expect(turn).toMatchObject({ ...UNANSWERED, unanswered: [waiting] });
    expect(await run({ content: [server], stop_reason: "pause_turn" })).toMatchObject({ unanswered: [] });
  });
});

describe("a turn of Gemini", () => {
  const parts = [{ text: "Half a sen" }];
  const run = async (response: object) => google((await bench()).tools).run(response as Any);

  test.each(["MAX_TOKENS", "SAFETY", "MALFORMED_FUNCTION_CALL"])("that ended with %s says so", async (finishReason) => {
    expect(await run({ candidates: [{ content: { parts }, finishReason }] })).toMatchObject(incomplete(finishReason));
  });

  test("that is complete says so", async () => {
    expect(await run({ candidates: [{ content: { parts }, finishReason: "STOP" }] })).toMatchObject(COMPLETE);
    expect(await run({ candidates: [{ content: { parts } }] })).toMatchObject(COMPLETE);
  });

  test("sends back nothing empty", async () => {
    const blocked = { promptFeedback: { blockReason: "SAFETY" } };
    expect(await run(blocked)).toMatchObject({ ...incomplete("SAFETY"), contents: [] });
    expect(await run({})).toMatchObject({ ...incomplete("empty_response"), contents: [] });
    expect((await run({ candidates: [{ content: {}, finishReason: "STOP" }] })).contents).toEqual([]);
    expect(await run(streamOf())).toMatchObject({ ...incomplete("stream_broke_off"), contents: [] });
  });

  test("reports a call of a kind that the toolset doesn't know", async () => {
    const part = { robotCall: { id: "1", name: "robot" } };
    expect(await run({ candidates: [{ content: { parts: [part] } }] })).toMatchObject({
      ...UNANSWERED,
      unanswered: [part],
    });
    const answered = [part, { robotResponse: { id: "1" } }];
    expect(await run({ candidates: [{ content: { parts: answered } }] })).toMatchObject(COMPLETE);
  });

  test("has only the first of several candidates, in whatever order they arrive", async () => {
    const { tools, executions } = await bench();
    const candidate = (index: number, text: string) => {
      const functionCall = { id: `call-of-${index}x`, name: COUNT_WORDS, args: { text } };
      return { index, content: { parts: [{ functionCall }] }, finishReason: "STOP" };
    };
    const response = { candidates: [candidate(1, "one"), candidate(0, "one two")] };
    const stream = streamOf(...response.candidates.map((one) => ({ candidates: [one] })));
    for (const given of [response, stream]) {
      const { results } = await google(tools).run(given as Any);
      expect(results.map(({ text }) => JSON.parse(text))).toMatchObject([{ words: 2 }]);
    }
    expect(executions()).toBe(1);
  });
});
