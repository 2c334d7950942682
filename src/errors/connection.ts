import { type CallOutcome, SvcError, warningOf } from "./base.js";

/** The fields that every error of an attempted call has. */
export interface CallInfo {
  /** The operation, usually named like its method: `tools.execute`. */
  readonly operation: string;
  /** Number of requests sent or tried, including the first. */
  readonly attempts: number;
  /** Whether the call may have run. `undefined` if a retry does no harm: reads, updates, deletions. */
  readonly outcome: CallOutcome | undefined;
}

/** Phase in which a call ended. */
export type CallPhase =
  /** In a function of `use`, before or after everything else. */
  | "middleware"
  /** Waiting for the rate limit. */
  | "queue"
  /** Sent or being sent; the response headers aren't complete. */
  | "headers"
  /** Reading the response body. */
  | "body"
  /** Waiting before the next attempt. */
  | "retry_wait";

/**
 * No usable response arrived: the connection was refused, reset or cut off, or the host is unreachable. `cause` is an
 * error with the message of the runtime or library, without keys.
 */
export class ConnectionError extends SvcError implements CallInfo {
  protected static override readonly brand: string = "ConnectionError";

  readonly operation: string;
  readonly attempts: number;
  readonly outcome: CallOutcome | undefined;
  /** The runtime's own error code, if any: `ECONNREFUSED`, `ENOTFOUND`, `UND_ERR_SOCKET`, … */
  readonly code: string | undefined;
  /** Phase in which the call ended. */
  readonly phase: CallPhase;

  constructor(
    message: string,
    facts: CallInfo & {
      readonly phase: CallPhase;
      readonly code?: string | undefined;
      readonly cause?: Error | undefined;
    },
  ) {
    const tries = facts.attempts > 1 ? ` Tried ${facts.attempts} times.` : "";
    const { cause } = facts;
    super(`${facts.operation}: ${message}${tries}${warningOf(facts.outcome)}`, cause && { cause });
    this.operation = facts.operation;
    this.attempts = facts.attempts;
    this.outcome = facts.outcome;
    this.code = facts.code;
    this.phase = facts.phase;
  }
}

/**
 * An attempt exceeded `timeoutMs`, or the whole call exceeded `deadlineMs`. Thrown immediately if the rate limit blocks
 * new calls past the deadline: then `retryAfterMs` and `retryAt` say when to retry.
 */
export class TimeoutError extends ConnectionError {
  protected static override readonly brand: string = "TimeoutError";

  /** The time limit that applied, in milliseconds. */
  readonly timeoutMs: number;
  /** The option with that limit. */
  readonly option: "timeoutMs" | "deadlineMs";
  /** How long the rate limit blocks new calls, in milliseconds. Set only if the call ended instead of waiting. */
  readonly retryAfterMs: number | undefined;
  /** When the rate limit allows new calls again. */
  readonly retryAt: Date | undefined;

  constructor(
    facts: CallInfo & {
      readonly phase: CallPhase;
      readonly timeoutMs: number;
      readonly option: "timeoutMs" | "deadlineMs";
      readonly retryAfterMs?: number | undefined;
      readonly retryAt?: Date | undefined;
      /** A sentence that says more than the phase. */
      readonly state?: string | undefined;
    },
  ) {
    const where = {
      middleware: "in a function of `use`",
      queue: "while waiting for the rate limit",
      headers: "before the response started",
      body: "while reading the response body",
      retry_wait: "while waiting to retry",
    }[facts.phase];
    const { retryAfterMs, state } = facts;
    const why =
      retryAfterMs === undefined
        ? `timed out ${where}.`
        : `the rate limit blocks new calls for another ${Math.ceil(retryAfterMs / 1_000)} s.`;
    super(`no result within ${facts.option} (${facts.timeoutMs} ms): ${state ?? why}`, facts);
    this.timeoutMs = facts.timeoutMs;
    this.option = facts.option;
    this.retryAfterMs = retryAfterMs;
    this.retryAt = facts.retryAt;
  }
}

/**
 * A 2xx or 3xx response without the data: HTML, an empty or truncated body, or a redirect. Thrown for an error status
 * of a file storage as well, because the storage isn't part of the service.
 */
export class ResponseError extends SvcError implements CallInfo {
  protected static override readonly brand: string = "ResponseError";

  readonly operation: string;
  readonly attempts: number;
  readonly outcome: CallOutcome | undefined;
  /** HTTP status of the response. */
  readonly status: number;
  /** The first characters of the body, at most 200. Never the whole body. */
  readonly snippet: string | undefined;
  /** How long a file storage asked to wait, in milliseconds from its response. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    facts: CallInfo & {
      readonly status: number;
      readonly snippet?: string | undefined;
      readonly retryAfterMs?: number | undefined;
    },
  ) {
    super(`${facts.operation}: ${message}${warningOf(facts.outcome)}`);
    this.operation = facts.operation;
    this.attempts = facts.attempts;
    this.outcome = facts.outcome;
    this.status = facts.status;
    this.snippet = facts.snippet;
    this.retryAfterMs = facts.retryAfterMs;
  }
}
