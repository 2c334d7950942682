import { isString } from "../../shared/json.js";
import { type CallResult, isFailure } from "../call-result.js";
import type { RunOptions, ToolCall } from "../tool.js";
import type { Toolset } from "../toolset.js";
import { type Message, messageOf } from "./anthropic-stream.js";
import { checkResponse } from "./check-response.js";
import { compiledFor } from "./compiled-for.js";
import { isStream, type StreamOptions } from "./stream.js";
import type { StrictOption } from "./strict.js";

/** A tool of the Messages API. */
export interface AnthropicDefinition {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  input_schema: { type: "object"; [keyword: string]: unknown };
  /** Present if the provider is asked to enforce the schema. */
  strict?: boolean;
}

/** The response to a call in the Messages API. */
export interface ToolResultBlock {
  type: "tool_result";
  /** The id of the call. */
  tool_use_id: string;
  /** The text for the model. */
  content: string;
  /** Present unless the call succeeded. */
  is_error?: boolean;
}

/** A model's turn, and its continuation. */
export interface AnthropicTurn<Block> {
  /** False if there is nothing to respond to and nothing to continue: the loop ends. */
  readonly hasCalls: boolean;
  /** Messages to add to the next request: the model's own, then one with a result per call. */
  readonly messages: ({ role: "assistant"; content: Block[] } | { role: "user"; content: ToolResultBlock[] })[];
  /** Results of the calls, in order, for your program. */
  readonly results: CallResult[];
}

/** Tools for the Messages API. */
export interface AnthropicTools {
  /** The `tools` of a request. */
  readonly definitions: AnthropicDefinition[];
  /**
   * Runs the calls of a message, or of the stream of its events: `messages.create({ stream: true })` or
   * `messages.stream()`.
   *
   * @throws {AuthRequiredError} if the toolset was created with `onAuthRequired: "throw"`.
   */
  run<Block extends object>(
    message: { readonly content: readonly Block[]; readonly stop_reason: string | null },
    options?: RunOptions,
  ): Promise<AnthropicTurn<Block>>;
  run<Event extends object>(
    stream: AsyncIterable<Event>,
    options?: StreamOptions<Event>,
  ): Promise<AnthropicTurn<StreamedBlock<Event>>>;
}

/** The block that a stream's event contains. */
export type StreamedBlock<Event> = Event extends {
  readonly type: "content_block_start";
  readonly content_block: infer Block;
}
  ? Block
  : never;

/**
 * Creates a toolset's tools for Anthropic's Messages API.
 *
 * ```ts
 * const { definitions, run } = anthropic(tools);
 * let message = await client.messages.create({ ...request, messages, tools: definitions });
 * for (let turn = await run(message); turn.hasCalls; turn = await run(message)) {
 *   messages.push(...turn.messages);
 *   message = await client.messages.create({ ...request, messages, tools: definitions });
 * }
 * ```
 */
export function anthropic(tools: Toolset, { strict = true }: StrictOption = {}): AnthropicTools {
  const compiled = compiledFor(tools, strict ? "anthropic-strict" : "anthropic");
  const definitions = compiled.tools.map(({ name, description, schema, strict }): AnthropicDefinition => {
    return { name, description, input_schema: { ...schema, type: "object" }, ...(strict && { strict }) };
  });
  const run = async (
    response: Message | AsyncIterable<object>,
    options: StreamOptions<object> = {},
  ): Promise<AnthropicTurn<object>> => {
    checkResponse(response, "anthropic");
    const message = isStream(response) ? await messageOf(response, options) : response;
    const { content, stop_reason } = message;
    const results = await compiled.run(callsOf(message), options);
    const blocks = results.map(({ callId, status, text }): ToolResultBlock => {
      const isError = isFailure(status);
      return { type: "tool_result", tool_use_id: callId, content: text, ...(isError && { is_error: true }) };
    });
    // A paused turn is sent back unchanged, and continues.
    const hasCalls = blocks.length > 0 || stop_reason === "pause_turn";
    const messages: AnthropicTurn<object>["messages"] = [{ role: "assistant", content: [...content] }];
    if (blocks.length > 0) messages.push({ role: "user", content: blocks });
    return { hasCalls, messages, results };
  };
  // The blocks are the message's own, whatever type its library has for them.
  return { definitions, run: run as AnthropicTools["run"] };
}

/** Why a message ended, if its last call may be incomplete. */
const CUT = ["max_tokens", "model_context_window_exceeded", "refusal"];

function callsOf({ content, stop_reason, written }: Message): ToolCall[] {
  return content.flatMap((block, index) => {
    const { type, id, name, input }: Record<string, unknown> = Object(block);
    if (type !== "tool_use" || !isString(id)) return [];
    const isCut = CUT.includes(stop_reason ?? "") && index === content.length - 1;
    return [{ callId: id, name: String(name), arguments: written?.get(block) ?? input, isCut }];
  });
}
