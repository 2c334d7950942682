/**
 * Waits this long and no longer for what may never end, then rejects.
 *
 * @param makeError makes the error to reject with when the time is over.
 */
export async function within<Value>(timeoutMs: number, run: Promise<Value>, makeError: () => Error): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(makeError()), timeoutMs);
  });
  try {
    return await Promise.race([run, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
