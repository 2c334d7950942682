import type { DeferOption } from "../../src/agents/adapters/adapter-options.js";
import { anthropic } from "../../src/agents/adapters/anthropic.js";
import { google } from "../../src/agents/adapters/google.js";
import { openai, openaiChat } from "../../src/agents/adapters/openai.js";
import type {
  ResumeOptions,
  RunOptions,
  StreamOptions,
  Toolset,
  TurnFacts,
  TurnTicket,
} from "../../src/agents/index.js";
import { COUNT_WORDS } from "./support.js";

/** The calls of a turn: id and arguments of each, and the tool, by default one that counts words. */
export type Calls = readonly (readonly [id: string | undefined, args: object, name?: string])[];

// biome-ignore lint/suspicious/noExplicitAny: turns of every adapter, read field by field; a wrong one shows in a test.
type Any = any;

/** An adapter with its toolset, without the types of its library. */
interface MadeForTurns {
  readonly definitions: readonly object[];
  run(response: object, options?: RunOptions | StreamOptions<object>): Promise<TurnFacts<unknown>>;
  resume(
    ticket: TurnTicket,
    options?: ResumeOptions,
  ): Promise<TurnFacts<unknown> & { readonly conversation: readonly unknown[] }>;
}

/** An adapter whose `run` takes a response: how its provider writes a turn, and what it must keep of one. */
export interface TurnAdapter {
  create(tools: Toolset, options?: DeferOption): MadeForTurns;
  /** Whether the provider writes a call's arguments as text, with all digits. Others write JSON, which is parsed. */
  readonly passesText: boolean;
  /** The list by which `run` recognizes a response. */
  readonly list: string;
  /** How many tools a request may have, by the provider's guide. */
  readonly mostTools: number;
  /** The end of the advice in the error for more tools. */
  readonly advice: string;
  /**
   * The search in deferred tools: `find_tools` of this package, which counts as a tool, or the provider's. The provider's
   * tools then count all, or only those that aren't deferred.
   */
  readonly search: "find_tools" | "counts all" | "counts shown";
  /** The list of tools in the definitions, to which a search adds. */
  offered(definitions: readonly object[]): readonly object[];
  nameOf(tool: object): string;
  /** A complete response with calls. */
  response(id: string | undefined, calls: Calls): object;
  /** A response whose text a limit has cut off, whole and as a stream, and the provider's reason. */
  readonly cut: { readonly response: object; readonly events: readonly object[]; readonly reason: string };
  /** A complete response with text. */
  readonly said: object;
  /** The response of what `run` returned for the conversation. */
  stored(turn: object): object;
  /** The ids of calls and of results in what `run` returned. */
  ids(turn: object): unknown;
}

const TEXT = "Half a sen";
const SEARCH = ", or let the model search them with the option defer";

const openaiMessage = { type: "message", role: "assistant", content: [{ type: "output_text", text: TEXT }] };
const openaiCut = {
  status: "incomplete",
  incomplete_details: { reason: "max_output_tokens" },
  output: [openaiMessage],
};
const chatMessage = { role: "assistant", content: TEXT };
const anthropicText = { type: "text", text: TEXT };
const googleContent = { parts: [{ text: TEXT }] };
const googleCut = { candidates: [{ content: googleContent, finishReason: "MAX_TOKENS" }] };

/** Every adapter that takes the turns of a model. The compiler asks for a row when a ticket can name another one. */
export const TURN_ADAPTERS: Readonly<Record<TurnTicket["adapter"], TurnAdapter>> = {
  openai: {
    create: (tools, options) => openai(tools, options) as MadeForTurns,
    passesText: true,
    list: "output",
    mostTools: 128,
    advice: SEARCH,
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
      response: openaiCut,
      events: [
        { type: "response.output_item.done", item: openaiMessage },
        { type: "response.incomplete", response: { ...openaiCut, output: [] } },
      ],
      reason: "max_output_tokens",
    },
    said: { status: "completed", output: [openaiMessage] },
    stored: ({ items }: Any) => ({ output: items.filter(({ type }: Any) => type === "function_call") }),
    ids: ({ items }: Any) => items.map(({ call_id }: Any) => call_id),
  },
  openaiChat: {
    create: (tools, options) => openaiChat(tools, options) as MadeForTurns,
    passesText: true,
    list: "choices",
    mostTools: 128,
    advice: SEARCH,
    search: "find_tools",
    offered: (definitions) => definitions,
    nameOf: (tool: Any) => tool.function.name,
    response: (id, calls) => ({
      id,
      choices: [
        {
          message: {
            role: "assistant",
            tool_calls: calls.map(([id, args, name = COUNT_WORDS]) => {
              return { id, type: "function", function: { name, arguments: JSON.stringify(args) } };
            }),
          },
        },
      ],
    }),
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
  },
  anthropic: {
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
      response: { content: [anthropicText], stop_reason: "max_tokens" },
      events: [
        { type: "content_block_start", index: 0, content_block: anthropicText },
        { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: { stop_reason: "max_tokens" } },
      ],
      reason: "max_tokens",
    },
    said: { content: [anthropicText], stop_reason: "end_turn" },
    stored: ({ messages: [{ content }] }: Any) => ({ content, stop_reason: "tool_use" }),
    ids: ({ messages: [own, answer] }: Any) => [
      ...own.content.map(({ id }: Any) => id),
      ...answer.content.map(({ tool_use_id }: Any) => tool_use_id),
    ],
  },
  google: {
    create: (tools, options) => google(tools, options) as MadeForTurns,
    passesText: false,
    list: "candidates",
    mostTools: 512,
    advice: SEARCH,
    search: "find_tools",
    offered: ([{ functionDeclarations }]: Any) => functionDeclarations,
    nameOf: ({ name }: Any) => name,
    response: (responseId, calls) => ({
      responseId,
      candidates: [
        {
          content: {
            parts: calls.map(([id, args, name = COUNT_WORDS]) => ({ functionCall: { id, name, args } })),
          },
        },
      ],
    }),
    cut: { response: googleCut, events: [googleCut], reason: "MAX_TOKENS" },
    said: { candidates: [{ content: googleContent, finishReason: "STOP" }] },
    stored: ({ contents: [content] }: Any) => ({ candidates: [{ content }] }),
    ids: ({ contents: [own, answer] }: Any) => [
      ...own.parts.map(({ functionCall }: Any) => functionCall.id),
      ...answer.parts.map(({ functionResponse }: Any) => functionResponse.id),
    ],
  },
};
