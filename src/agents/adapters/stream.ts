import { ConfigError } from "../../errors/local.js";
import { field } from "../../shared/json.js";
import type { RunOptions } from "../tool.js";

/** Options of a turn that may be a stream. */
export interface StreamOptions<Event> extends RunOptions {
  /** Receives every event of a stream as it arrives: to show text, for example. */
  readonly onEvent?: ((event: Event) => void) | undefined;
}

export function isStream(value: unknown): value is AsyncIterable<object> {
  return Symbol.asyncIterator in Object(value);
}

/**
 * Reads a stream to its end, or until the signal aborts. A provider that stalls sends no event at which the abort could
 * be noticed, so the abort also closes the connection.
 */
export async function read<Event>(
  stream: AsyncIterable<Event>,
  { signal, onEvent }: StreamOptions<Event>,
  take: (event: Event) => void,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      reject(signal?.reason);
      const controller = field(stream, "controller");
      const abort = field(controller, "abort");
      // Streams of OpenAI and Anthropic have it. Google's have none, and close at their next event.
      if (typeof abort === "function") abort.call(controller);
    };
    const readAll = async () => {
      if (signal?.aborted) return onAbort();
      signal?.addEventListener("abort", onAbort);
      for await (const event of stream) {
        signal?.throwIfAborted();
        take(event);
        onEvent?.(event);
      }
    };
    void readAll()
      .finally(() => signal?.removeEventListener("abort", onAbort))
      .then(resolve, reject);
  });
}

/** The list in the responses that each adapter runs. */
const LISTS = { openai: "output", openaiChat: "choices", anthropic: "content", google: "candidates" };

/**
 * Checks that `run` was given a stream, or a response of the adapter's library.
 *
 * @throws {ConfigError} that names the right adapter, if it's a response of another one.
 */
export function checkResponse(response: unknown, adapter: keyof typeof LISTS): void {
  const list = LISTS[adapter];
  if (isStream(response) || Array.isArray(field(response, list))) return;
  const [other] = Object.entries(LISTS).find(([, name]) => Array.isArray(field(response, name))) ?? [];
  // Gemini's response to a blocked prompt has no candidates.
  if (adapter === "google" && !other && Object(response) === response && !(response instanceof Promise)) return;
  const hint = other ? ` This one is for ${other}().` : "";
  throw new ConfigError(`${adapter}: run() needs an awaited response with ${list}, or its stream.${hint}`);
}
