import { AttemptFailure } from "./attempt-failure.js";

/**
 * Reads a body as text, piece by piece, up to a number of decoded bytes. `onText` gets each piece, so that what was read
 * before a failure is not lost.
 */
export async function readText(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<void> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  // An injected fetch may hand out a body that does not listen to the signal; a cancelled reader ends in any case.
  const release = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", release, { once: true });
  // A fetch that did not listen may answer when nobody waits any more.
  if (signal.aborted) release();
  try {
    for (let bytes = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.byteLength;
      if (bytes > maxBytes) throw new AttemptFailure("too_large", "body", undefined, response.status);
      onText(decoder.decode(value, { stream: true }));
    }
    onText(decoder.decode());
  } catch (error) {
    release();
    throw error;
  } finally {
    signal.removeEventListener("abort", release);
  }
}
