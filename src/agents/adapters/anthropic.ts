// The room of adapters: a toolset in the form of each library, and a model's turns in the form of each provider. It
// imports `approvals`, `call`, `schema`, `tools` and `src/json-schema`. Start here, an adapter for responses, or at
// `mastra.ts`, one for a library.

import * as option from "../../errors/option-rules.js";
import { textOf } from "../../shared/json.js";
import { isFailure } from "../../shared/tools.js";
import { runOptionsOf } from "../check-options.js";
import type { RunOptions } from "../run-options.js";
import type { Toolset } from "../toolset.js";
import { CHOICE, type NoHostedTool, PROGRAMMATIC, STRICT, type StrictOption } from "./adapter-options.js";
import {
  type AnthropicDefinition,
  type AnthropicHostedTool,
  type AnthropicOptions,
  definitionsFor,
  type EagerOption,
} from "./anthropic-definitions.js";
import {
  acceptedContent,
  callsInMessage,
  incompleteReason,
  type Message,
  messageOf,
  unansweredIn,
} from "./anthropic-message.js";
import { withUniqueIds } from "./call-ids.js";
import { checkResponse, isStream, type StreamOptions } from "./calls.js";
import type { PartOf, Resumed, ResumeOptions, TurnTicket } from "./ticket.js";
import { openedTicket, type TurnFacts, turnOf } from "./turn.js";

export type { DeferOption, NoHostedTool, ProgrammaticOption } from "./adapter-options.js";
export type {
  AnthropicDefinition,
  AnthropicHostedTool,
  AnthropicOptions,
  AnthropicSearchDefinition,
  CodeExecutionDefinition,
  EagerOption,
} from "./anthropic-definitions.js";

const ANTHROPIC_OPTIONS = {
  strict: STRICT,
  defer: option.FUNCTION,
  programmatic: PROGRAMMATIC,
  eagerInputStreaming: { ...CHOICE, default: false },
} as const satisfies option.Rules<AnthropicOptions>;

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
export interface AnthropicTurn<Block> extends TurnFacts<Block> {
  /** False if there is nothing to respond to and nothing to continue: the loop ends. */
  readonly hasCalls: boolean;
  /**
   * Messages to add to the next request: the model's message, unless it is empty, then a message with a result per
   * call. Missing and repeated ids of calls are replaced in both, so that ids are unique in the conversation. Blocks
   * that the service would reject are omitted: those without text, and a thinking block that was cut off.
   */
  readonly messages: ({ role: "assistant"; content: Block[] } | { role: "user"; content: ToolResultBlock[] })[];
  /**
   * Id of the container in which a program of the model waits for the results. Pass it to the next request, which is
   * rejected without it: `container: turn.container`. `null` without such a program.
   */
  readonly container: string | null;
}

/** Tools for the Messages API. */
export interface AnthropicTools<Search = never> {
  /** The `tools` of a request. */
  readonly definitions: (AnthropicDefinition | Search)[];
  /**
   * Runs the calls of a message, or of the stream of its events: `messages.create({ stream: true })` or
   * `messages.stream()`. `messages.stream()` fails if the arguments of a call aren't JSON. The model is told, and the
   * calls after it are lost.
   *
   * @throws {AuthRequiredError} if the toolset was created with `onAuthRequired: "throw"`.
   */
  run<Block extends object>(
    message: {
      readonly content: readonly Block[];
      readonly stop_reason: string | null;
      readonly id?: string;
      readonly container?: object | null;
    },
    options?: RunOptions,
  ): Promise<AnthropicTurn<Block>>;
  run<Event extends object>(
    stream: AsyncIterable<Event>,
    options?: StreamOptions<Event>,
  ): Promise<AnthropicTurn<StreamedBlock<Event>>>;
  /**
   * Continues a turn that `suspend` stored, in any process, and runs its calls with a person's decisions. Each call
   * runs once, however often you resume the ticket. Calls that ran already return their recorded results.
   *
   * @throws {TicketRejectedError} if the ticket isn't one of this adapter and toolset, or a definition or the policy
   * has changed. Nothing ran.
   */
  resume<Message extends object>(
    ticket: TurnTicket<Message>,
    options?: ResumeOptions,
  ): Promise<AnthropicTurn<PartOf<Message, "content">> & Resumed<Message>>;
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
 * let turn = await run(message);
 * for (let turns = 1; turn.hasCalls; turns += 1) {
 *   if (turns === 10) throw new Error("The model still calls tools after ten turns.");
 *   messages.push(...turn.messages);
 *   message = await client.messages.create({ ...request, messages, tools: definitions });
 *   turn = await run(message);
 * }
 * if (turn.isIncomplete) throw new Error(`The model didn't finish: ${turn.incompleteReason}`);
 * ```
 *
 * @throws {ConfigError} for more than 10,000 tools, if `strict` chooses more than Anthropic enforces, and for an
 * unknown or invalid option.
 */
export function anthropic(tools: Toolset, options?: StrictOption & EagerOption & NoHostedTool): AnthropicTools;
export function anthropic(tools: Toolset, options?: AnthropicOptions): AnthropicTools<AnthropicHostedTool>;
export function anthropic(tools: Toolset, given: AnthropicOptions = {}): AnthropicTools<AnthropicHostedTool> {
  const options = option.checkAll("anthropic", given, ANTHROPIC_OPTIONS);
  const { compiled, definitions } = definitionsFor(tools, options);
  const source = { adapter: "anthropic", tools, compiled, shown: compiled.tools } as const;
  const runTurn = async (message: Message, options: RunOptions): Promise<AnthropicTurn<object>> => {
    const { id, content, stop_reason } = message;
    const written = callsInMessage(message);
    const calls = await withUniqueIds(tools, written, id, content[0] ?? content, options);
    const results = await compiled.run(calls, options);
    const blocks = results.map(({ callId, status, text }): ToolResultBlock => {
      const isError = isFailure(status);
      return { type: "tool_result", tool_use_id: callId, content: text, ...(isError && { is_error: true }) };
    });
    const own = [...content];
    if (calls !== written) for (const { at, callId } of calls) own[at] = { ...own[at], id: callId };
    const messages: AnthropicTurn<object>["messages"] = [];
    const kept = acceptedContent(own);
    if (kept.length > 0) messages.push({ role: "assistant", content: kept });
    if (blocks.length > 0) messages.push({ role: "user", content: blocks });
    const reason = incompleteReason(message);
    const facts = {
      // A paused turn is sent back unchanged, and continues.
      hasCalls: blocks.length > 0 || stop_reason === "pause_turn",
      incompleteReason: reason,
      unanswered: unansweredIn(message),
      results,
    };
    const { container } = message;
    const suspended = { id, content: own, stop_reason: stop_reason || reason, container };
    return turnOf(source, facts, { messages, container: textOf(container, "id") || null }, suspended);
  };
  const run = async (response: Message | AsyncIterable<object>, givenOptions?: StreamOptions<object>) => {
    checkResponse(response, "anthropic");
    const options = runOptionsOf(givenOptions);
    return runTurn(isStream(response) ? await messageOf(response, options) : response, options);
  };
  const resume = async (ticket: TurnTicket<object>, givenOptions?: ResumeOptions) => {
    const { response, options, ...resumed } = await openedTicket<Message>(source, ticket, givenOptions);
    return { ...(await runTurn(response, options)), ...resumed };
  };
  // The blocks are the message's own, whatever type its library has for them.
  return { definitions, run: run as AnthropicTools["run"], resume: resume as AnthropicTools["resume"] };
}
