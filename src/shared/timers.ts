/** The longest delay of `setTimeout` in milliseconds. A longer one would fire immediately. */
export const MAX_TIMER_MS = 2_147_483_647;

/** A day in milliseconds. */
export const DAY_MS = 86_400_000;

/** Milliseconds of a monotonic clock: setting the time of day must not end a lease. */
export const monotonicNow = (): number => performance.now();

/** Resolves after so many milliseconds. */
export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Waits for a promise, but at most `timeoutMs`.
 *
 * @param createError creates the error to reject with when the time is over.
 */
export async function within<Value>(
  timeoutMs: number,
  run: Promise<Value>,
  createError: () => unknown,
): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(createError()), timeoutMs);
  });
  try {
    return await Promise.race([run, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** How a promise ended, or that it hasn't ended yet. */
export type TimedOutcome<Value> = PromiseSettledResult<Value> | { readonly status: "late" };

/** Waits until a promise has ended, but at most `timeoutMs`. Never rejects. */
export async function outcomeWithin<Value>(work: Promise<Value>, timeoutMs: number): Promise<TimedOutcome<Value>> {
  const late = { status: "late" } as const;
  const [outcome] = await Promise.allSettled([within(timeoutMs, work, () => late)]);
  return outcome.status === "rejected" && outcome.reason === late ? late : outcome;
}

/** Rejects with the signal's reason when the signal aborts. */
export function rejectionBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** Waits for work that takes no signal. Rejects with the signal's reason as soon as it aborts. */
export async function untilAborted<Result>(signal: AbortSignal | undefined, work: Promise<Result>): Promise<Result> {
  if (!signal) return work;
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  // It may have aborted before.
  if (signal.aborted) stop();
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/**
 * Calls a function of the program. Errors that it throws, or rejects with, are only logged: whatever called it may
 * already have acted.
 */
export function callBack<Value>(name: string, listener: (value: Value) => unknown, value: Value): void {
  const log = (error: unknown) => console.error(`svc-sdk: ${name} threw`, error);
  try {
    const result = listener(value);
    if (result instanceof Promise) result.catch(log);
  } catch (error) {
    log(error);
  }
}
