import Anthropic from "@anthropic-ai/sdk";
import { type Content, GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { anthropic } from "../../../src/agents/adapters/anthropic.js";
import { google } from "../../../src/agents/adapters/google.js";
import { openai, openaiChat } from "../../../src/agents/adapters/openai.js";
import type { CallResult, ResumeOptions, Toolset, TurnFacts, TurnTicket } from "../../../src/agents/index.js";
import type { TestModel } from "./model-server.js";

/** A turn, and how its conversation goes on: the text of the model's next turn. */
interface Resumed {
  readonly turn: TurnFacts<unknown>;
  goOn(): Promise<string>;
}

/** A program's code for one provider. */
export interface Provider {
  readonly adapter: TurnTicket["adapter"];
  /** Asks the model, runs its calls, and suspends the turn. */
  suspend(tools: Toolset, stream?: boolean): Promise<{ readonly results: CallResult[]; readonly ticket: TurnTicket }>;
  resume(tools: Toolset, ticket: string, options?: ResumeOptions): Promise<Resumed>;
}

export const PROMPT = "Do it.";
const suspended = async (turn: TurnFacts<unknown>, conversation: readonly object[]) => {
  return { results: turn.results, ticket: await turn.suspend(conversation) };
};

/** Programs that suspend and resume the turns of a scripted model. */
export function providersOf(model: TestModel): readonly Provider[] {
  const openaiClient = new OpenAI({ baseURL: `${model.url}/v1`, apiKey: "test", maxRetries: 0 });
  const anthropicClient = new Anthropic({ baseURL: model.url, apiKey: "test", maxRetries: 0 });
  const googleClient = new GoogleGenAI({ apiKey: "test", httpOptions: { baseUrl: model.url } });
  const providers: { readonly [Name in TurnTicket["adapter"]]: Provider & { readonly adapter: Name } } = {
    openai: {
      adapter: "openai",
      async suspend(tools, stream) {
        const { definitions, run } = openai(tools);
        const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: PROMPT }];
        const request = { model: "m", input, tools: definitions };
        if (!stream) return suspended(await run(await openaiClient.responses.create(request)), input);
        return suspended(await run(await openaiClient.responses.create({ ...request, stream })), input);
      },
      async resume(tools, text, options) {
        const { definitions, resume } = openai(tools);
        const ticket: TurnTicket<OpenAI.Responses.ResponseInputItem> = JSON.parse(text);
        const turn = await resume(ticket, options);
        const goOn = async () => {
          const input = turn.conversation;
          input.push(...turn.items);
          return (await openaiClient.responses.create({ model: "m", input, tools: definitions })).output_text;
        };
        return { turn, goOn };
      },
    },
    openaiChat: {
      adapter: "openaiChat",
      async suspend(tools, stream) {
        const { definitions, run } = openaiChat(tools);
        const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: PROMPT }];
        const request = { model: "m", messages, tools: definitions };
        if (!stream) return suspended(await run(await openaiClient.chat.completions.create(request)), messages);
        return suspended(await run(await openaiClient.chat.completions.create({ ...request, stream })), messages);
      },
      async resume(tools, text, options) {
        const { definitions, resume } = openaiChat(tools);
        const ticket: TurnTicket<OpenAI.ChatCompletionMessageParam> = JSON.parse(text);
        const turn = await resume(ticket, options);
        const goOn = async () => {
          const messages = turn.conversation;
          messages.push(...turn.messages);
          const next = await openaiClient.chat.completions.create({ model: "m", messages, tools: definitions });
          return next.choices[0]?.message.content ?? "";
        };
        return { turn, goOn };
      },
    },
    anthropic: {
      adapter: "anthropic",
      async suspend(tools, stream) {
        const { definitions, run } = anthropic(tools);
        const messages: Anthropic.MessageParam[] = [{ role: "user", content: PROMPT }];
        const request = { model: "m", max_tokens: 100, messages, tools: definitions };
        if (!stream) return suspended(await run(await anthropicClient.messages.create(request)), messages);
        return suspended(await run(await anthropicClient.messages.create({ ...request, stream })), messages);
      },
      async resume(tools, text, options) {
        const { definitions, resume } = anthropic(tools);
        const ticket: TurnTicket<Anthropic.MessageParam> = JSON.parse(text);
        const turn = await resume(ticket, options);
        const goOn = async () => {
          const messages = turn.conversation;
          messages.push(...turn.messages);
          const request = { model: "m", max_tokens: 100, messages, tools: definitions };
          const { content } = await anthropicClient.messages.create(request);
          return content.map((block) => (block.type === "text" ? block.text : "")).join("");
        };
        return { turn, goOn };
      },
    },
    google: {
      adapter: "google",
      async suspend(tools, stream) {
        const { definitions, run } = google(tools);
        const contents: Content[] = [{ role: "user", parts: [{ text: PROMPT }] }];
        const request = { model: "m", contents, config: { tools: definitions } };
        if (!stream) return suspended(await run(await googleClient.models.generateContent(request)), contents);
        return suspended(await run(await googleClient.models.generateContentStream(request)), contents);
      },
      async resume(tools, text, options) {
        const { definitions, resume } = google(tools);
        const ticket: TurnTicket<Content> = JSON.parse(text);
        const turn = await resume(ticket, options);
        const goOn = async () => {
          const contents = turn.conversation;
          contents.push(...turn.contents);
          const request = { model: "m", contents, config: { tools: definitions } };
          return (await googleClient.models.generateContent(request)).text ?? "";
        };
        return { turn, goOn };
      },
    },
  };
  return Object.values(providers);
}
