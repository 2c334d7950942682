import type { RateLimit } from "../errors/api-error.js";
import type { CallOutcome } from "../errors/base.js";
import type { CallPhase } from "../errors/connection.js";
import type { Mismatch } from "../errors/local.js";
import type { HttpMethod } from "./endpoint.js";

/** Fields of every event. */
interface OfCall {
  /** Number of the call, unique across all clients. */
  readonly callNumber: number;
  /** The operation, usually named like its method: `tools.execute`. */
  readonly operation: string;
  /** When the event happened, in milliseconds since 1970. */
  readonly at: number;
}

/** Fields of every event about one attempt. */
interface OfAttempt extends OfCall {
  /** Number of the attempt, starting at 1. */
  readonly attempt: number;
}

/** A call starts. Nothing was sent yet. */
export interface RequestEvent extends OfCall {
  readonly type: "request";
  readonly method: HttpMethod;
  /** Scheme, host and port of the service, or of the storage if a file is transferred. */
  readonly origin: string;
  /** The path template: `/api/v3.1/tools/{tool_slug}`. Empty for a file transfer, because its URL is a secret. */
  readonly path: string;
  /** The tool's slug, if the call names one tool. */
  readonly tool: string | undefined;
}

/** A call is queued because of the rate limit. */
export interface WaitEvent extends OfCall {
  readonly type: "wait";
  /**
   * When more calls can start at the latest, in milliseconds from now. `undefined` if that isn't known. A call far back
   * in the queue may wait for several windows.
   */
  readonly expectedMs: number | undefined;
}

/** A request is about to be sent. If a listener aborts it here, it isn't sent, but still counts as an attempt. */
export interface AttemptEvent extends OfAttempt {
  readonly type: "attempt";
}

/** A response arrived. It may be an error response. */
export interface ResponseEvent extends OfAttempt {
  readonly type: "response";
  /** HTTP status. */
  readonly status: number;
  /** From the start of the request to the last byte of the response, in milliseconds. */
  readonly durationMs: number;
  /** The service's request id, if the response has it in a header. */
  readonly requestId: string | undefined;
  /** The rate limit the response reported. */
  readonly rateLimit: RateLimit | undefined;
}

/** A request got no response. */
export interface FailureEvent extends OfAttempt {
  readonly type: "failure";
  /** From the start of the request to the failure, in milliseconds. */
  readonly durationMs: number;
  /** Name of the error class, or `Aborted` if the caller aborted the call. */
  readonly error: string;
  /** The runtime's error code, if there is one: `ECONNRESET`. */
  readonly code: string | undefined;
  /** The phase the attempt was in. */
  readonly phase: CallPhase;
}

/** A failed attempt will be retried. */
export interface RetryEvent extends OfCall {
  readonly type: "retry";
  /** The attempt that failed. */
  readonly attempt: number;
  /** Delay before the retry, in milliseconds. */
  readonly delayMs: number;
  /** Name of the attempt's error class. */
  readonly error: string;
  /** HTTP status, if there was a response. */
  readonly status: number | undefined;
}

/** A response doesn't match the contract. Sent only with `checkContract()`. Contains types, never values. */
export interface DriftEvent extends OfCall {
  readonly type: "drift";
  /** All mismatches. */
  readonly mismatches: readonly Mismatch[];
}

/** A deprecated operation or input was used. Sent once per client, operation and subject. */
export interface DeprecationEvent extends OfCall {
  readonly type: "deprecation";
  /** `operation` for the operation itself, otherwise the deprecated input: `query.search`. */
  readonly subject: string;
  /** The `Deprecation` header. `undefined` if the deprecation is known from this package. */
  readonly deprecation: string | undefined;
  /** The `Sunset` header: when it will be removed. */
  readonly sunset: string | undefined;
}

/** A step of a call, such as a check, was skipped, and the call continued without it. */
export interface WarningEvent extends OfCall {
  readonly type: "warning";
  /** The step that was skipped, and why. */
  readonly message: string;
}

/** A call ended. */
export interface ResultEvent extends OfCall {
  readonly type: "result";
  /** Whether the call returned data. If not, it rejected. */
  readonly succeeded: boolean;
  /** Number of requests sent. */
  readonly attempts: number;
  /** Duration of the call including waits, in milliseconds. */
  readonly durationMs: number;
  /** HTTP status of the last response, if there was one. */
  readonly status: number | undefined;
  /** Name of the error class, or `Aborted` if the caller aborted the call. `undefined` after a success. */
  readonly error: string | undefined;
  /** Whether a failed call may have run. Set only if retrying it would act again. */
  readonly outcome: CallOutcome | undefined;
}

/**
 * Events of a client's calls. A call starts with `request`. Each attempt has `wait` if it's queued, `attempt`, then
 * `response` or `failure`, and `retry` if another attempt follows. `drift`, `deprecation` and `warning` can occur as
 * well. `result` ends the call.
 *
 * Events never contain credentials, headers, arguments, queries, bodies, or URLs with parameters.
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
