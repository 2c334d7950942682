import { field } from "../../shared/json.js";
import type { CallResult } from "../call-result.js";
import type { RunOptions, ToolCall } from "../tool.js";
import type { Toolset } from "../toolset.js";
import { checkResponse } from "./check-response.js";
import { compiledFor } from "./compiled-for.js";
import { type Choice, type Completion, completionOf, type StreamedMessage } from "./openai-chat-stream.js";
import { isStream, type StreamOptions, textOf } from "./stream.js";
import type { StrictOption } from "./strict.js";
import { turnId } from "./turn-id.js";

/** A function tool of Chat Completions. */
export interface ChatDefinition {
  type: "function";
  /** Name, description and JSON Schema. `strict` is always present. */
  function: { name: string; description: string; parameters: Record<string, unknown>; strict: boolean };
}

/** The response to a call in Chat Completions. */
export interface ChatToolMessage {
  role: "tool";
  tool_call_id: string;
  content: string;
}

/** A model's turn, and its continuation. */
export interface ChatTurn<Message> {
  /** False if the model called nothing: the loop ends. */
  readonly hasCalls: boolean;
  /** Messages to add to the next request: the model's own, then one per call. */
  readonly messages: (Message | ChatToolMessage)[];
  /** Results of the calls, in order, for your program. */
  readonly results: CallResult[];
}

/** Tools for Chat Completions. */
export interface OpenAIChatTools {
  /** The `tools` of a request. */
  readonly definitions: ChatDefinition[];
  /**
   * Runs the calls of a completion's first choice, or of the stream of its chunks. A call without an id gets one from
   * the completion's `id` and its position.
   *
   * @throws {AuthRequiredError} if the toolset was created with `onAuthRequired: "throw"`.
   */
  run<Message extends object>(
    completion: {
      readonly id?: string | null;
      readonly choices: readonly { readonly message: Message; readonly finish_reason?: string | null }[];
    },
    options?: RunOptions,
  ): Promise<ChatTurn<Message>>;
  run<Chunk extends object>(
    stream: AsyncIterable<Chunk>,
    options?: StreamOptions<Chunk>,
  ): Promise<ChatTurn<StreamedMessage>>;
}

/** Creates a toolset's tools for OpenAI's Chat Completions, and for the many services with the same API. */
export function openaiChat(tools: Toolset, { strict = true }: StrictOption = {}): OpenAIChatTools {
  const compiled = compiledFor(tools, strict ? "openai-strict" : "openai");
  const definitions = compiled.tools.map(({ name, description, schema, strict }): ChatDefinition => {
    return { type: "function", function: { name, description, parameters: { ...schema }, strict } };
  });
  const run = async (
    completion: Completion | AsyncIterable<object>,
    options: StreamOptions<object> = {},
  ): Promise<ChatTurn<object>> => {
    checkResponse(completion, "openaiChat");
    const { id, choices } = isStream(completion) ? await completionOf(completion, options) : completion;
    const [choice] = choices;
    if (!choice) return { hasCalls: false, messages: [], results: [] };
    const calls = callsOf(choice, id);
    const results = await compiled.run(calls, options);
    const answers = results.map(({ text }, index): ChatToolMessage => {
      return { role: "tool", tool_call_id: calls[index]?.id ?? "", content: text };
    });
    return { hasCalls: results.length > 0, messages: [choice.message, ...answers], results };
  };
  // The message is the completion's own, whatever type its library has for it.
  return { definitions, run: run as OpenAIChatTools["run"] };
}

/** Why a completion ended, if its last call may be incomplete. */
const CUT = /^(length|content_filter)$/;

function callsOf({ message, finish_reason }: Choice, completionId: unknown): (ToolCall & { readonly id: string })[] {
  const calls: unknown = field(message, "tool_calls");
  if (!Array.isArray(calls)) return [];
  const turn = turnId(message, completionId);
  return calls.flatMap((call: unknown, index) => {
    const made = field(call, "function");
    if (made === undefined) return [];
    const isCut = CUT.test(finish_reason ?? "") && index === calls.length - 1;
    const id = textOf(call, "id");
    // Some services with this API send calls without an id.
    const callId = id || `${turn}:${index}`;
    return [{ id, callId, name: textOf(made, "name"), arguments: field(made, "arguments"), isCut }];
  });
}
