import { field, isString, parseJson } from "../../shared/json.js";
import { read, type StreamOptions, textOf } from "./stream.js";

/** The part of a message that is read. */
export interface Message {
  readonly content: readonly object[];
  readonly stop_reason: string | null;
  /** The arguments of streamed calls as they were written, by the call's block. */
  readonly written?: ReadonlyMap<object, string>;
}

/** Fields of a block that a delta's field of the same name makes longer. */
const GROWING = ["text", "thinking", "signature"];

/**
 * Joins a streamed message. Arguments that are invalid JSON get a result with the error: the block that is sent back
 * has none.
 */
export async function messageOf(
  stream: AsyncIterable<object>,
  options: StreamOptions<object>,
): Promise<Required<Message>> {
  const blocks = new Map<unknown, Record<string, unknown>>();
  const written = new Map<object, string>();
  // Until the stream reports how it ended, its last call may be incomplete.
  let stop_reason = "max_tokens";
  await read(stream, options, (event) => {
    const { type, index, content_block, delta }: Record<string, unknown> = Object(event);
    if (type === "content_block_start") blocks.set(index, { ...Object(content_block) });
    if (type === "message_delta") stop_reason = textOf(delta, "stop_reason") || stop_reason;
    const block = blocks.get(index);
    if (!block || type !== "content_block_delta") return;
    for (const name of GROWING)
      if (isString(field(delta, name))) block[name] = textOf(block, name) + textOf(delta, name);
    const citation = field(delta, "citation");
    if (citation !== undefined) block["citations"] = [block["citations"] ?? [], citation].flat();
    if (field(delta, "type") === "compaction_delta") {
      // It is the block's final content, which the next request needs.
      const { type: _, ...fields } = Object(delta);
      Object.assign(block, fields);
    }
    if (isString(field(delta, "partial_json")))
      written.set(block, (written.get(block) ?? "") + textOf(delta, "partial_json"));
  });
  for (const [block, text] of written) Object.assign(block, { input: parseJson(text) ?? {} });
  return { content: [...blocks.values()], stop_reason, written };
}
