import { child, field, isObject, isString, type Json } from "../../shared/json.js";
import { read, type StreamOptions, textOf } from "./stream.js";

/** A message that was put together from a stream. It has its service's own fields too, such as `reasoning_content`. */
export interface StreamedMessage {
  role: "assistant";
  content: string | null;
  tool_calls?: { id: string; type: "function"; function: { name: string; arguments: string } }[];
}

/** The part of a choice that is read. */
export interface Choice {
  readonly message: object;
  readonly finish_reason?: string | null;
}

/** The part of a completion that is read. */
export interface Completion {
  /** Part of the ids of calls that have none. */
  readonly id?: unknown;
  readonly choices: readonly Choice[];
}

/** Joins the parts of a streamed message: each call's by its index. */
export async function completionOf(stream: AsyncIterable<object>, options: StreamOptions<object>): Promise<Completion> {
  const calls: Json[] = [];
  /** The place of the call that an index stands for. */
  const places = new Map<unknown, number>();
  let message: Json = { role: "assistant", content: "" };
  let completionId = "";
  // Until the stream reports how it ended, its last call may be incomplete.
  let finish_reason = "length";
  await read(stream, options, (chunk) => {
    completionId ||= textOf(chunk, "id");
    const choices: unknown = field(chunk, "choices");
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
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
  return { id: completionId, choices: [{ message: whole, finish_reason }] };
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
  if (isString(before) && isString(more)) return CONSTANT.includes(name) ? before || more : before + more;
  if (Array.isArray(before) && Array.isArray(more)) return [...before, ...more];
  return isObject(before) && isObject(more) ? joined(before, more) : more;
}
