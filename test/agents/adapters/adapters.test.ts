import { describe, expect, test } from "vitest";
import { aiSdk } from "../../../src/agents/adapters/ai-sdk.js";
import { anthropic } from "../../../src/agents/adapters/anthropic.js";
import { google } from "../../../src/agents/adapters/google.js";
import { langchain } from "../../../src/agents/adapters/langchain.js";
import { mastra } from "../../../src/agents/adapters/mastra.js";
import { mcpServer } from "../../../src/agents/adapters/mcp.js";
import { openai, openaiChat } from "../../../src/agents/adapters/openai.js";
import { openaiAgents } from "../../../src/agents/adapters/openai-agents.js";
import { toolset } from "../../../src/agents/index.js";
import { compileToolset } from "../../../src/agents/schema/compile-toolset.js";
import { ConfigError, SvcError } from "../../../src/index.js";
import { rejection, rejectionOf } from "../../support/client.js";
import { TURN_ADAPTERS } from "../every-adapter.js";
import { bench, COUNT_WORDS, CREATE_ISSUE, ISSUE, USER } from "../support.js";

async function* streamOf(...events: object[]): AsyncGenerator<object> {
  yield* events;
}

/** The message of the ConfigError that a function throws. */
function thrownBy(make: () => unknown): string | undefined {
  try {
    make();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return error instanceof Error ? error.message : undefined;
  }
  return undefined;
}

const call = { name: CREATE_ISSUE, arguments: JSON.stringify(ISSUE) };

describe("a stream that ends early", () => {
  test("runs no call of Chat Completions whose arguments are incomplete", async () => {
    const { tools, executions } = await bench();
    const delta = { tool_calls: [{ index: 0, id: "a", function: { name: COUNT_WORDS, arguments: "" } }] };
    const { results } = await openaiChat(tools).run(streamOf({ choices: [{ delta, finish_reason: null }] }));
    expect(results).toMatchObject([{ status: "not_run", text: expect.stringContaining("cut off") }]);
    expect(executions()).toBe(0);
  });

  test("runs no call of a message whose arguments are incomplete", async () => {
    const { tools, executions } = await bench();
    const content_block = { type: "tool_use", id: "a", name: COUNT_WORDS, input: {} };
    const { results } = await anthropic(tools).run(streamOf({ type: "content_block_start", index: 0, content_block }));
    expect(results).toMatchObject([{ status: "not_run", text: expect.stringContaining("cut off") }]);
    expect(executions()).toBe(0);
  });

  test("runs no call of an unfinished response", async () => {
    const { tools, executions } = await bench();
    const item = { type: "function_call", call_id: "a", name: COUNT_WORDS, arguments: "" };
    const stream = streamOf({ type: "response.output_item.added", item });
    expect(String(await rejectionOf(SvcError, openai(tools).run(stream)))).toContain("not finished");
    expect(executions()).toBe(0);
  });

  test("throws if the response failed", async () => {
    const { tools, executions } = await bench();
    const item = { type: "function_call", call_id: "a", ...call };
    const failed = { status: "failed", error: { message: "overloaded" }, output: [item] };
    expect(String(await rejectionOf(SvcError, openai(tools).run(failed)))).toContain("overloaded");
    const stream = streamOf({ type: "response.output_item.done", item }, { type: "response.failed", response: failed });
    expect(String(await rejection(openai(tools).run(stream)))).toContain("overloaded");
    const broken = streamOf({ type: "response.output_item.done", item }, { type: "error", message: "overloaded" });
    expect(String(await rejectionOf(SvcError, openai(tools).run(broken)))).toContain("overloaded");
    expect(executions()).toBe(0);
  });

  test.each(["in_progress", "queued", "cancelled"])("throws if the response is %s", async (status) => {
    const { tools, executions } = await bench();
    const item = { type: "function_call", call_id: "a", ...call };
    const open = { status, error: null, output: [item] };
    expect(String(await rejectionOf(SvcError, openai(tools).run(open)))).toContain(`is ${status}: not finished`);
    expect(executions()).toBe(0);
  });

  test("throws if a stream breaks off before its response is complete", async () => {
    const { tools, executions } = await bench();
    const item = { type: "function_call", call_id: "a", ...call };
    const created = { type: "response.created", response: { status: "in_progress", output: [] } };
    const stream = streamOf(created, { type: "response.output_item.done", item });
    expect(String(await rejection(openai(tools).run(stream)))).toContain("is in_progress: not finished");
    expect(executions()).toBe(0);
  });
});

describe("a stream that stalls", () => {
  test.each(Object.entries(TURN_ADAPTERS))("ends with the signal's reason: %s", async (_, { create }) => {
    const { tools } = await bench();
    const aborting = new AbortController();
    async function* stalled(): AsyncGenerator<object> {
      yield {};
      await new Promise(() => {});
    }
    const reason = new Error("The user left.");
    const onStreamEvent = () => queueMicrotask(() => aborting.abort(reason));
    const running = create(tools).run(stalled(), { signal: aborting.signal, onStreamEvent });
    expect(await rejection(running)).toBe(reason);
  });
});

