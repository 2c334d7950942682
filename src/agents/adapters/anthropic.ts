import { field, isString, parseJson } from "../../shared/json.js";
import { type CallResult, isFailure } from "../call-result.js";
import type { RunOptions, ToolCall } from "../tool.js";
import type { Toolset } from "../toolset.js";
import { withUniqueIds } from "./call-ids.js";
import { checkCount, type DeferOption, deferredNames, type StrictOption, strictlyFor } from "./compiled-for.js";
import { checkResponse, isStream, read, type StreamOptions, textOf } from "./stream.js";

export type { DeferOption } from "./compiled-for.js";

/** A tool of the Messages API. */
export interface AnthropicDefinition {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  input_schema: { type: "object"; [keyword: string]: unknown };
  /** Present if the provider is asked to enforce the schema. */
  strict?: boolean;
  /** Present if the model gets the definition only after a search. */
  defer_loading?: boolean;
}

/** Anthropic's search in deferred tools. */
export interface AnthropicSearchDefinition {
  type: "tool_search_tool_bm25_20251119";
  name: "tool_search_tool_bm25";
}

/** Options of {@link anthropic}. */
export interface AnthropicOptions extends StrictOption, Required<DeferOption> {}

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
  /** Messages to add to the next request: the model's, then one with a result per call. Calls have unique ids. */
  readonly messages: ({ role: "assistant"; content: Block[] } | { role: "user"; content: ToolResultBlock[] })[];
  /** Results of the calls, in order, for your program. */
  readonly results: CallResult[];
}

