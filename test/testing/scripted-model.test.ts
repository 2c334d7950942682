import Anthropic from "@anthropic-ai/sdk";
import { ApiError, GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { type ModelProvider, type ModelTurn, type ScriptedTurn, scriptedModel } from "../../src/testing/index.js";
import { rejection } from "../support/client.js";

const HALF = "\ud83d";
const user = { role: "user", content: "Hi." } as const;
const call = (id: string) => ({ type: "function_call", call_id: id, name: "look", arguments: "{}" });
const output = (id: string) => ({ type: "function_call_output", call_id: id, output: "1" });
const chatCalls = (...ids: string[]) => ({
  role: "assistant",
  tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "look", arguments: "{}" } })),
});
const chatOutput = (id: string) => ({ role: "tool", tool_call_id: id, content: "1" });
const use = (id: string) => ({ type: "tool_use", id, name: "look", input: {} });
const uses = (...ids: string[]) => ({ role: "assistant", content: ids.map(use) });
const toolResult = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "1" });
const results = (...ids: string[]) => ({ role: "user", content: ids.map(toolResult) });
const text = (role: string, ...texts: string[]) => ({ role, parts: texts.map((part) => ({ text: part })) });
const functionCall = { functionCall: { name: "look", args: {} }, thoughtSignature: "c2ln" };
const functionResponse = { functionResponse: { name: "look", response: { output: 1 } } };
const model = (...parts: object[]) => ({ role: "model", parts });
const responses = (...parts: object[]) => ({ role: "user", parts });
const declare = (...names: string[]) => [{ functionDeclarations: names.map((name) => ({ name })) }];

