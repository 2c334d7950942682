import { SvcError } from "../../errors/base.js";
import { field, textOf } from "../../shared/json.js";
import { readStream, type StreamOptions } from "./calls.js";

/** The part of a response that the adapter reads. */
export interface ModelResponse {
  readonly id?: unknown;
  readonly output: readonly object[];
  readonly status?: unknown;
  readonly incomplete_details?: unknown;
  /** The ids that the service gave its calls, if the turn was suspended. */
  readonly givenIds?: readonly string[];
  /** The answers to its other items, if the turn was suspended. */
  readonly answered?: { readonly answers: readonly object[]; readonly unanswered: readonly object[] };
}

/** The response of a stream, with the items that are complete. */
export async function responseOf(
  stream: AsyncIterable<object>,
  options: StreamOptions<object>,
): Promise<ModelResponse> {
  const output: object[] = [];
  let response: unknown;
  await readStream(stream, options, (event) => {
    const { type, item, response: own }: Record<string, unknown> = Object(event);
    if (type === "response.output_item.done") output.push(Object(item));
    // Older versions of the library pass an error on as an event.
    response = type === "error" ? { status: "failed", error: event } : (own ?? response);
  });
  // Without any of the service's reports, nothing says that the stream is complete.
  const whole = Object(response ?? { status: "in_progress" });
  // Some services send the items only in the response, at the end.
  const reported: unknown = whole.output;
  return { ...whole, output: output.length === 0 && Array.isArray(reported) ? reported : output };
}

/**
 * Why a response is incomplete; `undefined` if it isn't.
 *
 * @throws {SvcError} for a response that failed, and for one that isn't finished, such as that of a stream that broke
 *   off: calls may be missing, or only begun.
 */
export function incompleteReason(response: ModelResponse): string | undefined {
  const status = textOf(response, "status");
  if (status === "incomplete") return textOf(response.incomplete_details, "reason") || "incomplete";
  if (/^$|complete/.test(status)) return undefined;
  throw new SvcError(
    `openai: the response is ${status}: ${textOf(field(response, "error"), "message") || "not finished. Ask again."}`,
  );
}
