import { RateLimitError, toApiError } from "../../errors/api-error.js";
import type { SvcError } from "../../errors/base.js";
import { type CallPhase, ConnectionError, ResponseError, TimeoutError } from "../../errors/connection.js";
import { type FetchProxy, proxyOf } from "../../shared/environment.js";
import {
  RATE_LIMIT,
  RATE_LIMIT_LEFT,
  RATE_LIMIT_WINDOW,
  REQUEST_ID,
  RETRY_AFTER,
  RETRY_AFTER_MS,
  SHOULD_RETRY,
} from "../../shared/headers.js";
import type { Redact } from "../../shared/redact.js";
import type { AttemptFailure } from "../attempt-failure.js";
import type { Received } from "../received-response.js";
import { CallEnded, type RunningCall } from "../running-call.js";
import { neverRetried } from "./retry.js";

/** The error of an attempt without a response: typed, unless the caller or the deadline ended the call. */
export async function toAttemptError(failure: AttemptFailure, url: string, call: RunningCall): Promise<Error> {
  if (failure.kind === "caller" || failure.kind === "deadline") return new CallEnded(failure.kind);
  const error = await errorOf(failure, url, call);
  if (failure.isLasting) neverRetried.add(error);
  return error;
}

async function errorOf(failure: AttemptFailure, url: string, call: RunningCall): Promise<SvcError> {
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
  const target = new URL(url);
  const proxy = settings.fetch === undefined ? proxyOf(target) : undefined;
  const message = `${what} from ${target.origin} (${why}).${await adviceOn(failure, code, target, proxy)}`;
  // A copy: the library's error may contain the request, and with it the key.
  const cause = failure.words === undefined ? undefined : new Error(redact(failure.words).slice(0, 1_000));
  return new ConnectionError(message, { ...facts, phase, code, cause });
}

/** Advice about a failure; an empty string without any, and if the words can't be loaded. */
async function adviceOn(
  failure: AttemptFailure,
  code: string | undefined,
  target: URL,
  proxy: FetchProxy | undefined,
): Promise<string> {
  // Browsers give no codes. Where there are codes, the words are in a file of this machine, or in the same bundle.
  if (code === undefined && !failure.rejected) return "";
  const words = await import("./connection-advice.js").catch(() => undefined);
  return words?.connectionAdvice(failure, code, target, proxy) ?? "";
}

/** The typed error of a response that says the call failed. */
export function toStatusError(received: Received, path: string, call: RunningCall): SvcError {
  const { status, rateLimit, waitMs, retryAt, isServiceLimit } = received;
  const text = call.redact(received.text);
  const headers = shownHeaders(received.headers, call.redact);
  const retryAfterMs = waitMs || undefined;
  return toApiError({ ...call.facts(), status, path, text, headers, rateLimit, retryAfterMs, retryAt, isServiceLimit });
}

/** The typed error of a call that its deadline or the rate limit ended. `phase` is the one it was in. */
export function toEndedError(
  { by, retryAfterMs }: CallEnded,
  phase: CallPhase,
  deadlineMs: number,
  call: RunningCall,
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
  RETRY_AFTER,
  RETRY_AFTER_MS,
  "server",
  "sunset",
  RATE_LIMIT,
  RATE_LIMIT_LEFT,
  RATE_LIMIT_WINDOW,
  REQUEST_ID,
  // The retry rules read it from the error.
  SHOULD_RETRY,
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
