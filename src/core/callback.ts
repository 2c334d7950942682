/**
 * Calls a function of the user's. What it throws, or rejects with where it is async, goes to `onFault` and no further: the
 * call it is told about may already have acted.
 */
export function callBack(run: () => unknown, onFault: (error: unknown) => void): void {
  try {
    const result = run();
    // Only what is async costs a promise.
    if (result instanceof Promise) result.catch(onFault);
  } catch (error) {
    onFault(error);
  }
}