test("an adapter without its toolset, or its library, says what to pass", async () => {
  const { tools, svc } = await bench();
  const promised = toolset(svc, { userId: USER, tools: [COUNT_WORDS] });
  // @ts-expect-error: a JavaScript program may forget to await it.
  expect(thrownBy(() => aiSdk(promised))).toBe("toolset: pass a toolset. Await toolset().");
  await promised;
  // @ts-expect-error: a JavaScript program may forget the server.
  expect(thrownBy(() => mcpServer(tools))).toContain("mcpServer: pass the server too");
  // @ts-expect-error: a JavaScript program may forget the library.
  expect(thrownBy(() => langchain(tools))).toBe(
    "langchain: pass { DynamicStructuredTool } from @langchain/core/tools.",
  );
  // @ts-expect-error: a JavaScript program may forget the library.
  expect(thrownBy(() => openaiAgents(tools))).toBe("openaiAgents: pass { tool } from @openai/agents.");
});

test("an adapter for a target that doesn't exist says which was meant", async () => {
  const { tools } = await bench();
  // @ts-expect-error: a JavaScript program may misspell it.
  expect(thrownBy(() => aiSdk(tools, { target: "openai_strict" }))).toBe(
    "toolset: unknown target openai_strict. Did you mean openai-strict?",
  );
  // @ts-expect-error: a JavaScript program may name a model.
  expect(thrownBy(() => compileToolset(tools, "gpt-5"))).toContain("unknown target gpt-5. Pass openai-strict");
  // @ts-expect-error: a JavaScript program may name the provider.
  expect(thrownBy(() => mastra(tools, { target: "azure" }))).toContain("Pass openai-strict, openai, anthropic-strict");
});

test("a failure that the AI SDK is told of is an SvcError with the model's text", async () => {
  const { tools } = await bench();
  const run = async () => aiSdk(tools)[CREATE_ISSUE]?.execute({ ...ISSUE, repo: "nowhere" }, { toolCallId: "1" });
  expect((await rejectionOf(SvcError, run())).message).toContain("Not Found");
});

describe("Gemini", () => {
  test("derives a missing call id from turn and position, and returns it in call and result", async () => {
    const { tools, executions } = await bench();
    const functionCall = { name: CREATE_ISSUE, args: ISSUE };
    const response = { responseId: "r1", candidates: [{ content: { parts: [{ functionCall }, { functionCall }] } }] };
    const { results, contents } = await google(tools).run(response);
    const ids = results.map(({ callId }) => callId);
    expect(new Set(ids).size).toBe(2);
    expect(contents[0]?.parts).toMatchObject(ids.map((id) => ({ functionCall: { ...functionCall, id } })));
    expect(contents[1]?.parts).toMatchObject(ids.map((id) => ({ functionResponse: { id } })));
    await google(tools).run(response);
    expect(executions()).toBe(2);
  });

  test("recognizes calls without any id when they are run again", async () => {
    const { tools, executions } = await bench();
    const functionCall = { id: "", name: CREATE_ISSUE, args: ISSUE };
    const response = { candidates: [{ content: { parts: [{ functionCall }] } }] };
    await google(tools).run(response);
    expect(await google(tools).run(response)).toMatchObject({ results: [{ isReplay: true }] });
    await google(tools).callable.callTool([functionCall]);
    expect(executions()).toBe(1);
    await google(tools).run(structuredClone(response));
    expect(executions()).toBe(2);
  });

  test("runs no call whose arguments arrive in parts", async () => {
    const { tools, executions } = await bench();
    const parts = [{ functionCall: { name: CREATE_ISSUE, partialArgs: [{ jsonPath: "$.title" }] } }];
    expect(await google(tools).run({ candidates: [{ content: { parts } }] })).toMatchObject({ hasCalls: true });
    expect(executions()).toBe(0);
  });

  test("takes the parts of a streamed call for one call, which stays rejected", async () => {
    const { tools, executions } = await bench();
    const next = { functionCall: { id: "fcall-zzyyxx", name: COUNT_WORDS, args: { text: "one" } } };
    const parts: { functionCall: object; thoughtSignature?: string }[] = [
      { functionCall: { id: "fcall-aabbcc", name: COUNT_WORDS, willContinue: true }, thoughtSignature: "s" },
      { functionCall: { partialArgs: [{ jsonPath: "$.text", stringValue: "o" }], willContinue: true } },
      { functionCall: {} },
      next,
    ];
    const chunks = parts.map((part) => ({ candidates: [{ content: { parts: [part] } }] }));
    const stream = streamOf(...chunks, { candidates: [{ finishReason: "STOP" }] });
    const { results, contents } = await google(tools).run(stream as AsyncIterable<{ candidates: [] }>);
    expect(results).toMatchObject([
      { callId: "fcall-aabbcc", status: "not_run", text: expect.stringContaining("cut off") },
      { callId: "fcall-zzyyxx", status: "succeeded" },
    ]);
    const [own = { parts: [] }, answers] = contents;
    const begun = { functionCall: { id: "fcall-aabbcc", name: COUNT_WORDS, args: {} }, thoughtSignature: "s" };
    expect(own.parts).toEqual([begun, next]);
    expect(answers?.parts).toHaveLength(2);
    const again = await google(tools).run({ candidates: [{ content: { parts: structuredClone(own.parts) } }] });
    expect(again.results).toMatchObject([{ status: "not_run" }, { isReplay: true }]);
    expect(executions()).toBe(1);
  });

  test.each([{ functionCall: {} }, { functionCall: { name: "", partialArgs: [] } }])(
    "takes a part without any call before it for none: %j",
    async (part) => {
      const { tools, events } = await bench();
      const response = { candidates: [{ content: { parts: [part] } }] };
      expect(await google(tools).run(response)).toMatchObject({ hasCalls: false, results: [] });
      expect(await google(tools).callable.callTool([part.functionCall])).toEqual([]);
      expect(events).toEqual([]);
    },
  );

  test.each(["MAX_TOKENS", "SAFETY"])("runs all calls but the last before %s", async (finishReason) => {
    const { tools, executions } = await bench();
    const part = (text: string) => ({ functionCall: { id: `fcall-${text}`, name: COUNT_WORDS, args: { text } } });
    const response = { candidates: [{ finishReason, content: { parts: [part("aabbcc"), part("zzyyxx")] } }] };
    const { results, contents } = await google(tools).run(response);
    expect(results).toMatchObject([
      { status: "succeeded" },
      { status: "not_run", text: expect.stringContaining("cut off") },
    ]);
    const again = await google(tools).run({ candidates: [{ content: { parts: [...(contents[0]?.parts ?? [])] } }] });
    expect(again.results).toMatchObject([{ isReplay: true }, { status: "not_run" }]);
    expect(executions()).toBe(1);
  });
});

