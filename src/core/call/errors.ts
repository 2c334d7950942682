import { RateLimitError, toApiError } from "../../errors/api-error.js";
import type { SvcError } from "../../errors/base.js";
import { ConnectionError, type Phase, ResponseError, TimeoutError } from "../../errors/connection.js";
import type { Redact } from "../../shared/redact.js";
import { type AttemptFailure, type CallEnded, type FailingCall, isCertificateCode } from "./failure.js";
import type { Received } from "./response.js";

/** The typed error of an attempt without a response. */
export function toConnectionError(failure: AttemptFailure, url: string, call: FailingCall): SvcError {
  const { timeoutMs, redact, settings } = call;
  const { phase, kind, status = 0 } = failure;
  const facts = call.facts();
  if (kind === "timeout") return new TimeoutError({ ...facts, phase, timeoutMs, option: "timeoutMs" });
  if (kind === "too_large") {
    const problem = `the response body is larger than maxBodyBytes (${settings.maxBodyBytes}). The rest wasn't read.`;
    return new ResponseError(problem, { ...facts, status });
  }
  const code = failure.code && redact(failure.code);
  const what = phase === "body" ? "the response broke off" : "no response";
  const why = redact(failure.message).slice(0, 200);
  const message = `${what} from ${new URL(url).origin} (${why}).${adviceFor(code)}`;
  return new ConnectionError(message, { ...facts, phase, code });
}

function adviceFor(code = ""): string {
  if (/^(ECONNREFUSED|ConnectionRefused)$/.test(code)) return " Is the service running there? Check baseUrl.";
  if (/^(ENOTFOUND|EAI_\w+)$/.test(code)) return " The host name couldn't be resolved. Check baseUrl.";
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER") return " Does baseUrl use https, but the service http?";
  return isCertificateCode(code) ? " The service's certificate isn't trusted here." : "";
}

/** The typed error of a response that says the call failed. */
export function toStatusError(received: Received, path: string, call: FailingCall): SvcError {
  const { status, rateLimit, waitMs, retryAt, isServiceLimit } = received;
  const text = call.redact(received.text);
  const headers = shownHeaders(received.headers, call.redact);
  const retryAfterMs = waitMs || undefined;
  return toApiError({ ...call.facts(), status, path, text, headers, rateLimit, retryAfterMs, retryAt, isServiceLimit });
}

/** The typed error of a call that its deadline or the rate limit ended. `phase` is the one it was in. */
export function toEndedError(
  { by, retryAfterMs }: CallEnded,
  phase: Phase,
  deadlineMs: number,
  call: FailingCall,
): SvcError {
  // Never shorter than what was asked for, and in the error's message.
  const waitMs = retryAfterMs && Math.ceil(retryAfterMs);
  const retryAt = waitMs === undefined ? undefined : new Date(call.settings.clock.now() + waitMs);
  const facts = { ...call.facts(), retryAfterMs: waitMs, retryAt };
  if (by !== "limit") return new TimeoutError({ ...facts, phase, timeoutMs: deadlineMs, option: "deadlineMs" });
  const message = "Not sent: an earlier 429 requires all calls to wait longer than maxRetryDelayMs";
  const nothing = { path: "", text: "", headers: {}, rateLimit: undefined };
  return new RateLimitError({ ...facts, ...nothing, status: 429, message, isServiceLimit: true });
}

const SHOWN_HEADERS = [
  "content-type",
  "date",
  "deprecation",
  "link",
  "retry-after",
  "retry-after-ms",
  "server",
  "sunset",
  "x-ratelimit",
  "x-ratelimit-remaining",
  "x-ratelimit-window-size",
  "x-request-id",
  "x-should-retry",
];

/** The headers that an error may show. An allowlist: unknown headers are omitted. */
function shownHeaders(headers: Headers, redact: Redact): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const name of SHOWN_HEADERS) {
    const value = headers.get(name);
    if (value !== null) shown[name] = redact(value);
  }
  return shown;
}
