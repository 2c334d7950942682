import Anthropic from "@anthropic-ai/sdk";
import { anthropic } from "../../../src/agents/adapters/anthropic.js";
import type { TurnTicket } from "../../../src/agents/index.js";
import {
  type AdaptersUnderTest,
  type Any,
  CUT_TEXT,
  type MadeForTurns,
  PROMPT,
  type ProviderProgram,
  runOptions,
  suspended,
  type TurnAdapter,
} from "../adapter-under-test.js";
import { COUNT_WORDS } from "../support.js";

const text = { type: "text", text: CUT_TEXT };

const messagesApi: TurnAdapter = {
  create: (tools, options) => anthropic(tools, options) as MadeForTurns,
  passesText: false,
  list: "content",
  mostTools: 10_000,
  advice: "",
  search: "counts all",
  offered: (definitions) => definitions,
  nameOf: ({ name }: Any) => name,
  response: (id, calls) => ({
    id,
    stop_reason: "tool_use",
    content: calls.map(([id, input, name = COUNT_WORDS]) => ({ type: "tool_use", id, name, input })),
  }),
  cut: {
    response: { content: [text], stop_reason: "max_tokens" },
    events: [
      { type: "content_block_start", index: 0, content_block: text },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "max_tokens" } },
    ],
    reason: "max_tokens",
  },
  said: { content: [text], stop_reason: "end_turn" },
  stored: ({ messages: [{ content }] }: Any) => ({ content, stop_reason: "tool_use" }),
  ids: ({ messages: [own, answer] }: Any) => [
    ...own.content.map(({ id }: Any) => id),
    ...answer.content.map(({ tool_use_id }: Any) => tool_use_id),
  ],
  program: (url) => programOf(new Anthropic({ baseURL: url, apiKey: "test", maxRetries: 0 })),
};

function programOf(client: Anthropic): ProviderProgram {
  const limits = { model: "m", max_tokens: 100 };
  return {
    async suspend(tools, stream) {
      const { definitions, run } = anthropic(tools);
      const messages: Anthropic.MessageParam[] = [{ role: "user", content: PROMPT }];
      const request = { ...limits, messages, tools: definitions };
      if (!stream) return suspended(await run(await client.messages.create(request)), messages);
      return suspended(await run(await client.messages.create({ ...request, stream })), messages);
    },
    async resume(tools, text, options) {
      const { definitions, resume } = anthropic(tools);
      const ticket: TurnTicket<Anthropic.MessageParam> = JSON.parse(text);
      const turn = await resume(ticket, options);
      const goOn = async () => {
        const messages = turn.conversation;
        messages.push(...turn.messages);
        const { content } = await client.messages.create({ ...limits, messages, tools: definitions });
        return content.map((block) => (block.type === "text" ? block.text : "")).join("");
      };
      return { turn, goOn };
    },
    stream: async (tools, signal) =>
      anthropic(tools).run(await client.messages.create({ ...limits, messages: [], stream: true }), { signal }),
  };
}

export const adapters: AdaptersUnderTest = {
  guide: { page: "anthropic", title: "Anthropic", about: "The Messages API", packages: ["@anthropic-ai/sdk"] },
  turns: { anthropic: messagesApi },
  options: (tools) => ({
    anthropic: { call: (o) => anthropic(tools, o), good: { strict: false }, wrong: { strict: 1 } },
    "anthropic run": runOptions(anthropic(tools), { content: [] }),
  }),
};
