import type { Phase } from "../errors/connection.js";
import { AttemptFailure, type FailureKind } from "./attempt-failure.js";
import { CallEnded } from "./scope.js";

/** What bounds one attempt. */
export interface Bounds {
  /** For the head and the body together, in milliseconds. */
  readonly timeoutMs: number;
  /** The call's own signal, fresh for each call. */
  readonly signal: AbortSignal;
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
export async function withinBounds<Result>(
  { timeoutMs, signal }: Bounds,
  progress: Progress,
  work: (signal: AbortSignal) => Promise<Result>,
  rescue: () => Result | undefined = () => undefined,
): Promise<Result> {
  const controller = new AbortController();
  // Raced as well as signalled: an injected fetch may not listen to its signal.
  let end: (kind: FailureKind) => void = () => undefined;
  const ended = new Promise<Result>((resolve, reject) => {
    end = (kind) => {
      const failure = new AttemptFailure(kind, progress.phase);
      const rescued = kind === "aborted" ? undefined : rescue();
      if (rescued === undefined) reject(failure);
      else resolve(rescued);
      controller.abort(failure);
    };
  });
  const attempt = async () => {
    try {
      return await work(controller.signal);
    } catch (error) {
      const rescued = rescue();
      if (rescued !== undefined) return rescued;
      throw error instanceof AttemptFailure ? error : new AttemptFailure("connection", progress.phase, error);
    }
  };
  const timer = setTimeout(() => end("timeout"), timeoutMs);
  const onAbort = () =>
    end(signal.reason instanceof CallEnded && signal.reason.by === "deadline" ? "deadline" : "aborted");
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([ended, attempt()]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
