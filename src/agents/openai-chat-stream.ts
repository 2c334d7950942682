import { field, isString } from "../shared/json.js";
import { read, type StreamOptions, textOf } from "./stream.js";

/** A message that was put together from a stream. */
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

/** Joins the parts of a streamed message: each call's by its index. */
export async function choiceOf(stream: AsyncIterable<object>, options: StreamOptions<object>): Promise<Choice> {
  const calls = new Map<unknown, { id: string; type: "function"; function: { name: string; arguments: string } }>();
  let content = "";
  // Until the stream reports how it ended, its last call may be incomplete.
  let finish_reason = "length";
  await read(stream, options, (chunk) => {
    const choices: unknown = field(chunk, "choices");
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    const reason = field(choice, "finish_reason");
    if (isString(reason)) finish_reason = reason;
    const delta = field(choice, "delta");
    content += textOf(delta, "content");
    const parts: unknown = field(delta, "tool_calls");
    for (const part of Array.isArray(parts) ? parts : []) {
      // Some services omit the index, and send each call whole.
      const index = field(part, "index") ?? (textOf(part, "id") || calls.size);
      const call = calls.get(index) ?? { id: "", type: "function", function: { name: "", arguments: "" } };
      calls.set(index, call);
      call.id ||= textOf(part, "id");
      call.function.name += textOf(field(part, "function"), "name");
      call.function.arguments += textOf(field(part, "function"), "arguments");
    }
  });
  const message: StreamedMessage = { role: "assistant", content: content === "" ? null : content };
  if (calls.size > 0) message.tool_calls = [...calls.values()];
  return { message, finish_reason };
}
