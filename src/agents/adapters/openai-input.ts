// The form in which OpenAI's services take back what the model wrote.

import { field, isObject, textOf } from "../../shared/json.js";
import type { CustomCallOutput, FunctionCallOutput } from "./openai-items.js";

/** Fields that OpenAI's library adds when it parses, and that the service rejects. */
const PARSED = ["parsed", "parsed_arguments"];

/** An object of a response without what the library has parsed; itself if there is nothing. */
export function withoutParsed(part: object): object {
  const kept = Object.entries(part).filter(([name]) => !PARSED.includes(name));
  return kept.length < Object.keys(part).length ? Object.fromEntries(kept) : part;
}

function acceptedItem(item: object): object {
  const own = withoutParsed(item);
  const content = field(item, "content");
  if (!Array.isArray(content)) return own;
  const parts = content.map((part: unknown) => (isObject(part) ? withoutParsed(part) : part));
  return parts.some((part, index) => part !== content[index]) ? { ...own, content: parts } : own;
}

/**
 * The items that the service accepts in the next request. A response that was cut off may end with a message without
 * content, or with reasoning without what it led to. Items of a turn that is run again contain the outputs from before.
 *
 * @param outputs - The new outputs.
 */
export function acceptedItems(
  items: readonly object[],
  outputs: readonly (FunctionCallOutput | CustomCallOutput)[],
): object[] {
  const answered = new Set<string>();
  for (const { type, call_id } of outputs) answered.add(type + call_id);
  const accepted: object[] = [];
  let withoutLastReasoning = 0;
  for (const item of items) {
    const type = textOf(item, "type");
    const content = field(item, "content");
    if (type === "message" && Array.isArray(content) && content.length === 0) continue;
    if (!answered.has(type + textOf(item, "call_id"))) accepted.push(acceptedItem(item));
    if (type !== "reasoning") withoutLastReasoning = accepted.length;
  }
  return accepted.slice(0, withoutLastReasoning);
}
