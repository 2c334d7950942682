import { describe, expect, test } from "vitest";
import { openaiChat } from "../../../src/agents/adapters/openai.js";
import { bench, COUNT_WORDS, CREATE_ISSUE, ISSUE } from "../support.js";

async function* streamOf(...events: object[]): AsyncGenerator<object> {
  yield* events;
}

const call = { name: CREATE_ISSUE, arguments: JSON.stringify(ISSUE) };

describe("Chat Completions of other services", () => {
  const withoutIds = () => ({ role: "assistant", tool_calls: [{ type: "function", function: call }] });
  const completionOf = (message: object, id?: string) => ({ ...(id && { id }), choices: [{ message }] });

  test("runs calls without an id, each turn's as new calls", async () => {
    const { tools, executions } = await bench();
    const { run } = openaiChat(tools);
    await run(completionOf(withoutIds()));
    const { messages } = await run(completionOf(withoutIds()));
    const [{ id } = { id: "" }] = Object(messages[0]).tool_calls;
    expect(id).toMatch(/^call_\d{10,}$/);
    expect(messages.at(-1)).toMatchObject({ role: "tool", tool_call_id: id });
    expect(executions()).toBe(2);
  });

  test("gives a call without an id one from its completion and its position", async () => {
    const { tools, executions } = await bench();
    const message = { tool_calls: [...withoutIds().tool_calls, { id: "", type: "function", function: call }] };
    const completion = () => structuredClone(completionOf(message, "chatcmpl-1"));
    const { results } = await openaiChat(tools).run(completion());
    const ids = results.map(({ callId }) => callId);
    expect(new Set(ids).size).toBe(2);
    const again = await openaiChat(tools).run(completion());
    expect(again.results.map(({ callId }) => callId)).toEqual(ids);
    expect(again.results.map(({ isReplay }) => isReplay)).toEqual([true, true]);
    expect(executions()).toBe(2);
  });

  test("gives a streamed call without an id the one it has when it isn't streamed", async () => {
    const { tools, executions } = await bench();
    const delta = { tool_calls: [{ index: 0, function: call }] };
    const turn = await openaiChat(tools).run(
      streamOf({ id: "chatcmpl-1", choices: [{ delta, finish_reason: "tool_calls" }] }),
    );
    expect(turn.results).toMatchObject([{ status: "succeeded" }]);
    const [message = {}] = turn.messages;
    for (const completion of [completionOf(withoutIds(), "chatcmpl-1"), completionOf(message)])
      expect(await openaiChat(tools).run(completion)).toMatchObject({ results: [{ isReplay: true }] });
    expect(executions()).toBe(1);
  });

  test("recognizes a message without any id when it is run again", async () => {
    const { tools, executions } = await bench();
    const message = withoutIds();
    await openaiChat(tools).run(completionOf(message));
    expect(await openaiChat(tools).run(completionOf(message))).toMatchObject({ results: [{ isReplay: true }] });
    expect(executions()).toBe(1);
  });

  test("separates streamed calls without an index", async () => {
    const { tools, executions } = await bench();
    const chunk = (id: string, finish_reason: string | null) => ({
      choices: [{ delta: { tool_calls: [{ id, function: call }] }, finish_reason }],
    });
    const { results } = await openaiChat(tools).run(streamOf(chunk("a", null), chunk("b", "tool_calls")));
    expect(results.map(({ callId, status }) => [callId, status])).toEqual([
      ["a", "succeeded"],
      ["b", "succeeded"],
    ]);
    expect(executions()).toBe(2);
  });
});

/** A stream of Chat Completions. */
const chunksOf = (...deltas: object[]) =>
  streamOf(...deltas.map((delta) => ({ choices: [{ delta }] })), {
    choices: [{ delta: {}, finish_reason: "tool_calls" }],
  });

describe("a stream of Chat Completions", () => {
  const part = (id: string | undefined, name: string | null, args: string, index?: number) => ({
    tool_calls: [{ ...(index !== undefined && { index }), id, type: "function", function: { name, arguments: args } }],
  });

  test("keeps calls with other ids apart, even if all have the same index", async () => {
    const { tools } = await bench();
    const { messages } = await openaiChat(tools).run(
      chunksOf(
        part("a", COUNT_WORDS, '{"text":', 0),
        part(undefined, null, '"one"}', 0),
        part("b", COUNT_WORDS, '{"text":', 0),
        part("b", null, '"one two"}', 0),
        part("c", COUNT_WORDS, "{}", 1),
      ),
    );
    const made = (id: string, args: string) => ({
      id,
      type: "function",
      function: { name: COUNT_WORDS, arguments: args },
    });
    expect(messages[0]).toEqual({
      role: "assistant",
      content: null,
      tool_calls: [made("a", '{"text":"one"}'), made("b", '{"text":"one two"}'), made("c", "{}")],
    });
  });

  test("joins a call whose id changes on the way: its name comes once", async () => {
    const { tools } = await bench();
    const { results } = await openaiChat(tools).run(
      chunksOf(part("a", COUNT_WORDS, "", 0), part("b", null, '{"text":', 0), part("c", "", '"one"}', 0)),
    );
    expect(results).toMatchObject([{ callId: "a", status: "succeeded" }]);
  });

  test("keeps fields of the service in the message: strings and lists are joined, objects merged", async () => {
    const { tools } = await bench();
    const { messages } = await openaiChat(tools).run(
      chunksOf(
        { role: "assistant", content: "", refusal: null, reasoning_content: "I ", reasoning_details: [{ text: "I " }] },
        { role: "assistant", content: null, reasoning_content: "think.", reasoning_details: [{ text: "think." }] },
        { content: "Let me ", reasoning_content: null, usage: { words: 1, unit: { of: "to" } } },
        { content: "see.", usage: { words: 2, unit: { of: "kens" } } },
        {
          tool_calls: [
            {
              ...part("a", COUNT_WORDS, "", 0).tool_calls[0],
              extra_content: { google: { thought_signature: "c2ln" } },
            },
          ],
        },
        part(undefined, null, '{"text":"one"}', 0),
      ),
    );
    expect(messages[0]).toStrictEqual({
      role: "assistant",
      content: "Let me see.",
      reasoning_content: "I think.",
      reasoning_details: [{ text: "I " }, { text: "think." }],
      usage: { words: 2, unit: { of: "tokens" } },
      tool_calls: [
        {
          id: "a",
          type: "function",
          function: { name: COUNT_WORDS, arguments: '{"text":"one"}' },
          extra_content: { google: { thought_signature: "c2ln" } },
        },
      ],
    });
  });
});