/** Requests that each service rejects, and words of its error. */
const REJECTED: Readonly<Record<ModelProvider, readonly (readonly [string, object, string])[]>> = {
  openai: [
    ["a call without an output", { input: [user, call("a")] }, "No tool output found for function call a."],
    ["an output without a call", { input: [output("a")] }, "No tool call found for function call output"],
    ["two outputs of a call", { input: [call("a"), output("a"), output("a")] }, "Duplicate function call or output"],
    ["a call twice", { input: [call("a"), call("a"), output("a"), output("a")] }, "Duplicate function call or output"],
    [
      "an item twice",
      { input: [{ ...call("a"), id: "fc_1" }, { ...call("b"), id: "fc_1" }, output("a"), output("b")] },
      "Duplicate item found with id fc_1.",
    ],
    ["an unknown field", { input: "Hi.", tool: [] }, "Unknown parameter: 'tool'."],
    ["an unknown field of an item", { input: [{ ...call("a"), parsed: {} }] }, "Unknown parameter: 'input[0].parsed'."],
    ["half of a surrogate pair", { input: HALF }, "could not parse the JSON body"],
    ["no input", { input: [] }, "Missing required parameter: 'input'."],
    ["a response that it doesn't know", { input: "Hi.", previous_response_id: "resp_0" }, "'resp_0' not found"],
    ["an item that it doesn't know", { input: [{ type: "item_reference", id: "fc_0" }] }, "Item with id 'fc_0' not"],
    ["an illegal name", { input: "Hi.", tools: [{ type: "function", name: "a b" }] }, "does not match pattern"],
    [
      "a choice of no tool",
      { input: "Hi.", tool_choice: { type: "function", name: "a" } },
      "Tool choice 'a' not found",
    ],
  ],
  "openai-chat": [
    ["a call without an output", { messages: [user, chatCalls("a")] }, "did not have response messages: a"],
    ["a user before the output", { messages: [chatCalls("a"), user, chatOutput("a")] }, "response messages: a"],
    ["an output without a call", { messages: [user, chatOutput("a")] }, "must be a response to a preceeding message"],
    [
      "two outputs of a call",
      { messages: [chatCalls("a"), chatOutput("a"), chatOutput("a")] },
      "must be a response to",
    ],
    ["a call twice", { messages: [chatCalls("a", "a"), chatOutput("a"), chatOutput("a")] }, "Duplicate value"],
    ["an unknown field", { messages: [user], tool: [] }, "Unknown parameter: 'tool'."],
    ["half of a surrogate pair", { messages: [{ ...user, content: HALF }] }, "could not parse the JSON body"],
    ["no messages", { messages: [] }, "Invalid 'messages': empty array."],
    ["no calls in a list", { messages: [chatCalls()] }, "Invalid 'messages[0].tool_calls': empty array."],
    ["a silent message", { messages: [{ role: "assistant", content: null }] }, "expected a string, got null"],
    [
      "a long name",
      { messages: [user], tools: [{ type: "function", function: { name: "a".repeat(65) } }] },
      "length 64",
    ],
  ],
  anthropic: [
    ["a call without an output", { messages: [user, uses("a"), user] }, "without `tool_result` blocks immediately"],
    ["one of two outputs", { messages: [user, uses("a", "b"), results("a")] }, "immediately after: b."],
    [
      "text before the output",
      { messages: [uses("a"), { role: "user", content: [{ type: "text", text: "x" }, toolResult("a")] }] },
      "immediately after: a.",
    ],
    ["an output without a call", { messages: [results("a")] }, "unexpected `tool_use_id` found"],
    ["two outputs of a call", { messages: [uses("a"), results("a", "a")] }, "must have a single result"],
    ["a call twice", { messages: [uses("a"), results("a"), uses("a"), results("a")] }, "ids must be unique"],
    ["an unknown field", { messages: [user], tool: [] }, "tool: Extra inputs are not permitted"],
    [
      "an unknown field of a block",
      { messages: [{ role: "assistant", content: [{ ...use("a"), text: "" }] }] },
      "content.0.tool_use.text: Extra",
    ],
    ["half of a surrogate pair", { messages: [{ ...user, content: HALF }] }, "The request body is not valid JSON"],
    ["no messages", { messages: [] }, "at least one message is required"],
    ["an empty message", { messages: [{ ...user, content: [] }] }, "must have non-empty content"],
    ["an empty block", { messages: [{ ...user, content: [{ type: "text", text: "" }] }] }, "must be non-empty"],
    [
      "an input that is no object",
      { messages: [{ role: "assistant", content: [{ ...use("a"), input: "{}" }] }] },
      "valid dictionary",
    ],
    ["no limit", { messages: [user], max_tokens: undefined }, "max_tokens: Field required"],
    [
      "a name twice",
      { messages: [user], tools: [1, 2].map(() => ({ name: "a", input_schema: {} })) },
      "must be unique",
    ],
  ],
  google: [
    [
      "a call without an output",
      { contents: [text("user", "Hi."), model(functionCall), text("user", "Well?")] },
      "number of function response parts",
    ],
    [
      "one of two outputs",
      { contents: [model(functionCall, functionCall), responses(functionResponse)] },
      "number of function response parts",
    ],
    ["an output without a call", { contents: [responses(functionResponse)] }, "immediately after a function call"],
    [
      "outputs in another order",
      {
        contents: [
          model(functionCall, { functionCall: { name: "find" } }),
          responses({ functionResponse: { name: "find" } }, functionResponse),
        ],
      },
      "in the order",
    ],
    ["an unknown field", { contents: [text("user", "Hi.")], tool: [] }, 'Unknown name "tool": Cannot find field.'],
    [
      "an unknown field of a part",
      { contents: [responses({ texts: "Hi." })] },
      `Unknown name "texts" at 'contents[0].parts[0]'`,
    ],
    ["half of a surrogate pair", { contents: [text("user", HALF)] }, "Invalid JSON payload received."],
    ["no contents", { contents: [] }, "contents is not specified"],
    ["an empty content", { contents: [text("user")] }, "contents.parts must not be empty"],
    [
      "a call without its signature",
      { contents: [text("user", "Hi."), model({ functionCall: { name: "look" } }), responses(functionResponse)] },
      "missing a thought_signature",
    ],
    ["an illegal name", { contents: [text("user", "Hi.")], tools: declare("1") }, "Invalid function name."],
    [
      "a name twice",
      { contents: [text("user", "Hi.")], tools: declare("a", "a") },
      "Duplicate function declaration found: a",
    ],
  ],
};

const PATHS: Readonly<Record<ModelProvider, string>> = {
  openai: "/v1/responses",
  "openai-chat": "/v1/chat/completions",
  anthropic: "/v1/messages",
  google: "/v1beta/models/m:generateContent",
};
const KEYS = { authorization: "Bearer k", "x-api-key": "k", "x-goog-api-key": "k", "content-type": "application/json" };

const post = (
  fetch: ReturnType<typeof scriptedModel>["fetch"],
  provider: ModelProvider,
  given: object,
  headers: object = KEYS,
) => {
  const base = provider === "google" ? {} : { model: "m", ...(provider === "anthropic" && { max_tokens: 5 }) };
  const body = JSON.stringify({ ...base, ...given });
  return fetch(`https://model.example.com${PATHS[provider]}`, { method: "POST", headers: { ...headers }, body });
};

