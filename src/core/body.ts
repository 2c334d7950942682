import { AttemptFailure } from "./attempt-failure.js";

/**
 * Reads a body piece by piece, up to a number of decoded bytes. `onPiece` gets each piece as it comes, so that what was
 * read before a failure is not lost.
 */
export async function readBody(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
  onPiece: (piece: Uint8Array) => void,
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
      length += piece.value.byteLength;
      if (length > maxBytes) throw new AttemptFailure("too_large", "body", undefined, response.status);
      onPiece(piece.value);
    }
  } catch (error) {
    release();
    throw error;
  } finally {
    signal.removeEventListener("abort", release);
  }
}