/** Tools for the Messages API. */
export interface AnthropicTools<Search = never> {
  /** The `tools` of a request. */
  readonly definitions: (AnthropicDefinition | Search)[];
  /**
   * Runs the calls of a message, or of the stream of its events: `messages.create({ stream: true })` or
   * `messages.stream()`. The second one fails if the arguments of a call aren't JSON: the model is told, and the calls
   * after it are lost.
   *
   * @throws {AuthRequiredError} if the toolset was created with `onAuthRequired: "throw"`.
   */
  run<Block extends object>(
    message: { readonly content: readonly Block[]; readonly stop_reason: string | null; readonly id?: string },
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
 *
 * @throws {ConfigError} for more than 10,000 tools, or if `strict` chooses more than Anthropic enforces.
 */
export function anthropic(tools: Toolset, options: AnthropicOptions): AnthropicTools<AnthropicSearchDefinition>;
export function anthropic(tools: Toolset, options?: StrictOption): AnthropicTools;
export function anthropic(
  tools: Toolset,
  options: StrictOption & DeferOption = {},
): AnthropicTools<AnthropicSearchDefinition> {
  const compiled = strictlyFor(tools, "anthropic", options);
  checkCount("anthropic", compiled.tools.length);
  const deferred = deferredNames(tools, compiled, options);
  const definitions: AnthropicTools<AnthropicSearchDefinition>["definitions"] = compiled.tools.map(
    ({ name, description, schema, strict }) => {
      const definition = { name, description, input_schema: { ...schema, type: "object" as const } };
      return { ...definition, ...(strict && { strict }), ...(deferred.has(name) && { defer_loading: true }) };
    },
  );
  if (deferred.size > 0) definitions.push({ type: "tool_search_tool_bm25_20251119", name: "tool_search_tool_bm25" });
  const run = async (
    response: Message | AsyncIterable<object>,
    options: StreamOptions<object> = {},
  ): Promise<AnthropicTurn<object>> => {
    checkResponse(response, "anthropic");
    const message = isStream(response) ? await messageOf(response, options) : response;
    const { content, stop_reason } = message;
    const written = callsOf(message);
    const calls = await withUniqueIds(written, message.id, content[0] ?? content);
    const results = await compiled.run(calls, options);
    const blocks = results.map(({ callId, status, text }): ToolResultBlock => {
      const isError = isFailure(status);
      return { type: "tool_result", tool_use_id: callId, content: text, ...(isError && { is_error: true }) };
    });
    const own = [...content];
    if (calls !== written) for (const { at, callId } of calls) own[at] = { ...own[at], id: callId };
    // A paused turn is sent back unchanged, and continues.
    const hasCalls = blocks.length > 0 || stop_reason === "pause_turn";
    const messages: AnthropicTurn<object>["messages"] = [{ role: "assistant", content: own }];
    if (blocks.length > 0) messages.push({ role: "user", content: blocks });
    return { hasCalls, messages, results };
  };
  // The blocks are the message's own, whatever type its library has for them.
  return { definitions, run: run as AnthropicTools["run"] };
}

/** The part of a message that the adapter reads. */
interface Message {
  readonly id?: unknown;
  readonly content: readonly object[];
  readonly stop_reason: string | null | undefined;
  /** The blocks of a stream as they were written. */
  readonly streamed?: ReadonlyMap<object, StreamedText>;
}

interface StreamedText {
  /** The JSON of a call's arguments. */
  text: string;
  hasEnded: boolean;
}

/** Why a message ended, if its last call may be incomplete. */
const CUT = ["max_tokens", "model_context_window_exceeded", "refusal"];

function callsOf({ content, stop_reason, streamed }: Message): (ToolCall & { readonly at: number })[] {
  return content.flatMap((block, at) => {
    const { type, name, input }: Record<string, unknown> = Object(block);
    if (type !== "tool_use") return [];
    const { text, hasEnded = true } = streamed?.get(block) ?? {};
    const isLast = at === content.length - 1;
    const isTruncated = !hasEnded || (isLast && CUT.includes(stop_reason ?? ""));
    return [{ at, callId: textOf(block, "id"), name: String(name), arguments: text || input, isTruncated }];
  });
}

/** Fields of a block that a delta's field of the same name makes longer. */
const GROWING = ["text", "thinking", "signature"];

/**
 * Joins a streamed message. Arguments that are invalid JSON get a result with the error: the block that is sent back
 * has none.
 */
async function messageOf(stream: AsyncIterable<object>, options: StreamOptions<object>): Promise<Message> {
  const blocks = new Map<unknown, Record<string, unknown>>();
  const streamed = new Map<Record<string, unknown>, StreamedText>();
  let id = "";
  let stop_reason: string | undefined;
  const take = (event: object) => {
    const { type, index, message, content_block, delta }: Record<string, unknown> = Object(event);
    if (type === "message_start") id = textOf(message, "id");
    if (type === "message_delta") stop_reason = textOf(delta, "stop_reason") || stop_reason;
    if (type === "content_block_start") blocks.set(index, { ...Object(content_block) });
    const block = blocks.get(index);
    if (!block) return;
    const written = streamed.get(block) ?? { text: "", hasEnded: false };
    streamed.set(block, written);
    if (type === "content_block_stop") written.hasEnded = true;
    if (type !== "content_block_delta") return;
    for (const name of GROWING)
      if (isString(field(delta, name))) block[name] = textOf(block, name) + textOf(delta, name);
    const citation = field(delta, "citation");
    if (citation !== undefined) block["citations"] = [block["citations"] ?? [], citation].flat();
    if (field(delta, "type") === "compaction_delta") {
      // It is the block's final content, which the next request needs.
      const { type: _, ...fields } = Object(delta);
      Object.assign(block, fields);
    }
    written.text += textOf(delta, "partial_json");
  };
  let broken: StreamedText | undefined;
  try {
    await read(stream, options, take);
  } catch (error) {
    // The library gives up a stream if a call's arguments aren't JSON.
    if (/SyntaxError/.test(`${error} ${field(error, "cause")}`)) broken = [...streamed.values()].find(isBroken);
    if (!broken) throw error;
  }
  for (const [block, written] of streamed) {
    if (written.text) block["input"] = parseJson(written.text) ?? {};
    // A stream that broke off runs nothing. The model reads where its JSON broke.
    written.hasEnded = written === broken || (written.hasEnded && stop_reason !== undefined);
  }
  return { id, content: [...blocks.values()], stop_reason, streamed };
}

const isBroken = ({ text, hasEnded }: StreamedText) => !hasEnded && text !== "" && parseJson(text) === undefined;
