import { SvcError } from "../../errors/base.js";
import { field } from "../../shared/json.js";
import { read, type StreamOptions, textOf } from "./stream.js";

/** The part of a response that is read. */
export interface ModelResponse {
  readonly output: readonly object[];
}

/** The response of a stream, with the items that are complete. */
export async function responseOf(
  stream: AsyncIterable<object>,
  options: StreamOptions<object>,
): Promise<ModelResponse> {
  const output: object[] = [];
  let response: unknown;
  await read(stream, options, (event) => {
    const { type, item, response: own }: Record<string, unknown> = Object(event);
    if (type === "response.output_item.done") output.push(Object(item));
    // Older versions of the library pass an error on as an event.
    response = type === "error" ? { status: "failed", error: event } : (own ?? response);
  });
  return { ...Object(response), output };
}

/**
 * @throws {SvcError} for a response that failed, and for one that isn't finished, such as that of a stream that broke
 *   off: calls may be missing, or only begun.
 */
export function checkStatus(response: ModelResponse): void {
  const status = textOf(response, "status");
  if (/^$|complete/.test(status)) return;
  throw new SvcError(
    `openai: the response is ${status}: ${textOf(field(response, "error"), "message") || "not finished. Ask again."}`,
  );
}
