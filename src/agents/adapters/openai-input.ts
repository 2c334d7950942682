// The form in which OpenAI's services take back what the model wrote.

import { field, isObject, type Json, textOf } from "../../shared/json.js";
import type { CustomCallOutput, FunctionCallOutput } from "./openai-items.js";

/** Fields that OpenAI's library adds when it parses, and that the service rejects. */
const PARSED = ["parsed", "parsed_arguments"];

/** An object of a response without what the library has parsed. */
export function withoutParsed(part: object): Json {
  return Object.fromEntries(Object.entries(part).filter(([name]) => !PARSED.includes(name)));
}

function acceptedItem(item: object): object {
  const content = field(item, "content");
  const parts = Array.isArray(content) && content.map((part) => (isObject(part) ? withoutParsed(part) : part));
  return { ...withoutParsed(item), ...(parts && { content: parts }) };
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
