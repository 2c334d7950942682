import { type Json, textOf } from "../../shared/json.js";
import { objectsIn, pieces, sse } from "./wire.js";

/** The stream of a response of OpenAI's Responses API. */
export function openaiEvents(response: Json): string[] {
  const started = { ...response, status: "in_progress", output: [], incomplete_details: null };
  const data: Json[] = [
    { type: "response.created", response: started },
    { type: "response.in_progress", response: started },
    ...objectsIn(response["output"]).flatMap((item, index) => [
      ...(item["type"] === "function_call" ? callEvents(item, index) : textEvents(item, index)),
      { type: "response.output_item.done", output_index: index, item },
    ]),
    { type: `response.${textOf(response, "status")}`, response },
  ];
  return data.map((event, sequence_number) => sse({ ...event, sequence_number }, textOf(event, "type")));
}

function callEvents(item: Json, output_index: number): Json[] {
  const at = { item_id: item["id"], output_index };
  const args = textOf(item, "arguments");
  return [
    { type: "response.output_item.added", output_index, item: { ...item, arguments: "", status: "in_progress" } },
    ...pieces(args).map((delta) => ({ type: "response.function_call_arguments.delta", ...at, delta })),
    { type: "response.function_call_arguments.done", ...at, name: item["name"], arguments: args },
  ];
}

function textEvents(item: Json, output_index: number): Json[] {
  const [part = {}] = objectsIn(item["content"]);
  const at = { item_id: item["id"], output_index, content_index: 0 };
  const text = textOf(part, "text");
  return [
    { type: "response.output_item.added", output_index, item: { ...item, content: [], status: "in_progress" } },
    { type: "response.content_part.added", ...at, part: { ...part, text: "" } },
    ...pieces(text).map((delta) => ({ type: "response.output_text.delta", ...at, delta, logprobs: [] })),
    { type: "response.output_text.done", ...at, text, logprobs: [] },
    { type: "response.content_part.done", ...at, part },
  ];
}
