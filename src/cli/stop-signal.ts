/** Aborted by Ctrl-C, or by a request to terminate. */
export function stopSignal(): AbortSignal {
  const stopped = new AbortController();
  process.once("SIGINT", () => stopped.abort());
  process.once("SIGTERM", () => stopped.abort());
  return stopped.signal;
}
