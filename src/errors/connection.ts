import { type Outcome, SvcError, warningOf } from "./base.js";

/** Facts about the failed call that every error after the first attempt carries. */
export interface CallFacts {
  /** The call, named as the method: `tools.execute`. */
  readonly operation: string;
  /** How many requests were sent or tried, the first included. */
  readonly attempts: number;
  /** Whether the call may have run. `undefined` where a repeat does no harm: reads, updates, deletions. */
  readonly outcome: Outcome | undefined;
}

/** Where a call was when it ended. */
export type Phase =
  /** Waiting for its turn under the rate limit. */
  | "queue"
  /** Sent or being sent; no complete head of an answer yet. */
  | "headers"
  /** Reading the answer's body. */
  | "body"
  /** Waiting before the next attempt. */
  | "retry_wait";

/** No usable answer arrived: refused, reset, unreachable, cut off. */
export class ConnectionError extends SvcError implements CallFacts {
  protected static override readonly brand: string = "ConnectionError";

  readonly operation: string;
  readonly attempts: number;
  readonly outcome: Outcome | undefined;
  /** The runtime's own code, where it has one: `ECONNREFUSED`, `ENOTFOUND`, `UND_ERR_SOCKET`, … */
  readonly code: string | undefined;
  /** Where the call was. */
  readonly phase: Phase;

  constructor(message: string, facts: CallFacts & { readonly phase: Phase; readonly code?: string | undefined }) {
    const tries = facts.attempts > 1 ? ` Tried ${facts.attempts} times.` : "";
    super(`${facts.operation}: ${message}${tries}${warningOf(facts.outcome)}`);
    this.operation = facts.operation;
    this.attempts = facts.attempts;
    this.outcome = facts.outcome;
    this.code = facts.code;
    this.phase = facts.phase;
  }
}

/**
 * The call ran out of time: one attempt out of `timeoutMs`, or the whole call out of `deadlineMs`. Also, at once, where the rate
 * limit lets no call begin before the deadline: `retryAfterMs` and `retryAt` then say when to come back.
 */
export class TimeoutError extends ConnectionError {
  protected static override readonly brand: string = "TimeoutError";

  /** The bound that was reached, in milliseconds. */
  readonly timeoutMs: number;
  /** Which bound it was. */
  readonly bound: "timeoutMs" | "deadlineMs";
  /** How long the rate limit lets no call begin, in milliseconds, where the call was not made to wait for that. */
  readonly retryAfterMs: number | undefined;
  /** When that ends. */
  readonly retryAt: Date | undefined;

  constructor(
    facts: CallFacts & {
      readonly phase: Phase;
      readonly timeoutMs: number;
      readonly bound: "timeoutMs" | "deadlineMs";
      readonly retryAfterMs?: number | undefined;
      readonly retryAt?: Date | undefined;
    },
  ) {
    const where = {
      queue: "while waiting for its turn under the rate limit",
      headers: "before an answer began",
      body: "while the answer's body was read",
      retry_wait: "while waiting to try again",
    }[facts.phase];
    const { retryAfterMs } = facts;
    const why =
      retryAfterMs === undefined
        ? `time ran out ${where}`
        : `the rate limit lets no call begin for another ${Math.ceil(retryAfterMs / 1_000)} s`;
    super(`no result within ${facts.bound} (${facts.timeoutMs} ms): ${why}.`, facts);
    this.timeoutMs = facts.timeoutMs;
    this.bound = facts.bound;
    this.retryAfterMs = retryAfterMs;
    this.retryAt = facts.retryAt;
  }
}

/**
 * An answer with a good (2xx) or redirecting (3xx) status that is not the data: HTML, empty, truncated, a redirect. Also the
 * failing status of a file storage, which is not the service.
 */
export class ResponseError extends SvcError implements CallFacts {
  protected static override readonly brand: string = "ResponseError";

  readonly operation: string;
  readonly attempts: number;
  readonly outcome: Outcome | undefined;
  /** HTTP status of the answer. */
  readonly status: number;
  /** The first characters of the body, at most 200. Never the whole body. */
  readonly snippet: string | undefined;
  /** How long a file storage asked to wait, in milliseconds, counted from its answer. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    facts: CallFacts & {
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
