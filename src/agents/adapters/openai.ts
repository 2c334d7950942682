import { isString } from "../../shared/json.js";
import type { CallResult } from "../call-result.js";
import type { RunOptions, ToolCall } from "../tool.js";
import type { Toolset } from "../toolset.js";
import { checkResponse } from "./check-response.js";
import { compiledFor } from "./compiled-for.js";
import { checkStatus, type ModelResponse, responseOf } from "./openai-stream.js";
import { isStream, type StreamOptions } from "./stream.js";
import type { StrictOption } from "./strict.js";

export { type ChatDefinition, type ChatTurn, type OpenAIChatTools, openaiChat } from "./openai-chat.js";

/** A function tool of the Responses API. */
export interface FunctionDefinition {
  type: "function";
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>;
  /** Always present: the Responses API turns a tool without it into a strict one. */
  strict: boolean;
}

/** The response to a call in the Responses API. */
export interface FunctionCallOutput {
  type: "function_call_output";
  /** The id of the call. */
  call_id: string;
  /** The text for the model. */
  output: string;
}

/** A model's turn, and its continuation. */
export interface ResponseTurn<Item> {
  /** False if the model called nothing: the loop ends. */
  readonly hasCalls: boolean;
  /** Items to add to the next request's input: the model's own, then one output per call. */
  readonly items: (InputOf<Item> | FunctionCallOutput)[];
  /** The outputs alone, for a request with `previous_response_id`. */
  readonly outputs: FunctionCallOutput[];
  /** Results of the calls, in order, for your program. */
  readonly results: CallResult[];
}

/**
 * An output item as input. The library's types list the values of two kinds, which no function tool brings about,
 * differently.
 */
export type InputOf<Item> = Exclude<Item, { readonly type: "additional_tools" | "computer_call_output" }>;

/** Tools for the Responses API. */
export interface OpenAITools {
  /** The `tools` of a request. */
  readonly definitions: FunctionDefinition[];
  /**
   * Runs the calls of a response, or of the stream of its events that `responses.create({ stream: true })` returns.
   *
   * @throws {AuthRequiredError} if the toolset was created with `onAuthRequired: "throw"`.
   */
  run<Item extends object>(
    response: { readonly output: readonly Item[] },
    options?: RunOptions,
  ): Promise<ResponseTurn<Item>>;
  run<Event extends object>(
    stream: AsyncIterable<Event>,
    options?: StreamOptions<Event>,
  ): Promise<ResponseTurn<StreamedItem<Event>>>;
}

/** The item that a stream's event contains. */
export type StreamedItem<Event> = Event extends {
  readonly type: "response.output_item.done";
  readonly item: infer Item;
}
  ? Item
  : never;

/**
 * Creates a toolset's tools for OpenAI's Responses API. {@link openaiChat} makes them for Chat Completions.
 *
 * ```ts
 * const { definitions, run } = openai(tools);
 * let response = await client.responses.create({ model, input, tools: definitions });
 * for (let turn = await run(response); turn.hasCalls; turn = await run(response)) {
 *   input.push(...turn.items);
 *   response = await client.responses.create({ model, input, tools: definitions });
 * }
 * ```
 */
export function openai(tools: Toolset, { strict = true }: StrictOption = {}): OpenAITools {
  const compiled = compiledFor(tools, strict ? "openai-strict" : "openai");
  const definitions = compiled.tools.map(({ name, description, schema, strict }): FunctionDefinition => {
    return { type: "function", name, description, parameters: { ...schema }, strict };
  });
  const run = async (
    given: ModelResponse | AsyncIterable<object>,
    options: StreamOptions<object> = {},
  ): Promise<ResponseTurn<object>> => {
    checkResponse(given, "openai");
    const response = isStream(given) ? await responseOf(given, options) : given;
    checkStatus(response);
    const { output } = response;
    const results = await compiled.run(output.flatMap(callOf), options);
    const outputs = results.map(({ callId, text }): FunctionCallOutput => {
      return { type: "function_call_output", call_id: callId, output: text };
    });
    return { hasCalls: results.length > 0, items: [...output, ...outputs], outputs, results };
  };
  // The items are the response's own, whatever type its library has for them.
  return { definitions, run: run as OpenAITools["run"] };
}

function callOf(item: object): ToolCall[] {
  const { type, call_id, name, arguments: args, status }: Record<string, unknown> = Object(item);
  if (type !== "function_call" || !isString(call_id)) return [];
  return [{ callId: call_id, name: String(name), arguments: args, isCut: status === "incomplete" }];
}
