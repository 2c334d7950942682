import OpenAI from "openai";
import { openai, openaiChat } from "../../../src/agents/adapters/openai.js";
import type { Toolset, TurnTicket } from "../../../src/agents/index.js";
import {
  type AdaptersUnderTest,
  type Any,
  CUT_TEXT,
  DEFER_ADVICE,
  type MadeForTurns,
  PROMPT,
  type ProviderProgram,
  runOptions,
  suspended,
  type TurnAdapter,
} from "../adapter-under-test.js";
import { COUNT_WORDS } from "../support.js";

const message = { type: "message", role: "assistant", content: [{ type: "output_text", text: CUT_TEXT }] };
const cut = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" }, output: [message] };
const chatMessage = { role: "assistant", content: CUT_TEXT };
const clientAt = (url: string) => new OpenAI({ baseURL: `${url}/v1`, apiKey: "test", maxRetries: 0 });

const responses: TurnAdapter = {
  create: (tools, options) => openai(tools, options) as MadeForTurns,
  passesText: true,
  list: "output",
  mostTools: 128,
  advice: DEFER_ADVICE,
  search: "counts shown",
  offered: (definitions) => definitions,
  nameOf: ({ name }: Any) => name,
  response: (id, calls) => ({
    id,
    output: calls.map(([call_id, args, name = COUNT_WORDS]) => {
      return { type: "function_call", call_id, name, arguments: JSON.stringify(args) };
    }),
  }),
  cut: {
    response: cut,
    events: [
      { type: "response.output_item.done", item: message },
      { type: "response.incomplete", response: { ...cut, output: [] } },
    ],
    reason: "max_output_tokens",
  },
  said: { status: "completed", output: [message] },
  stored: ({ items }: Any) => ({ output: items.filter(({ type }: Any) => type === "function_call") }),
  ids: ({ items }: Any) => items.map(({ call_id }: Any) => call_id),
  program: (url) => responsesProgram(clientAt(url)),
};

function responsesProgram(client: OpenAI): ProviderProgram {
  return {
    async suspend(tools, stream) {
      const { definitions, run } = openai(tools);
      const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: PROMPT }];
      const request = { model: "m", input, tools: definitions };
      if (!stream) return suspended(await run(await client.responses.create(request)), input);
      return suspended(await run(await client.responses.create({ ...request, stream })), input);
    },
    async resume(tools, text, options) {
      const { definitions, resume } = openai(tools);
      const ticket: TurnTicket<OpenAI.Responses.ResponseInputItem> = JSON.parse(text);
      const turn = await resume(ticket, options);
      const goOn = async () => {
        const input = turn.conversation;
        input.push(...turn.items);
        return (await client.responses.create({ model: "m", input, tools: definitions })).output_text;
      };
      return { turn, goOn };
    },
    stream: async (tools, signal) =>
      openai(tools).run(await client.responses.create({ model: "m", input: "x", stream: true }), { signal }),
  };
}

const chat: TurnAdapter = {
  create: (tools, options) => openaiChat(tools, options) as MadeForTurns,
  passesText: true,
  list: "choices",
  mostTools: 128,
  advice: DEFER_ADVICE,
  search: "find_tools",
  offered: (definitions) => definitions,
  nameOf: (tool: Any) => tool.function.name,
  response: (id, calls) => {
    const tool_calls = calls.map(([id, args, name = COUNT_WORDS]) => {
      return { id, type: "function", function: { name, arguments: JSON.stringify(args) } };
    });
    return { id, choices: [{ message: { role: "assistant", tool_calls } }] };
  },
  cut: {
    response: { choices: [{ message: chatMessage, finish_reason: "length" }] },
    events: [
      { choices: [{ index: 0, delta: chatMessage, finish_reason: null }] },
      { choices: [{ index: 0, delta: {}, finish_reason: "length" }] },
    ],
    reason: "length",
  },
  said: { choices: [{ message: chatMessage, finish_reason: "stop" }] },
  stored: ({ messages: [message] }: Any) => ({ choices: [{ message }] }),
  ids: ({ messages: [own, ...answers] }: Any) => [
    ...own.tool_calls.map(({ id }: Any) => id),
    ...answers.map(({ tool_call_id }: Any) => tool_call_id),
  ],
  program: (url) => chatProgram(clientAt(url)),
};

function chatProgram({ chat: { completions } }: OpenAI): ProviderProgram {
  return {
    async suspend(tools, stream) {
      const { definitions, run } = openaiChat(tools);
      const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: PROMPT }];
      const request = { model: "m", messages, tools: definitions };
      if (!stream) return suspended(await run(await completions.create(request)), messages);
      return suspended(await run(await completions.create({ ...request, stream })), messages);
    },
    async resume(tools, text, options) {
      const { definitions, resume } = openaiChat(tools);
      const ticket: TurnTicket<OpenAI.ChatCompletionMessageParam> = JSON.parse(text);
      const turn = await resume(ticket, options);
      const goOn = async () => {
        const messages = turn.conversation;
        messages.push(...turn.messages);
        const next = await completions.create({ model: "m", messages, tools: definitions });
        return next.choices[0]?.message.content ?? "";
      };
      return { turn, goOn };
    },
    stream: async (tools, signal) =>
      openaiChat(tools).run(await completions.create({ model: "m", messages: [], stream: true }), { signal }),
  };
}

/** A ticket of a turn without calls. */
const ticketOf = async (tools: Toolset) => (await openai(tools).run({ output: [] })).suspend([]);

export const adapters: AdaptersUnderTest = {
  guide: { page: "openai", title: "OpenAI", about: "Responses and Chat Completions", packages: ["openai"] },
  turns: { openai: responses, openaiChat: chat },
  options: (tools) => ({
    openai: { call: (o) => openai(tools, o), good: { strict: false }, wrong: { strict: 1 } },
    "openai run": runOptions(openai(tools), { output: [] }),
    "openai resume": {
      call: async (o) => openai(tools).resume(await ticketOf(tools), o),
      good: { decisions: [] },
      wrong: { decisions: "t" },
    },
    openaiChat: { call: (o) => openaiChat(tools, o), good: { strict: false }, wrong: { strict: 1 } },
    "openaiChat run": runOptions(openaiChat(tools), { choices: [{ message: {} }] }),
  }),
};
