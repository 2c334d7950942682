import type { RateLimit } from "../errors/api-error.js";
import type { Outcome } from "../errors/base.js";
import type { Phase } from "../errors/connection.js";
import type { Mismatch } from "../errors/local.js";
import type { Method } from "./endpoint.js";

/** What every event of a call says. */
interface OfCall {
  /** What belongs to one call has one number, and no other call of any client has it. */
  readonly callId: number;
  /** The call, named as the method: `tools.execute`. */
  readonly operation: string;
  /** When it happened, in milliseconds since 1970. */
  readonly at: number;
}

/** A call begins. Nothing was sent yet. */
export interface RequestEvent extends OfCall {
  readonly type: "request";
  readonly method: Method;
  /** Scheme, host and port of the service or, in a file's transfer, of the storage. */
  readonly origin: string;
  /** The path with its parameters not filled in: `/api/v3.1/tools/{tool_slug}`. Empty in a file's transfer, whose address is a secret. */
  readonly path: string;
  /** The tool's slug, where the call is about one tool. */
  readonly tool: string | undefined;
}

/** A call has to wait for its turn under the rate limit. */
export interface WaitEvent extends OfCall {
  readonly type: "wait";
  /**
   * When the window gives more turns at the latest, in milliseconds from now; `undefined` where that is not known. A call far
   * back in the queue may wait for several windows.
   */
  readonly expectedMs: number | undefined;
}

/** A request goes out. One that is aborted by whoever hears of it here does not, and counts as an attempt all the same. */
export interface AttemptEvent extends OfCall {
  readonly type: "attempt";
  /** Which attempt of the call it is, from 1. */
  readonly attempt: number;
}

/** An answer came, a failing one perhaps. */
export interface ResponseEvent extends OfCall {
  readonly type: "response";
  /** Which attempt of the call it was, from 1. */
  readonly attempt: number;
  /** HTTP status. */
  readonly status: number;
  /** From the request's start to the answer's last byte, in milliseconds. */
  readonly durationMs: number;
  /** The service's id of the request, where the answer carries one in a header. */
  readonly requestId: string | undefined;
  /** What the answer told about the rate limit. */
  readonly rateLimit: RateLimit | undefined;
}

/** A request brought no answer. */
export interface FailureEvent extends OfCall {
  readonly type: "failure";
  /** Which attempt of the call it was, from 1. */
  readonly attempt: number;
  /** From the request's start to the failure, in milliseconds. */
  readonly durationMs: number;
  /** The class of the error, or `Aborted` where the caller ended it. */
  readonly error: string;
  /** The runtime's own code, where it has one: `ECONNRESET`. */
  readonly code: string | undefined;
  /** Where the attempt was. */
  readonly phase: Phase;
}

/** A failed attempt will be followed by another. */
export interface RetryEvent extends OfCall {
  readonly type: "retry";
  /** The attempt that failed. */
  readonly attempt: number;
  /** How long the call waits first, in milliseconds. */
  readonly delayMs: number;
  /** The class of the error that the attempt failed with. */
  readonly error: string;
  /** HTTP status, where there was an answer. */
  readonly status: number | undefined;
}

/** A response doesn't match the contract. Only with `checkContract()`. Contains kinds, never values. */
export interface DriftEvent extends OfCall {
  readonly type: "drift";
  /** Every place that does not fit. */
  readonly mismatches: readonly Mismatch[];
}

/** Something that was used is deprecated. Told once per client, operation and subject. */
export interface DeprecationEvent extends OfCall {
  readonly type: "deprecation";
  /** `operation` for the call itself; else the input that was given: `query.search`. */
  readonly subject: string;
  /** What the service wrote into `Deprecation`; `undefined` where this package knows it. */
  readonly deprecation: string | undefined;
  /** What the service wrote into `Sunset`: when it goes away. */
  readonly sunset: string | undefined;
}

/** Something that was meant to happen to a call didn't, and the call went on without it. */
export interface WarningEvent extends OfCall {
  readonly type: "warning";
  /** What, and why. */
  readonly message: string;
}

/** A call ended. */
export interface ResultEvent extends OfCall {
  readonly type: "result";
  /** Whether the caller got data, or an error. */
  readonly succeeded: boolean;
  /** How many requests were sent. */
  readonly attempts: number;
  /** From the call to its end, waits included, in milliseconds. */
  readonly durationMs: number;
  /** HTTP status of the last answer, where there was one. */
  readonly status: number | undefined;
  /** The class of the error, or `Aborted` where the caller ended it; `undefined` after a success. */
  readonly error: string | undefined;
  /** Of a failed call whose repeat acts again: whether it may have run. */
  readonly outcome: Outcome | undefined;
}

/**
 * What happens to the calls of a client, in order: `request`, then for each attempt `wait` (only where it has to), `attempt`,
 * `response` or `failure`, and `retry` before the next; `drift`, `deprecation` and `warning` if there are any; `result` at the end.
 *
 * Fields are an allow-list: no credential, header, argument, query, body or address with a parameter is ever among them.
 */
export type SvcEvent =
  | RequestEvent
  | WaitEvent
  | AttemptEvent
  | ResponseEvent
  | FailureEvent
  | RetryEvent
  | DriftEvent
  | DeprecationEvent
  | WarningEvent
  | ResultEvent;

/** An event without what {@link OfCall} adds to each. */
export type Happening = SvcEvent extends infer Event
  ? Event extends SvcEvent
    ? Omit<Event, keyof OfCall>
    : never
  : never;
