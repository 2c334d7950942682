import type { Clock } from "./clock.js";

/** Why a call's signal aborted. Kept apart from the caller's reason, which may be any value and leaves untouched. */
export class CallEnded extends Error {
  /** `limit`: the service asked for a longer wait than calls make. */
  readonly by: "caller" | "deadline" | "limit";
  /** For how many milliseconds no call may be sent, if the call didn't wait for that. */
  readonly retryAfterMs: number | undefined;

  constructor(by: "caller" | "deadline" | "limit", retryAfterMs?: number) {
    super(by);
    this.by = by;
    this.retryAfterMs = retryAfterMs;
  }
}

/** What ends a call early: the caller's signal and the call's deadline, joined. */
export interface Scope {
  /** Aborts with a {@link CallEnded}. `undefined` where nothing can end the call early: most calls, and a signal is dear. */
  readonly signal: AbortSignal | undefined;
  /** Milliseconds until the deadline; infinite without one. */
  timeLeft(): number;
  /** Lets go of the caller's signal and of the timer. */
  close(): void;
}

const ENDLESS: Scope = { signal: undefined, timeLeft: () => Number.POSITIVE_INFINITY, close: () => undefined };

/** Opens a call's scope. It must be closed, or a listener stays on the caller's signal. */
export function openScope(deadlineMs: number | undefined, callerSignal: AbortSignal | undefined, clock: Clock): Scope {
  if (deadlineMs === undefined && callerSignal === undefined) return ENDLESS;
  const controller = new AbortController();
  const endsAt = deadlineMs === undefined ? Number.POSITIVE_INFINITY : clock.monotonic() + deadlineMs;
  const timer =
    deadlineMs === undefined ? undefined : setTimeout(() => controller.abort(new CallEnded("deadline")), deadlineMs);
  const onAbort = () => controller.abort(new CallEnded("caller"));
  if (callerSignal?.aborted) onAbort();
  else callerSignal?.addEventListener("abort", onAbort, { once: true });
  return {
    signal: controller.signal,
    timeLeft: () => endsAt - clock.monotonic(),
    close: () => {
      clearTimeout(timer);
      callerSignal?.removeEventListener("abort", onAbort);
    },
  };
}
