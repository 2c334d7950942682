import * as option from "../../errors/option-rules.js";
import { runOptionsOf } from "../check-options.js";
import type { RunOptions } from "../run-options.js";
import type { Toolset } from "../toolset.js";
import {
  type DeferOption,
  type NoHostedTool,
  PROGRAMMATIC,
  type ProgrammaticOption,
  programmaticTools,
  type ShownTool,
  STRICT,
  type StrictOption,
  shownAtFirst,
  strictlyFor,
} from "./adapter-options.js";
import { withUniqueIds } from "./call-ids.js";
import { checkCount, checkResponse, isStream, type StreamOptions } from "./calls.js";
import { definitionOf, foundTools } from "./openai-functions.js";
import { acceptedItems } from "./openai-input.js";
import {
  answersOf,
  type CustomCallOutput,
  callsInItems,
  type FunctionCallOutput,
  type FunctionDefinition,
  type OpenAIRefusal,
  outputsOf,
} from "./openai-items.js";
import { incompleteReason, type ModelResponse, responseOf } from "./openai-response.js";
import type { Resumed, ResumeOptions, TurnTicket } from "./ticket.js";
import { openedTicket, type TurnFacts, turnOf } from "./turn.js";

export type { DeferOption, NoHostedTool, ProgrammaticOption } from "./adapter-options.js";
export { type ChatDefinition, type ChatTurn, type OpenAIChatTools, openaiChat } from "./openai-chat.js";
export type { CustomCallOutput, FunctionCallOutput, FunctionDefinition, ToolSearchOutput } from "./openai-items.js";

/** The search in deferred tools, which `run` answers. */
export interface ToolSearchDefinition {
  type: "tool_search";
  execution: "client";
  description: string;
  /** JSON Schema of the query. */
  parameters: Record<string, unknown>;
}

/** OpenAI's tool that runs the model's programs. */
export interface ProgramsDefinition {
  type: "programmatic_tool_calling";
}

/** A model's turn, and its continuation. */
export interface ResponseTurn<Item, Answer = never> extends TurnFacts<Item> {
  /**
   * Items to add to the next request's input: the model's items, then one output per call. Missing and repeated ids of
   * calls are replaced in both, so that ids are unique in the conversation.
   */
  readonly items: (ResponseInputItem<Item> | CallOutput | Answer)[];
  /** The outputs alone, for a request with `previous_response_id`. */
  readonly outputs: (CallOutput | Answer)[];
}

/** An output for an item that waits for your program. */
export type CallOutput = FunctionCallOutput | CustomCallOutput | OpenAIRefusal;

/**
 * An output item as input. Two kinds of items, which function tools never cause, have different types as output and
 * input in the library.
 */
export type ResponseInputItem<Item> = Exclude<Item, { readonly type: "additional_tools" | "computer_call_output" }>;

/** Option for a turn with tools that the toolset doesn't have. */
export interface AnswerOption<Item, Answer> {
  /**
   * Answers an item that calls a tool outside of the toolset, such as a shell call. Return the output item, or
   * `undefined` to reject it: the model is told that your program doesn't support the tool. Items of unknown kinds
   * can't be rejected, and are in `unanswered`. Not called in a dry run. Called again if you run the response again,
   * unless you pass the turn's `items`.
   */
  readonly answer?: ((item: Item) => Answer | undefined | Promise<Answer | undefined>) | undefined;
}

/** Tools for the Responses API. */
export interface OpenAITools<Search = never> {
  /** The `tools` of a request. */
  readonly definitions: (FunctionDefinition | Search)[];
  /**
   * Runs the calls of a response, or of the stream of its events that `responses.create({ stream: true })` returns.
   *
   * @throws {AuthRequiredError} if the toolset was created with `onAuthRequired: "throw"`.
   * @throws {SvcError} if the response failed or isn't complete, or contains a `computer_call` that `answer` doesn't
   * answer: only a screenshot can.
   */
  run<Item extends object, Answer extends object = never>(
    response: { readonly output: readonly Item[]; readonly id?: string },
    options?: RunOptions & AnswerOption<Item, Answer>,
  ): Promise<ResponseTurn<Item, Answer>>;
  run<Event extends object, Answer extends object = never>(
    stream: AsyncIterable<Event>,
    options?: StreamOptions<Event> & AnswerOption<StreamedItem<Event>, Answer>,
  ): Promise<ResponseTurn<StreamedItem<Event>, Answer>>;
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
  ): Promise<ResponseTurn<Message> & Resumed<Message>>;
}

/** Options of {@link openai}. */
export interface OpenAIOptions extends StrictOption, DeferOption, ProgrammaticOption {}

