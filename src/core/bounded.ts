import type { Phase } from "../errors/connection.js";
import { AttemptFailure, type FailureKind } from "./attempt-failure.js";
import { CallEnded } from "./scope.js";

/** What bounds one attempt. */
export interface Bounds {
  /** For the head and the body together, in milliseconds. */
  readonly timeoutMs: number;
  /** The call's own signal, where something can end the call. */
  readonly signal: AbortSignal | undefined;
}

/** How far an attempt has come. */
export interface Progress {
  phase: Phase;
}

/**
 * Runs one attempt within its bounds. `rescue` gives what an attempt that time or the connection broke off is still worth.
 *
 * @throws {AttemptFailure} and nothing else.
 */
export function withinBounds<Result>(
  { timeoutMs, signal }: Bounds,
  progress: Progress,
  work: (signal: AbortSignal) => Promise<Result>,
  rescue: () => Result | undefined = () => undefined,
): Promise<Result> {
  // One promise, settled by whatever comes first: an injected fetch may not listen to its signal.
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const release = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    const fail = (failure: AttemptFailure) => {
      release();
      const rescued = failure.kind === "aborted" ? undefined : rescue();
      if (rescued === undefined) reject(failure);
      else resolve(rescued);
    };
    const end = (kind: FailureKind) => {
      const failure = new AttemptFailure(kind, progress.phase);
      fail(failure);
      controller.abort(failure);
    };
    const onAbort = () =>
      end(signal?.reason instanceof CallEnded && signal.reason.by === "deadline" ? "deadline" : "aborted");
    const timer = setTimeout(end, timeoutMs, "timeout");
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted) {
      // By an observer who was told of the attempt, for instance. It says so only once.
      progress.phase = "queue";
      return onAbort();
    }
    work(controller.signal).then(
      (result) => {
        release();
        resolve(result);
      },
      (error: unknown) =>
        fail(error instanceof AttemptFailure ? error : new AttemptFailure("connection", progress.phase, error)),
    );
  });
}
