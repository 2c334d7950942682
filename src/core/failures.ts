import { toApiError } from "../errors/api-error.js";
import type { Outcome, SvcError } from "../errors/base.js";
import { type CallFacts, ConnectionError, ResponseError, TimeoutError } from "../errors/connection.js";
import { type Answer, shownHeaders } from "./answer.js";
import { AttemptFailure, isCertificateCode } from "./attempt-failure.js";
import type { AnyEndpoint } from "./endpoint.js";
import type { Redact } from "./redact.js";

/** What an attempt that did not succeed says about the effect. */
export function outcomeOf(failure: AttemptFailure | Answer): Outcome {
  if (failure instanceof AttemptFailure) return failure.isUnsent ? "not_sent" : "unknown";
  const { status, isWhole } = failure;
  if (status === 408 || status >= 500 || !isWhole) return "unknown";
  if (status === 429) return failure.isPlatformLimit ? "rejected" : "unknown";
  // A good status whose body is not the data may stand for anything. Of the redirects, these two ask for the same request
  // elsewhere; the others may say where to look at what was done.
  return status >= 400 || status === 307 || status === 308 ? "rejected" : "unknown";
}

/** What the errors of a call are made from. */
export interface ErrorContext {
  readonly endpoint: AnyEndpoint;
  readonly facts: CallFacts;
  /** Where the request went. */
  readonly url: string;
  /** The bounds in force, for the message. */
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  readonly redact: Redact;
}

/** The typed error of an attempt without an answer. */
export function toConnectionError(failure: AttemptFailure, context: Omit<ErrorContext, "endpoint">): SvcError {
  const { facts, timeoutMs, maxBodyBytes, redact } = context;
  const { phase } = failure;
  const code = failure.code && redact(failure.code);
  switch (failure.kind) {
    case "timeout":
      return new TimeoutError({ ...facts, phase, timeoutMs, bound: "timeoutMs" });
    case "too_large":
      return new ResponseError(
        `the answer's body is larger than maxBodyBytes (${maxBodyBytes}); the rest was not read.`,
        {
          ...facts,
          status: failure.status ?? 0,
        },
      );
    default: {
      const what = phase === "body" ? "the answer broke off" : "no answer came";
      const why = redact(failure.message).slice(0, 200);
      const message = `${what} from ${new URL(context.url).origin} (${why}).${adviceFor(code)}`;
      return new ConnectionError(message, { ...facts, phase, code });
    }
  }
}

/** The typed error of an answer that says the call failed. */
export function toStatusError(answer: Answer, { endpoint, facts, redact }: ErrorContext): SvcError {
  const { askedMs, receivedAt } = answer;
  const retryAfterMs = askedMs || undefined;
  return toApiError({
    ...facts,
    status: answer.status,
    path: endpoint.path,
    text: redact(answer.text),
    headers: shownHeaders(answer.headers, redact),
    rateLimit: answer.rateLimit,
    retryAfterMs,
    retryAt: retryAfterMs === undefined ? undefined : new Date(receivedAt + retryAfterMs),
    isPlatformLimit: answer.isPlatformLimit,
  });
}

function adviceFor(code = ""): string {
  if (/^(ECONNREFUSED|ConnectionRefused)$/.test(code)) return " Is the service running there? Check baseUrl.";
  if (/^(ENOTFOUND|EAI_\w+)$/.test(code)) return " The host name could not be resolved. Check baseUrl.";
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER") return " Does baseUrl say https where the service speaks http?";
  return isCertificateCode(code) ? " The service's certificate is not trusted here." : "";
}
