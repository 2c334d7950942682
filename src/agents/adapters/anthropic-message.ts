import { field, isObject, isString, parseJson, textOf } from "../../shared/json.js";
import type { ToolCall } from "../tool.js";
import { isFromProgram, read, type StreamOptions } from "./calls.js";

/** The part of a message that the adapter reads. */
export interface Message {
  readonly id?: unknown;
  readonly content: readonly object[];
  readonly stop_reason: string | null | undefined;
  readonly container?: unknown;
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

export function callsOf({ content, stop_reason, streamed }: Message): (ToolCall & { readonly at: number })[] {
  return content.flatMap((block, at) => {
    const { type, name, input }: Record<string, unknown> = Object(block);
    if (type !== "tool_use") return [];
    const { text, hasEnded = true } = streamed?.get(block) ?? {};
    const isLast = at === content.length - 1;
    const isTruncated = !hasEnded || (isLast && CUT.includes(stop_reason ?? ""));
    const call = { callId: textOf(block, "id"), name: String(name), arguments: text || input };
    return [{ ...call, at, isTruncated, isFromProgram: isFromProgram(block) }];
  });
}

/** Fields of a block that a delta's field of the same name makes longer. */
const GROWING = ["text", "thinking", "signature"];

/**
 * Joins a streamed message. Arguments that are invalid JSON get a result with the error: the block that is sent back
 * has none.
 */
export async function messageOf(stream: AsyncIterable<object>, options: StreamOptions<object>): Promise<Message> {
  const blocks = new Map<unknown, Record<string, unknown>>();
  const streamed = new Map<Record<string, unknown>, StreamedText>();
  let id = "";
  let stop_reason: string | undefined;
  let container: unknown;
  const take = (event: object) => {
    const { type, index, message, content_block, delta }: Record<string, unknown> = Object(event);
    if (type === "message_start") id = textOf(message, "id");
    container = field(message, "container") ?? field(delta, "container") ?? container;
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
    const input = parseJson(written.text);
    // The service takes back nothing but an object.
    if (written.text) block["input"] = isObject(input) ? input : {};
    // A stream that broke off runs nothing. The model reads where its JSON broke.
    written.hasEnded = written === broken || (written.hasEnded && stop_reason !== undefined);
  }
  return { id, content: [...blocks.values()], stop_reason, container, streamed };
}

const isBroken = ({ text, hasEnded }: StreamedText) => !hasEnded && text !== "" && parseJson(text) === undefined;
