import { SvcError } from "../../errors/base.js";
import * as option from "../../errors/option-rules.js";
import { child, field, isObject, isString, type Json, parseJson, textOf } from "../../shared/json.js";
import { runOptionsOf } from "../check-options.js";
import type { RunOptions, ToolCall } from "../tool.js";
import type { Toolset } from "../toolset.js";
import { withUniqueIds } from "./call-ids.js";
import { checkResponse, isStream, read, type StreamOptions } from "./calls.js";
import { type DeferOption, type ShownTool, STRICT, type StrictOption, strictlyFor } from "./compiled-for.js";
import { definitionsOf } from "./find-tools.js";
import type { Resumed, ResumeOptions, TurnTicket } from "./ticket.js";
import { BROKEN_OFF, NOTHING, openedTicket, type TurnFacts, turnOf } from "./turn.js";

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
   * Messages to add to the next request: the model's message unless it is empty, then one per call. Calls have unique
   * ids: one that is missing or that another call of the conversation has is replaced, in both.
   */
  readonly messages: (Message | ChatToolMessage)[];
}

/** A message that was put together from a stream. It has its service's own fields too, such as `reasoning_content`. */
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
   * Goes on with a turn that `suspend` stored, here or in another process: runs its calls with the decisions of a
   * person. Each call runs once, however often the ticket is resumed: calls that have run return their recorded
   * results.
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
    const written = choice ? callsOf(choice) : [];
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
    return turnOf(source, facts, { messages: [...accepted(own), ...answers] }, response);
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

/** The part of a choice that the adapter reads. */
interface Choice {
  readonly index?: unknown;
  /** Some services omit it if a filter stopped them. */
  readonly message?: object | null;
  /** `undefined` in a stream that broke off. */
  readonly finish_reason?: string | null | undefined;
  readonly isBroken?: boolean;
  readonly error?: unknown;
}

/** With `n`, a completion has alternatives. They may arrive in any order. */
const isFirst = (choice: unknown) => (field(choice, "index") ?? 0) === 0;

/** The part of a completion that the adapter reads. */
interface Completion {
  /** Part of the ids of calls that have none. */
  readonly id?: unknown;
  readonly choices: readonly Choice[];
}

/** Why a completion ended that is complete. Others may have cut it off. */
const COMPLETE = /^(stop|tool_calls|function_call)?$/i;

function incompleteReason({ finish_reason, isBroken }: Choice): string | undefined {
  if (isBroken) return BROKEN_OFF;
  return COMPLETE.test(finish_reason ?? "") ? undefined : String(finish_reason);
}

/** @throws {SvcError} if the service failed in the middle of the message. */
function checkFinish(choice: Choice | undefined): void {
  if (choice?.finish_reason !== "error") return;
  const said = textOf(choice.error, "message") || "the service reported an error. Ask again.";
  throw new SvcError(`openaiChat: the response failed: ${said}`);
}

/** The message, in the form in which a service accepts it in the next request. None if there is nothing in it. */
function accepted(message: object | null | undefined): object[] {
  if (!message) return [];
  const { tool_calls: calls, ...rest }: Json = { ...message };
  const hasCalls = Array.isArray(calls) && calls.length > 0;
  if (hasCalls || ["content", "refusal", "function_call", "audio"].some((name) => !isEmpty(rest[name]))) {
    // An empty list is rejected.
    return [hasCalls || calls === undefined ? message : rest];
  }
  return [];
}

const isEmpty = (value: unknown) => (value ?? "") === "" || (Array.isArray(value) && value.length === 0);

function callsOf(choice: Choice): (ToolCall & { readonly call: object })[] {
  const calls: unknown = field(choice.message, "tool_calls");
  if (!Array.isArray(calls)) return [];
  const reason = incompleteReason(choice);
  return calls.map((call: unknown, index) => {
    const custom = field(call, "custom");
    const made = field(call, "function") ?? custom;
    const args = field(made, "arguments") ?? field(made, "input");
    const isLast = index === calls.length - 1;
    // Nothing else says that the arguments of a call are complete.
    const isTruncated = reason === BROKEN_OFF || (reason !== undefined && (isLast || !isObject(parsed(args))));
    // A custom tool may have the name of a tool of the toolset.
    const name = custom === undefined ? textOf(made, "name") : `custom tool ${textOf(made, "name")}`;
    return { call: Object(call), callId: textOf(call, "id"), name, arguments: args, isTruncated };
  });
}

const parsed = (args: unknown) => (isString(args) ? parseJson(args) : args);

/** Joins the parts of a streamed message: each call's by its index. */
async function completionOf(stream: AsyncIterable<object>, options: StreamOptions<object>): Promise<Completion> {
  const calls: Json[] = [];
  /** The place of the call that an index stands for. */
  const places = new Map<unknown, number>();
  let message: Json = { role: "assistant", content: "" };
  let id = "";
  let finish_reason: string | undefined;
  let error: unknown;
  await read(stream, options, (chunk) => {
    id ||= textOf(chunk, "id");
    const choices: unknown = field(chunk, "choices");
    const choice: unknown = Array.isArray(choices) ? choices.find(isFirst) : undefined;
    error = field(choice, "error") ?? field(chunk, "error") ?? error;
    const reason = field(choice, "finish_reason");
    if (isString(reason)) finish_reason = reason;
    const { tool_calls: parts, ...fields }: Json = Object(field(choice, "delta"));
    message = joined(message, fields);
    for (const part of Array.isArray(parts) ? parts : []) {
      const { index, ...rest }: Json = Object(part);
      const id = textOf(rest, "id");
      // Some services omit the index, and send each call whole.
      const key = index ?? (id || calls.length);
      const known = textOf(calls[places.get(key) ?? -1], "id");
      // Some write the same index for all calls. Others give a call another id on the way, but its name only once.
      const isNext = known !== "" && id !== "" && id !== known && textOf(rest["function"], "name") !== "";
      const place = (isNext ? undefined : places.get(key)) ?? calls.length;
      places.set(key, place);
      calls[place] = joined(calls[place] ?? NO_CALL, rest);
    }
  });
  const whole = { ...message, content: message["content"] || null, ...(calls.length > 0 && { tool_calls: calls }) };
  return { id, choices: [{ message: whole, finish_reason, isBroken: finish_reason === undefined, error }] };
}

const NO_CALL = { id: "", type: "function", function: { name: "", arguments: "" } };

/** Strings that don't grow if another part has them too. */
const CONSTANT = ["role", "id", "type"];

/** A part and the next one: strings and lists grow, objects are joined, null adds nothing. */
function joined(whole: Json, part: Json): Json {
  const more = Object.entries(part).filter(([, value]) => (value ?? null) !== null);
  return {
    ...whole,
    ...Object.fromEntries(more.map(([name, value]) => [name, grown(name, child(whole, name), value)])),
  };
}

function grown(name: string, before: unknown, more: unknown): unknown {
  if (isString(before) && isString(more)) {
    // Some services repeat a call's name in each part.
    return CONSTANT.includes(name) || (name === "name" && before === more) ? before || more : before + more;
  }
  if (Array.isArray(before) && Array.isArray(more)) return [...before, ...more];
  return isObject(before) && isObject(more) ? joined(before, more) : more;
}
