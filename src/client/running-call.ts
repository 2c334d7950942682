import type { CallInfo } from "../errors/connection.js";
import type { Redact } from "../shared/redact.js";
import type { Clock } from "./clock.js";
import type { AnyEndpoint, RetryClass } from "./endpoint.js";
import type { Fetch } from "./request-options.js";

/** A call, as its attempts, errors and retries see it. */
export interface RunningCall {
  readonly endpoint: AnyEndpoint;
  /** The effect of a retry. */
  readonly retry: RetryClass;
  readonly settings: {
    readonly clock: Clock;
    readonly maxBodyBytes: number;
    readonly maxRetryDelayMs: number;
    /** Undefined for the runtime's own. */
    readonly fetch: Fetch | undefined;
    readonly apiVersion: string;
    /** Whether the service is on this machine. */
    readonly isLocal: boolean;
    /** Of the service: scheme, host and port. */
    readonly origin: string;
  };
  /** Where the request goes: scheme, host and port. */
  readonly origin: string;
  /** Time limit of each attempt, body included, in milliseconds. */
  readonly timeoutMs: number;
  /** Aborts with a {@link CallEnded}. `undefined` if nothing can end the call early. */
  readonly signal: AbortSignal | undefined;
  /** On the client's monotonic clock. */
  readonly startedAt: number;
  /** Number of requests sent or tried. */
  readonly attempts: number;
  readonly redact: Redact;
  readonly retryBudget: { spend(error: unknown): boolean };
  /** Fields of every error of the call. */
  facts(): CallInfo;
  /** Milliseconds until the deadline; infinite without one. */
  timeLeft(): number;
  /** Called when a request is about to be sent. */
  onSend(): void;
}

/** Why a call ended early. Kept apart from the caller's reason, which may be any value and is rethrown unchanged. */
export class CallEnded extends Error {
  /** `limit`: the rate limit blocks calls for longer than they wait. */
  readonly by: "caller" | "deadline" | "limit";
  /** If the rate limit is the cause: for how long no call may be sent, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(by: CallEnded["by"], retryAfterMs?: number) {
    super(by);
    this.by = by;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Aborts a call when its caller does, or when its deadline passes. */
export function limitCall(caller: AbortSignal | undefined, deadlineMs: number) {
  const controller = new AbortController();
  const onAbort = () => controller.abort(new CallEnded("caller"));
  caller?.addEventListener("abort", onAbort);
  const onDeadline = () => controller.abort(new CallEnded("deadline"));
  const timer = deadlineMs < Number.POSITIVE_INFINITY ? setTimeout(onDeadline, deadlineMs) : undefined;
  return {
    signal: controller.signal,
    /** Ends the limits, so that nothing keeps the process alive. */
    lift: () => {
      clearTimeout(timer);
      caller?.removeEventListener("abort", onAbort);
    },
  };
}
