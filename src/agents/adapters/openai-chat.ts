import * as option from "../../errors/option-rules.js";
import { field, isObject } from "../../shared/json.js";
import { runOptionsOf } from "../check-options.js";
import type { RunOptions } from "../run-options.js";
import type { Toolset } from "../toolset.js";
import { type DeferOption, type ShownTool, STRICT, type StrictOption, strictlyFor } from "./adapter-options.js";
import { withUniqueIds } from "./call-ids.js";
import { checkResponse, isFirst, isStream, type StreamOptions } from "./calls.js";
import {
  acceptedMessages,
  type Completion,
  callsInChoice,
  checkFinish,
  completionOf,
  incompleteReason,
} from "./chat-completion.js";
import { definitionsOf } from "./find-tools.js";
import type { Resumed, ResumeOptions, TurnTicket } from "./ticket.js";
import { NOTHING, openedTicket, type TurnFacts, turnOf } from "./turn.js";

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
export interface ChatTurn<Message> extends TurnFacts<object> {
  /**
   * Messages to add to the next request: the model's message, unless it is empty, then a message per call. Missing and
   * repeated ids of calls are replaced in both, so that ids are unique in the conversation.
   */
  readonly messages: (Message | ChatToolMessage)[];
}

/**
 * A message that was put together from a stream. Includes additional fields of the service, such as
 * `reasoning_content`.
 */
export interface StreamedMessage {
  role: "assistant";
  content: string | null;
  tool_calls?: { id: string; type: "function"; function: { name: string; arguments: string } }[];
}

/** Tools for Chat Completions. */
export interface OpenAIChatTools {
  /** The `tools` of a request. With `defer`, `run` adds the tools that the model finds, at the end. */
  readonly definitions: ChatDefinition[];
  /**
   * Runs the calls of a completion's first choice, or of the stream of its chunks.
   *
   * @throws {AuthRequiredError} if the toolset was created with `onAuthRequired: "throw"`.
   * @throws {SvcError} if the service reports an error instead of the rest of the message.
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
  ): Promise<ChatTurn<Message> & Resumed<Message>>;
}

/**
 * Creates a toolset's tools for OpenAI's Chat Completions, and for the many services with the same API.
 *
 * @throws {ConfigError} for more than 128 tools that aren't deferred, and for an unknown or invalid option.
 */
export function openaiChat(tools: Toolset, given: StrictOption & DeferOption = {}): OpenAIChatTools {
  const options = option.checkAll("openaiChat", given, { strict: STRICT, defer: option.FUNCTION });
  const define = ({ name, description, schema, strict }: ShownTool): ChatDefinition => {
    return { type: "function", function: { name, description, parameters: { ...schema }, strict } };
  };
  const compiled = strictlyFor(tools, "openai", options);
  const offered = definitionsOf("openaiChat", tools, compiled, options, define);
  const source = { adapter: "openaiChat", tools, compiled, shown: offered.shown } as const;
  const runTurn = async ({ id, choices }: Completion, options: RunOptions): Promise<ChatTurn<object>> => {
    const choice = choices.find(isFirst) ?? choices[0];
    checkFinish(choice);
    const message = choice?.message;
    const written = choice ? callsInChoice(choice) : [];
    const calls = await withUniqueIds(tools, written, id, message ?? choices, options);
    const results = await offered.run(calls, options);
    const tool_calls = calls.map(({ call, callId }) => ({ ...call, id: callId }));
    const own = message && calls !== written ? { ...message, tool_calls } : message;
    const answers = results.map(({ callId, text }): ChatToolMessage => {
      return { role: "tool", tool_call_id: callId, content: text };
    });
    // The form of calls before tools. Nothing in it identifies a call.
    const unanswered = [field(message, "function_call")].filter(isObject);
    const reason = choice && message ? incompleteReason(choice) : NOTHING;
    const facts = { hasCalls: results.length > 0, incompleteReason: reason, unanswered, results };
    const response = { id, choices: own ? [{ ...choice, message: own }] : [] };
    return turnOf(source, facts, { messages: [...acceptedMessages(own), ...answers] }, response);
  };
  const run = async (completion: Completion | AsyncIterable<object>, givenOptions?: StreamOptions<object>) => {
    checkResponse(completion, "openaiChat");
    const options = runOptionsOf(givenOptions);
    return runTurn(isStream(completion) ? await completionOf(completion, options) : completion, options);
  };
  const resume = async (ticket: TurnTicket<object>, givenOptions?: ResumeOptions) => {
    const { response, options, ...resumed } = await openedTicket<Completion>(source, ticket, givenOptions);
    offered.show(Object.keys(ticket.definitions));
    return { ...(await runTurn(response, options)), ...resumed };
  };
  // The message is the completion's own, whatever type its library has for it.
  const { definitions } = offered;
  return { definitions, run: run as OpenAIChatTools["run"], resume: resume as OpenAIChatTools["resume"] };
}
