import { AttemptFailure } from "./attempt-failure.js";

/** Reads a body into `pieces`, up to a number of decoded bytes. What was read before a failure is there too. */
export async function readBody(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
  pieces: Uint8Array[],
): Promise<void> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  // An injected fetch may hand out a body that does not listen to the signal; a cancelled reader ends in any case.
  const release = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", release, { once: true });
  // A fetch that did not listen may answer when nobody waits any more.
  if (signal.aborted) release();
  try {
    let length = 0;
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      // An injected fetch may have made the body of anything.
      if (!ArrayBuffer.isView(piece.value)) throw new TypeError("The body holds a piece that is not bytes.");
      length += piece.value.byteLength;
      if (length > maxBytes) throw new AttemptFailure("too_large", "body", undefined, response.status);
      pieces.push(piece.value);
    }
  } catch (error) {
    release();
    throw error;
  } finally {
    signal.removeEventListener("abort", release);
  }
}

const decoder = new TextDecoder();

/** A body as text, a character that two pieces share included. */
export function textOf(pieces: readonly Uint8Array[]): string {
  let text = "";
  for (const piece of pieces) text += decoder.decode(piece, { stream: true });
  // Ends the stream, so that the next text begins anew.
  return text + decoder.decode();
}