describe.each(Object.keys(REJECTED) as ModelProvider[])("%s rejects", (provider) => {
  test.each(REJECTED[provider])("%s", async (_, body, words) => {
    const scripted = scriptedModel({ provider, turns: ["Hello."] });
    const response = await post(scripted.fetch, provider, body);
    expect(await response.text()).toContain(JSON.stringify(words).slice(1, -1));
    expect(response.status).toBe(words.includes("Item with id") ? 404 : 400);
    // A rejected request takes no turn.
    expect(scripted.requests).toMatchObject([{ problem: expect.stringContaining(words) }]);
  });

  test("a request without a key", async () => {
    const { fetch } = scriptedModel({ provider, turns: ["Hello."] });
    expect((await post(fetch, provider, {}, {})).status).toBe(401);
  });

  test("requests of other providers, and other methods", async () => {
    const { fetch } = scriptedModel({ provider, turns: ["Hello."] });
    for (const other of Object.keys(PATHS) as ModelProvider[]) {
      if (other !== provider) expect((await post(fetch, other, {})).status).toBe(404);
    }
    expect((await fetch(`https://model.example.com${PATHS[provider]}`, { headers: KEYS })).status).toBe(404);
  });
});

/** A request through the official client, and the text of its response. */
type Ask = (turns: readonly ScriptedTurn[], retries?: number) => Promise<string>;

const ASKS: Readonly<Record<string, Ask>> = {
  openai: async (turns, maxRetries = 0) => {
    const { fetch } = scriptedModel({ provider: "openai", turns });
    const client = new OpenAI({ apiKey: "k", fetch, maxRetries });
    return (await client.responses.create({ model: "m", input: "Hi." })).output_text;
  },
  "openai, streamed": async (turns, maxRetries = 0) => {
    const { fetch } = scriptedModel({ turns });
    const stream = new OpenAI({ apiKey: "k", fetch, maxRetries }).responses.stream({ model: "m", input: "Hi." });
    return (await stream.finalResponse()).output_text;
  },
  "openai-chat": async (turns, maxRetries = 0) => {
    const { fetch } = scriptedModel({ provider: "openai-chat", turns });
    const client = new OpenAI({ apiKey: "k", fetch, maxRetries });
    return String((await client.chat.completions.create({ model: "m", messages: [user] })).choices[0]?.message.content);
  },
  "openai-chat, streamed": async (turns, maxRetries = 0) => {
    const { fetch } = scriptedModel({ turns });
    const stream = new OpenAI({ apiKey: "k", fetch, maxRetries }).chat.completions.stream({
      model: "m",
      messages: [user],
    });
    return String((await stream.finalMessage()).content);
  },
  anthropic: async (turns, maxRetries = 0) => {
    const { fetch } = scriptedModel({ provider: "anthropic", turns });
    const client = new Anthropic({ apiKey: "k", fetch, maxRetries });
    const { content } = await client.messages.create({ model: "m", max_tokens: 5, messages: [user] });
    return content.map((block) => ("text" in block ? block.text : "")).join("");
  },
  "anthropic, streamed": async (turns, maxRetries = 0) => {
    const { fetch } = scriptedModel({ turns });
    const stream = new Anthropic({ apiKey: "k", fetch, maxRetries }).messages.stream({
      model: "m",
      max_tokens: 5,
      messages: [user],
    });
    return stream.finalText();
  },
  google: async (turns, retries = 0) => {
    const { fetch } = scriptedModel({ provider: "google", turns });
    const client = new GoogleGenAI({ apiKey: "k", httpOptions: { fetch, retryOptions: { attempts: retries + 1 } } });
    return String((await client.models.generateContent({ model: "m", contents: "Hi." })).text);
  },
  "google, streamed": async (turns, retries = 0) => {
    const { fetch } = scriptedModel({ turns });
    const client = new GoogleGenAI({ apiKey: "k", httpOptions: { fetch, retryOptions: { attempts: retries + 1 } } });
    let said = "";
    for await (const chunk of await client.models.generateContentStream({ model: "m", contents: "Hi." }))
      said += chunk.text;
    return said;
  },
};

describe.each(Object.entries(ASKS))("%s", (name, ask) => {
  test("says what the script says", async () => {
    expect(await ask(["Hello, and welcome."])).toBe("Hello, and welcome.");
    expect(await ask([{ text: "Once.", repeat: 2 }])).toBe("Once.");
    expect(await ask([async ({ prompt, provider }) => `${provider} read ${prompt}`])).toMatch(/^\S+ read Hi\.$/);
  });

  test("breaks the connection in the middle of a response", async () => {
    expect(await rejection(ask([{ text: "Hello, and welcome to all.", cutAfter: 1 }]))).toBeInstanceOf(Error);
  });

  test.each([
    ["overloaded", name.startsWith("anthropic") ? 529 : 503],
    ["rate_limited", 429],
    ["server_error", 500],
  ] as const)("fails as if it was %s, and the client's retry takes the next turn", async (failure, status) => {
    const error = await rejection(ask([{ failure }]));
    expect(error).toMatchObject({ status });
    if (name.startsWith("google")) expect(error).toBeInstanceOf(ApiError);
    else expect(await ask([{ failure, repeat: 2 }, "Here I am."], 2)).toBe("Here I am.");
  });

  test("says that no turn is left", async () => {
    expect(String(await rejection(ask([])))).toContain("no turn is left for request 1");
  });
});