describe("Anthropic", () => {
  test("continues a paused turn unchanged", async () => {
    const { tools } = await bench();
    const content = [{ type: "server_tool_use", id: "s", name: "web_search", input: {} }];
    const turn = await anthropic(tools).run({ content, stop_reason: "pause_turn" });
    expect(turn).toMatchObject({ hasCalls: true, messages: [{ role: "assistant", content }], results: [] });
  });

  test("sends a streamed summary of the conversation back whole", async () => {
    const { tools } = await bench();
    const content_block = { type: "compaction", content: null, encrypted_content: null };
    const summary = { content: "They want an issue.", encrypted_content: "x" };
    const stream = streamOf(
      { type: "content_block_start", index: 0, content_block },
      { type: "content_block_delta", index: 0, delta: { type: "compaction_delta", ...summary } },
      { type: "message_delta", delta: { stop_reason: "end_turn" } },
    );
    const { messages } = await anthropic(tools).run(stream);
    expect(messages).toEqual([{ role: "assistant", content: [{ type: "compaction", ...summary }] }]);
  });

  test("sends strict: false explicitly for OpenAI tools that aren't strict", async () => {
    const { tools } = await bench();
    expect(openai(tools, { strict: false }).definitions.map(({ strict }) => strict)).toEqual([false, false]);
    expect(openaiChat(tools, { strict: false }).definitions[0]?.function.strict).toBe(false);
    expect(anthropic(tools, { strict: false }).definitions[0]).not.toHaveProperty("strict");
  });
});

describe("run rejects what isn't a response of its library, and names the right adapter:", () => {
  const rows = Object.entries(TURN_ADAPTERS).flatMap(([name, { create, list }]) => {
    const message = `${name}: run() needs an awaited response with ${list}, or its stream.`;
    const others = Object.entries(TURN_ADAPTERS).filter(([, other]) => other.list !== list);
    const namesWith = (list: string) =>
      Object.entries(TURN_ADAPTERS).flatMap(([other, { list: its }]) => (its === list ? [`${other}()`] : []));
    return [
      ...[undefined, null, "text", Promise.resolve({ [list]: [] })].map(
        (given) => [name, given, message, create] as const,
      ),
      ...others.map(
        ([, { list }]) =>
          [name, { [list]: [] }, `${message} This one is for ${namesWith(list).join(" or ")}.`, create] as const,
      ),
    ];
  });
  test.each(rows)("%s with %j", async (_, response, message, create) => {
    const { tools, events } = await bench();
    // As a JavaScript program would call it.
    const run = create(tools).run as (response: unknown) => Promise<unknown>;
    expect((await rejectionOf(ConfigError, run(response))).message).toBe(message);
    expect(events).toEqual([]);
  });

  test("the body of OpenAI's error", async () => {
    const { tools } = await bench();
    const run = openai(tools).run as (response: unknown) => Promise<unknown>;
    expect(String(await rejectionOf(ConfigError, run({ error: { message: "overloaded" } })))).toContain("with output");
  });

  test("Gemini's response to a blocked prompt, which has no candidates, ends the turn", async () => {
    const { tools } = await bench();
    expect(await google(tools).run({ responseId: "r1" })).toMatchObject({ hasCalls: false });
  });
});
