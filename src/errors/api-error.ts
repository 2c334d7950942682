import { type Outcome, SvcError, warningOf } from "./base.js";
import { type Condition, conditionOf, NEXT_STEP } from "./conditions.js";
import type { CallFacts } from "./connection.js";
import { type ErrorEnvelope, readEnvelope } from "./envelope.js";

/** What the rate limiter last said. Spec: Limits. */
export interface RateLimit {
  /** Requests allowed in the window. */
  readonly limit: number | undefined;
  /** Requests left in the window. */
  readonly remaining: number | undefined;
  /** Length of the window, in milliseconds. */
  readonly windowMs: number | undefined;
}

/** A failing answer as the errors need it: read, redacted and timed by the core. */
export interface FailedAnswer extends CallFacts {
  readonly status: number;
  /** The endpoint's path template; some conditions have no other mark. */
  readonly path: string;
  /** What the client itself says about the failure, if there is no body to say it. */
  readonly message?: string | undefined;
  /** The body as text. */
  readonly text: string;
  /** The response headers an error may show. */
  readonly headers: Readonly<Record<string, string>>;
  readonly rateLimit: RateLimit | undefined;
  /** How long the service asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** When that wait ends. */
  readonly retryAt: Date | undefined;
  /** Whether the platform's own limiter turned the request away. */
  readonly isPlatformLimit: boolean;
}

/**
 * The service answered that the call failed.
 *
 * Decide by `condition` where there is one, else by class (the status); `code` and `slug` are the service's own and may
 * be absent. Quote `requestId` to support. Spec: Errors.
 */
export class ApiError extends SvcError implements CallFacts {
  protected static override readonly brand: string = "ApiError";

  readonly operation: string;
  readonly attempts: number;
  readonly outcome: Outcome | undefined;
  /** HTTP status. Wins over a status in the body. */
  readonly status: number;
  /** The service's number for the failure; a text in some older bodies. */
  readonly code: number | string | undefined;
  /** The service's name for the failure: `Tool_ToolNotFound`. */
  readonly slug: string | undefined;
  /** The failure as the specification names it, or `undefined` where it names none. */
  readonly condition: Condition | undefined;
  /** The service's id of the request. */
  readonly requestId: string | undefined;
  /** The service's own advice. */
  readonly suggestedFix: string | undefined;
  /** Single complaints, each naming a path of the request. */
  readonly errors: readonly string[];
  /** The error body: parsed where it is JSON, its text (at most 16 KiB) where it is not. */
  readonly body: unknown;
  /** The response headers that say something about the failure. Never `set-cookie` or anything else that is secret. */
  readonly headers: Readonly<Record<string, string>>;
  /** When the service said to come back. */
  readonly retryAt: Date | undefined;
  /** How long the service asked to wait, in milliseconds, counted from its answer. */
  readonly retryAfterMs: number | undefined;

  constructor(answer: FailedAnswer) {
    const envelope = readEnvelope(answer.text);
    const condition = conditionOf({ status: answer.status, path: answer.path, envelope });
    const requestId = envelope.requestId ?? answer.headers["x-request-id"];
    super(describe(answer, envelope, condition, requestId));
    this.operation = answer.operation;
    this.attempts = answer.attempts;
    this.outcome = answer.outcome;
    this.status = answer.status;
    this.code = envelope.code;
    this.slug = envelope.slug;
    this.condition = condition;
    this.requestId = requestId;
    this.suggestedFix = envelope.suggestedFix;
    this.errors = envelope.errors;
    this.body = envelope.body;
    this.headers = answer.headers;
    this.retryAfterMs = answer.retryAfterMs;
    this.retryAt = answer.retryAt;
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
/** 403: the key may not do this. */
export class PermissionDeniedError extends ApiError {
  protected static override readonly brand: string = "PermissionDeniedError";
}
/** 404: it does not exist. */
export class NotFoundError extends ApiError {
  protected static override readonly brand: string = "NotFoundError";
}
/** 409: it conflicts with what is already there. */
export class ConflictError extends ApiError {
  protected static override readonly brand: string = "ConflictError";
}
/** 422: well-formed, but the service cannot process it. */
export class UnprocessableEntityError extends ApiError {
  protected static override readonly brand: string = "UnprocessableEntityError";
}
/** 5xx: the service, or something in front of it, failed. */
export class ServerError extends ApiError {
  protected static override readonly brand: string = "ServerError";
}
/**
 * 429: too many requests. `retryAfterMs` and `retryAt` say when to come back. Also thrown without sending anything
 * (`attempts` is 0) while an earlier 429 asks all calls to wait for longer than `maxRetryWaitMs`. Spec: Limits.
 */
export class RateLimitError extends ApiError {
  protected static override readonly brand: string = "RateLimitError";

  /** What the rate limiter said with this answer. */
  readonly rateLimit: RateLimit | undefined;
  /** True when the platform turned the request away and nothing ran; false when a provider behind a tool may have. */
  readonly isPlatformLimit: boolean;

  constructor(answer: FailedAnswer) {
    super(answer);
    this.rateLimit = answer.rateLimit;
    this.isPlatformLimit = answer.isPlatformLimit;
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

/** The error of a failing answer: one class per status, whatever the body looks like. */
export function toApiError(answer: FailedAnswer): ApiError {
  const ErrorClass = CLASS_BY_STATUS[answer.status] ?? (answer.status >= 500 ? ServerError : ApiError);
  return new ErrorClass(answer);
}

function describe(
  answer: FailedAnswer,
  envelope: ErrorEnvelope,
  condition: Condition | undefined,
  requestId: string | undefined,
): string {
  const what = answer.message ?? envelope.message ?? "the answer has no readable error body";
  const why = envelope.errors.length > 0 ? ` (${short(envelope.errors.slice(0, 3).join("; "))})` : "";
  const fix = short(envelope.suggestedFix ?? (condition && NEXT_STEP[condition]) ?? "");
  const wait = answer.retryAfterMs === undefined ? "" : ` The service asks to wait ${answer.retryAfterMs / 1000} s.`;
  const id = requestId === undefined ? "" : ` [request ${short(requestId)}]`;
  return `${answer.operation}: ${answer.status} ${sentence(what + why)}${fix ? ` ${sentence(fix)}` : ""}${wait}${warningOf(answer.outcome)}${id}`;
}

/** A message is read by people: what the service wrote stays whole in the fields. */
function short(text: string): string {
  return text.length > 1_000 ? `${text.slice(0, 1_000)}…` : text;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
