import { SvcError } from "../../errors/base.js";
import { child, field, isObject, isString, type Json, parseJson, textOf } from "../../shared/json.js";
import type { ToolCall } from "../agent-tool.js";
import { isFirst, readStream, type StreamOptions } from "./calls.js";
import { withoutParsed } from "./openai-input.js";
import { BROKEN_OFF } from "./turn.js";

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

/** The part of a completion that the adapter reads. */
export interface Completion {
  /** Becomes part of the ids of calls without an id. */
  readonly id?: unknown;
  readonly choices: readonly Choice[];
}

/** Why a completion ended that is complete. Others may have cut it off. */
const COMPLETE = /^(stop|tool_calls|function_call)?$/i;

export function incompleteReason({ finish_reason, isBroken }: Choice): string | undefined {
  if (isBroken) return BROKEN_OFF;
  return COMPLETE.test(finish_reason ?? "") ? undefined : String(finish_reason);
}

/** @throws {SvcError} if the service failed in the middle of the message. */
export function checkFinish(choice: Choice | undefined): void {
  if (choice?.finish_reason !== "error") return;
  const said = textOf(choice.error, "message") || "the service reported an error. Ask again.";
  throw new SvcError(`openaiChat: the response failed: ${said}`);
}

/** The message, in the form in which a service accepts it in the next request. None if there is nothing in it. */
export function acceptedMessages(message: object | null | undefined): object[] {
  if (!message) return [];
  const { tool_calls: calls, ...rest }: Json = { ...withoutParsed(message) };
  // An empty list is rejected.
  if (Array.isArray(calls) && calls.length > 0) return [{ ...rest, tool_calls: calls.map(acceptedCall) }];
  return ["content", "refusal", "function_call", "audio"].some((name) => !isEmpty(rest[name])) ? [rest] : [];
}

function acceptedCall(call: object): object {
  const made = field(call, "function");
  return isObject(made) ? { ...call, function: withoutParsed(made) } : call;
}

const isEmpty = (value: unknown) => (value ?? "") === "" || (Array.isArray(value) && value.length === 0);

export function callsInChoice(choice: Choice): (ToolCall & { readonly call: object })[] {
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
export async function completionOf(stream: AsyncIterable<object>, options: StreamOptions<object>): Promise<Completion> {
  const calls: Json[] = [];
  /** The place of the call that an index stands for. */
  const places = new Map<unknown, number>();
  let message: Json = { role: "assistant", content: "" };
  let id = "";
  let finish_reason: string | undefined;
  let error: unknown;
  await readStream(stream, options, (chunk) => {
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
