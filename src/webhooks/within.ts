import { SvcError } from "../errors/base.js";

/**
 * Waits so long and no longer for what may never end; then rejects with the message.
 *
 * @param controller aborted when the time is over.
 */
export async function within<Value>(
  timeoutMs: number,
  run: Promise<Value>,
  message: string,
  controller?: AbortController,
): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new SvcError(message);
      controller?.abort(error);
      reject(error);
    }, timeoutMs);
  });
  try {
    return await Promise.race([run, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
