import { field, isObject, isString, parseJson, textOf } from "../../shared/json.js";
import type { ToolCall } from "../agent-tool.js";
import { isFromProgram, readStream, type StreamOptions } from "./calls.js";
import { BROKEN_OFF } from "./turn.js";

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

/** Why a message ended that is complete. Other reasons may have cut it off. */
const COMPLETE = ["end_turn", "tool_use", "stop_sequence", "pause_turn"];

/** Why a message is incomplete; `undefined` if it isn't. */
export function incompleteReason({ stop_reason, streamed }: Message): string | undefined {
  if (!stop_reason) return streamed && BROKEN_OFF;
  return COMPLETE.includes(stop_reason) ? undefined : stop_reason;
}

/** Calls of tools that run elsewhere than in the toolset, and that nothing in the message answers. */
export function unansweredIn({ content, stop_reason }: Message): object[] {
  // Only then the service waits for the program.
  if (stop_reason !== "tool_use") return [];
  const answered = new Set(content.map((block) => field(block, "tool_use_id")));
  return content.filter((block) => {
    const type = textOf(block, "type");
    return type !== "tool_use" && type.endsWith("tool_use") && !answered.has(field(block, "id"));
  });
}

/**
 * The blocks in the form that the service accepts in the next request: it rejects text that is empty or only white
 * space, and an input that isn't an object.
 */
export function acceptedContent(content: readonly object[]): object[] {
  const kept = content.filter((block) => textOf(block, "type") !== "text" || textOf(block, "text").trim() !== "");
  return kept.map((block) => {
    const isWhole = textOf(block, "type") !== "tool_use" || isObject(field(block, "input"));
    return isWhole ? block : { ...block, input: {} };
  });
}

export function callsInMessage(message: Message): (ToolCall & { readonly at: number })[] {
  const { content, streamed } = message;
  // Of a stream that broke off, each block says whether it is whole.
  const isCut = ![undefined, BROKEN_OFF].includes(incompleteReason(message));
  return content.flatMap((block, at) => {
    const { type, name, input }: Record<string, unknown> = Object(block);
    if (type !== "tool_use") return [];
    const { text, hasEnded = true } = streamed?.get(block) ?? {};
    const isLast = at === content.length - 1;
    const isTruncated = !hasEnded || (isLast && isCut);
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
    await readStream(stream, options, take);
  } catch (error) {
    // The library gives up a stream if a call's arguments aren't JSON.
    if (/SyntaxError/.test(`${error} ${field(error, "cause")}`)) broken = [...streamed.values()].find(isBroken);
    if (!broken) throw error;
  }
  // The service signs what the model thought at the end of the block, and rejects it without its signature.
  const content = [...blocks.values()].filter((block) => block["type"] !== "thinking" || streamed.get(block)?.hasEnded);
  for (const [block, written] of streamed) {
    if (written.text) block["input"] = blockInput(written.text);
    // A stream that broke off runs nothing. The model reads where its JSON broke.
    written.hasEnded = written === broken || (written.hasEnded && stop_reason !== undefined);
  }
  return { id, content, stop_reason, container, streamed };
}

/** The arguments of a call, for the block that goes back: the service takes back nothing but an object. */
function blockInput(text: string): object {
  const input = parseJson(text);
  return isObject(input) ? input : {};
}

const isBroken = ({ text, hasEnded }: StreamedText) => !hasEnded && text !== "" && parseJson(text) === undefined;
