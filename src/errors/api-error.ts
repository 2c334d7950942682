import { REQUEST_ID } from "../shared/headers.js";
import { type CallOutcome, SvcError, warningOf } from "./base.js";
import { conditionOf, type ErrorCondition, nextStepOf } from "./conditions.js";
import type { CallInfo } from "./connection.js";
import { type ErrorEnvelope, readEnvelope } from "./envelope.js";

/** The last rate limit state the service reported. */
export interface RateLimit {
  /** Requests allowed in the window. */
  readonly limit: number | undefined;
  /** Requests left in the window. */
  readonly remaining: number | undefined;
  /** Length of the window in milliseconds. */
  readonly windowMs: number | undefined;
}

/** An error response, with secrets removed and times computed by the core. */
export interface FailedResponse extends CallInfo {
  readonly status: number;
  /** The endpoint's path template; some conditions can't be recognized without it. */
  readonly path: string;
  /** The client's own message, if the body has none. */
  readonly message?: string | undefined;
  /** The body as a string. */
  readonly text: string;
  /** The response headers that an error may include. */
  readonly headers: Readonly<Record<string, string>>;
  readonly rateLimit: RateLimit | undefined;
  /** How long the service asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** When that wait ends. */
  readonly retryAt: Date | undefined;
  /** Whether the service's own rate limiter rejected the request. */
  readonly isServiceLimit: boolean;
}

/**
 * The service returned an error.
 *
 * Check `condition` first. If it's undefined, check the class, which follows from the status. `code` and `errorSlug`
 * come from the service and may be absent. Quote `requestId` when you contact support.
 */
export class ApiError extends SvcError implements CallInfo {
  protected static override readonly brand: string = "ApiError";

  readonly operation: string;
  readonly attempts: number;
  readonly outcome: CallOutcome | undefined;
  /** HTTP status. Overrides a status in the body. */
  readonly status: number;
  /** The service's number for the failure. A string in some older bodies. */
  readonly code: number | string | undefined;
  /** The service's name for the failure: `Tool_ToolNotFound`. */
  readonly errorSlug: string | undefined;
  /** Name of the failure, which doesn't depend on the service's wording. `undefined` if the failure has no name. */
  readonly condition: ErrorCondition | undefined;
  /** The service's id of the request. */
  readonly requestId: string | undefined;
  /** The service's own advice. */
  readonly suggestedFix: string | undefined;
  /** Individual validation errors, each with a path in the request. */
  readonly errors: readonly string[];
  /** The error body: parsed if it's JSON, otherwise a string of at most 16 KiB. */
  readonly body: unknown;
  /** The response headers about the failure, never `set-cookie` or other secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** When the service asked to retry. */
  readonly retryAt: Date | undefined;
  /** How long the service asked to wait, in milliseconds from its response. */
  readonly retryAfterMs: number | undefined;

  constructor(response: FailedResponse) {
    const envelope = readEnvelope(response.text);
    const condition = conditionOf(response.status, response.path, envelope);
    const requestId = envelope.requestId ?? response.headers[REQUEST_ID];
    super(describeResponse(response, envelope, condition, requestId));
    this.operation = response.operation;
    this.attempts = response.attempts;
    this.outcome = response.outcome;
    this.status = response.status;
    this.code = envelope.code;
    this.errorSlug = envelope.slug;
    this.condition = condition;
    this.requestId = requestId;
    this.suggestedFix = envelope.suggestedFix;
    this.errors = envelope.errors;
    this.body = envelope.body;
    this.headers = response.headers;
    this.retryAfterMs = response.retryAfterMs;
    this.retryAt = response.retryAt;
  }
}

/** 400: a parameter is missing or wrong. */
export class BadRequestError extends ApiError {
  protected static override readonly brand: string = "BadRequestError";
}
/** 401: no key, a wrong key, or the wrong kind of key. */
export class AuthenticationError extends ApiError {
  protected static override readonly brand: string = "AuthenticationError";
}
/** 403: the key doesn't have the permission. */
export class PermissionDeniedError extends ApiError {
  protected static override readonly brand: string = "PermissionDeniedError";
}
/** 404: the requested resource doesn't exist. */
export class NotFoundError extends ApiError {
  protected static override readonly brand: string = "NotFoundError";
}
/** 409: the request conflicts with the current state. */
export class ConflictError extends ApiError {
  protected static override readonly brand: string = "ConflictError";
}
/** 422: the request is well-formed, but the service can't process it. */
export class UnprocessableEntityError extends ApiError {
  protected static override readonly brand: string = "UnprocessableEntityError";
}
/** 5xx: the service, or something in front of it, failed. */
export class ServerError extends ApiError {
  protected static override readonly brand: string = "ServerError";
}
/**
 * 429: too many requests. `retryAfterMs` and `retryAt` say when to retry. Thrown without sending anything (`attempts`
 * is 0) while an earlier 429 makes all calls wait for longer than `maxRetryDelayMs`.
 */
export class RateLimitError extends ApiError {
  protected static override readonly brand: string = "RateLimitError";

  /** The rate limit state reported with this response. */
  readonly rateLimit: RateLimit | undefined;
  /**
   * True if the service rejected the request and nothing ran. False if the limit may be a provider's, so that the tool
   * may have run.
   */
  readonly isServiceLimit: boolean;

  constructor(response: FailedResponse) {
    super(response);
    this.rateLimit = response.rateLimit;
    this.isServiceLimit = response.isServiceLimit;
  }
}

const CLASS_BY_STATUS: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  422: UnprocessableEntityError,
  429: RateLimitError,
};

/** The error for an error response: one class per status, for any body. */
export function toApiError(response: FailedResponse): ApiError {
  const ErrorClass = CLASS_BY_STATUS[response.status] ?? (response.status >= 500 ? ServerError : ApiError);
  return new ErrorClass(response);
}

function describeResponse(
  response: FailedResponse,
  envelope: ErrorEnvelope,
  condition: ErrorCondition | undefined,
  requestId: string | undefined,
): string {
  const what = response.message ?? envelope.message ?? "the response has no readable error body";
  const why = envelope.errors.length > 0 ? ` (${short(envelope.errors.slice(0, 3).join("; "))})` : "";
  // A 404 without the service's own code or slug comes from another server, or from another path of this one.
  const isForeign = response.status === 404 && envelope.code === undefined && envelope.slug === undefined;
  const nextStep = nextStepOf(condition, envelope) || (isForeign ? "Check baseUrl." : "");
  const fix = short(envelope.suggestedFix ?? nextStep);
  const wait =
    response.retryAfterMs === undefined ? "" : ` The service asks to wait ${response.retryAfterMs / 1000} s.`;
  const id = requestId === undefined ? "" : ` [request ${short(requestId)}]`;
  return `${response.operation}: ${response.status} ${withPeriod(what + why)}${fix ? ` ${withPeriod(fix)}` : ""}${wait}${warningOf(response.outcome)}${id}`;
}

/** Shortens a message for reading; the fields contain the service's full strings. */
function short(text: string): string {
  return text.length > 1_000 ? `${text.slice(0, 1_000)}…` : text;
}

/** Unlike in a message that is quoted whole, a bracket at the end is no `[request …]`: the text is the service's. */
function withPeriod(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
