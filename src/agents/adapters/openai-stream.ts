import { SvcError } from "../../errors/base.js";
import { field } from "../../shared/json.js";
import { read, type StreamOptions } from "./stream.js";

/** The items of a streamed response. */
export async function itemsOf(stream: AsyncIterable<object>, options: StreamOptions<object>): Promise<object[]> {
  const items: object[] = [];
  await read(stream, options, (event) => {
    const type = field(event, "type");
    if (type === "response.output_item.done") items.push(Object(field(event, "item")));
    if (type === "response.failed") checkStatus(field(event, "response"));
  });
  return items;
}

/** @throws {SvcError} for a failed response: it may contain calls that the model never finished. */
export function checkStatus(response: unknown): void {
  if (field(response, "status") !== "failed") return;
  throw new SvcError(`openai: the response failed: ${String(field(field(response, "error"), "message"))}`);
}
