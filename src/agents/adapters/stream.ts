import { field, isString } from "../../shared/json.js";
import type { RunOptions } from "../tool.js";

/** Options of a turn that may be a stream. */
export interface StreamOptions<Event> extends RunOptions {
  /** Receives every event of a stream as it arrives: to show text, for example. */
  readonly onEvent?: ((event: Event) => void) | undefined;
}

export function isStream(value: unknown): value is AsyncIterable<unknown> {
  return Symbol.asyncIterator in Object(value);
}

/** Reads a stream to its end, or until the signal aborts: a provider that stalls sends no event to notice it at. */
export async function read<Event>(
  stream: AsyncIterable<Event>,
  { signal, onEvent }: StreamOptions<Event>,
  take: (event: Event) => void,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => reject(signal?.reason);
    const readAll = async () => {
      if (signal?.aborted) onAbort();
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

/** A string of an event; empty if it has none. */
export function textOf(value: unknown, name: string): string {
  const text = field(value, name);
  return isString(text) ? text : "";
}
