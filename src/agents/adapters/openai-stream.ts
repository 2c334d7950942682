import { SvcError } from "../../errors/base.js";
import { field } from "../../shared/json.js";
import { read, type StreamOptions } from "./stream.js";

/** The items of a streamed response. */
export async function itemsOf(stream: AsyncIterable<object>, options: StreamOptions<object>): Promise<object[]> {
  const items: object[] = [];
  await read(stream, options, (event) => {
    const { type, item, response }: Record<string, unknown> = Object(event);
    if (type === "response.output_item.done") items.push(Object(item));
    // Older versions of the library pass it on as an event.
    if (type === "error") fail(event);
    checkStatus(response);
  });
  return items;
}

/** @throws {SvcError} for a failed response: it may contain calls that the model never finished. */
export function checkStatus(response: unknown): void {
  if (field(response, "status") === "failed") fail(field(response, "error"));
}

function fail(error: unknown): never {
  throw new SvcError(`openai: the response failed: ${String(field(error, "message"))}`);
}