describe("scriptedModel", () => {
  test("records each request as the model reads it", async () => {
    const turns: ModelTurn[] = [{ text: "Let me see.", calls: [{ id: "call_a", name: "look", arguments: { at: 1 } }] }];
    const scripted = scriptedModel({ turns: [...turns, "Seen."] });
    const client = new OpenAI({ apiKey: "k", fetch: scripted.fetch });
    const parameters = { type: "object", properties: {} };
    const tools = [{ type: "function" as const, name: "look", description: "Looks.", parameters, strict: false }];
    const first = await client.responses.create({ model: "m", input: "Look!", tools });
    expect(first.output).toMatchObject([
      { content: [{ text: "Let me see." }] },
      { type: "function_call", call_id: "call_a", arguments: '{"at":1}' },
    ]);
    const input = [{ type: "function_call_output" as const, call_id: "call_a", output: "a tree" }];
    const second = await client.responses.create({ model: "m", input, previous_response_id: first.id });
    expect(second.output_text).toBe("Seen.");
    expect(scripted.requests).toMatchObject([
      { provider: "openai", isStream: false, prompt: "Look!", outputs: [], problem: undefined },
      { prompt: "Look!", outputs: [{ id: "call_a", text: "a tree", isError: undefined }] },
    ]);
    expect(scripted.requests[0]?.tools).toEqual([{ name: "look", description: "Looks.", parameters }]);
    expect(scripted.requests[0]?.body["input"]).toBe("Look!");
  });

  test("accepts ids that its script gives twice, as some services do", async () => {
    const again = { calls: [{ id: "look:0", name: "look", arguments: {} }], repeat: 2 };
    const scripted = scriptedModel({ turns: [again, "Done."] });
    const client = new Anthropic({ apiKey: "k", fetch: scripted.fetch });
    const messages: Anthropic.MessageParam[] = [user];
    for (const _ of [1, 2]) {
      const { content } = await client.messages.create({ model: "m", max_tokens: 5, messages });
      messages.push({ role: "assistant", content }, results("look:0") as Anthropic.MessageParam);
    }
    expect((await client.messages.create({ model: "m", max_tokens: 5, messages })).stop_reason).toBe("end_turn");
  });

  test("serves all providers on a port, and breaks a connection there too", async () => {
    const scripted = scriptedModel({ turns: ["Hello.", { text: "Hello, and goodbye.", cutAfter: 2 }] });
    await using server = await scripted.serve();
    expect(server.env).toEqual({
      OPENAI_BASE_URL: `${server.url}/v1`,
      OPENAI_API_KEY: "scripted",
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: "scripted",
      GOOGLE_GEMINI_BASE_URL: server.url,
      GEMINI_API_KEY: "scripted",
    });
    const { models } = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: server.url } });
    expect((await models.generateContent({ model: "m", contents: "Hi." })).text).toBe("Hello.");
    const client = new OpenAI({ apiKey: "k", baseURL: `${server.url}/v1`, maxRetries: 0 });
    const seen: string[] = [];
    const stream = await client.responses.create({ model: "m", input: "Hi.", stream: true });
    const reading = async () => {
      for await (const { type } of stream) seen.push(type);
    };
    expect(await rejection(reading())).toBeInstanceOf(Error);
    expect(seen).toEqual(["response.created", "response.in_progress"]);
    const port = Number(new URL(server.url).port);
    expect(String(await rejection(scripted.serve({ port })))).toContain("Choose another port");
  });

  test.each([
    [{ turns: [{ txt: "Hi." }] }, "Unknown option turns[0].txt. Did you mean text?"],
    [{ turns: [{ calls: [{ nme: "look", arguments: {} }] }] }, "turns[0].calls[0].name must be"],
    [{ turns: [{ failure: "tired" }] }, "turns[0].failure must be"],
    [{ turns: ["Hi."], provider: "gpt" }, "provider must be"],
    [{}, "turns must be an array or a function"],
  ])("rejects %j", (options, words) => {
    expect(() => scriptedModel(options as never)).toThrow(words);
  });
});