const OPENAI_OPTIONS = {
  strict: STRICT,
  defer: option.FUNCTION,
  programmatic: PROGRAMMATIC,
} as const satisfies option.Rules<OpenAIOptions>;

/** OpenAI's own tools that the options add to the definitions. */
export type OpenAIHostedTool = ToolSearchDefinition | ProgramsDefinition;

/** The item that a stream's event contains. */
export type StreamedItem<Event> = Event extends {
  readonly type: "response.output_item.done";
  readonly item: infer Item;
}
  ? Item
  : never;

/**
 * Creates a toolset's tools for OpenAI's Responses API. For Chat Completions, use {@link openaiChat}.
 *
 * ```ts
 * const { definitions, run } = openai(tools);
 * let response = await client.responses.create({ model, input, tools: definitions });
 * let turn = await run(response);
 * for (let turns = 1; turn.hasCalls; turns += 1) {
 *   if (turns === 10) throw new Error("The model still calls tools after ten turns.");
 *   input.push(...turn.items);
 *   response = await client.responses.create({ model, input, tools: definitions });
 *   turn = await run(response);
 * }
 * if (turn.isIncomplete) throw new Error(`The model didn't finish: ${turn.incompleteReason}`);
 * ```
 *
 * @throws {ConfigError} for more than 128 tools that aren't deferred, and for an unknown or invalid option.
 */
export function openai(tools: Toolset, options?: StrictOption & NoHostedTool): OpenAITools;
export function openai(tools: Toolset, options?: OpenAIOptions): OpenAITools<OpenAIHostedTool>;
export function openai(tools: Toolset, given: OpenAIOptions = {}): OpenAITools<OpenAIHostedTool> {
  const options = option.checkAll("openai", given, OPENAI_OPTIONS);
  const compiled = strictlyFor(tools, "openai", options);
  const { shown, searching } = shownAtFirst(tools, compiled, options);
  checkCount("openai", shown.length);
  const callable = programmaticTools(tools, compiled, options);
  const define = (tool: ShownTool) => definitionOf(tool, callable, options.programmatic);
  const definitions: OpenAITools<OpenAIHostedTool>["definitions"] = shown.map(define);
  if (searching) {
    const { description, schema: parameters } = searching.finder;
    definitions.push({ type: "tool_search", execution: "client", description, parameters });
  }
  if (callable.size > 0) definitions.push({ type: "programmatic_tool_calling" });
  const source = { adapter: "openai", tools, compiled, shown } as const;
  const runTurn = async (
    response: ModelResponse,
    { answer, ...options }: RunOptions & AnswerOption<object, object>,
  ): Promise<{ [Part in keyof ResponseTurn<object>]: unknown }> => {
    const reason = incompleteReason(response);
    const { output } = response;
    const respond = async (item: object) => (await answer?.(item)) ?? foundTools(item, searching, define);
    const answered = response.answered ?? (await answersOf(output, respond, options));
    const { answers: others, unanswered } = answered;
    const written = callsInItems(output, reason !== undefined);
    const calls = await withUniqueIds(tools, written, response.id, output[0] ?? output, options);
    const results = await compiled.run(calls, options);
    const outputs = outputsOf(calls, results, callable);
    const own = [...output];
    if (calls !== written) for (const { at, item, callId } of calls) own[at] = { ...item, call_id: callId };
    const answers = [...outputs, ...others];
    // A service that keeps the response knows its calls by the ids that it gave.
    const givenIds = response.givenIds ?? written.map(({ callId }) => callId);
    const kept = outputs.map((output, index) => ({ ...output, call_id: givenIds[index] ?? output.call_id }));
    const facts = { hasCalls: answers.length > 0, incompleteReason: reason, unanswered, results };
    const parts = { items: [...acceptedItems(own, outputs), ...answers], outputs: [...kept, ...others] };
    const { id, status, incomplete_details } = response;
    return turnOf(source, facts, parts, { id, status, incomplete_details, output: own, answered, givenIds });
  };
  const run = async (
    given: ModelResponse | AsyncIterable<object>,
    givenOptions?: StreamOptions<object> & AnswerOption<object, object>,
  ) => {
    checkResponse(given, "openai");
    const options = runOptionsOf(givenOptions);
    return runTurn(isStream(given) ? await responseOf(given, options) : given, options);
  };
  const resume = async (ticket: TurnTicket<object>, givenOptions?: ResumeOptions) => {
    const { response, options, ...resumed } = await openedTicket<ModelResponse>(source, ticket, givenOptions);
    return { ...(await runTurn(response, options)), ...resumed };
  };
  // The items are the response's own, whatever type its library has for them.
  return { definitions, run: run as OpenAITools["run"], resume: resume as OpenAITools["resume"] };
}
