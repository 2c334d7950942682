import { RateLimitError, toApiError } from "../../errors/api-error.js";
import type { SvcError } from "../../errors/base.js";
import { type CallPhase, ConnectionError, ResponseError, TimeoutError } from "../../errors/connection.js";
import { type FetchProxy, proxyOf } from "../../shared/environment.js";
import type { Redact } from "../../shared/redact.js";
import type { Received } from "../received.js";
import { type AttemptFailure, type CallEnded, isCertificateCode, type RunningCall } from "../running-call.js";
import { LASTING } from "./retry.js";

/** The typed error of an attempt without a response. */
export function toConnectionError(failure: AttemptFailure, url: string, call: RunningCall): SvcError {
  const error = errorOf(failure, url, call);
  if (failure.isLasting) LASTING.add(error);
  return error;
}

function errorOf(failure: AttemptFailure, url: string, call: RunningCall): SvcError {
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
  const message = `${what} from ${target.origin} (${why}).${adviceFor(failure, code, target, proxy)}`;
  // A copy: the library's error may contain the request, and with it the key.
  const cause = failure.words === undefined ? undefined : new Error(redact(failure.words).slice(0, 1_000));
  return new ConnectionError(message, { ...facts, phase, code, cause });
}

function adviceFor(
  { phase, rejected }: AttemptFailure,
  code = "",
  { protocol, port }: URL,
  proxy: FetchProxy | undefined,
): string {
  if (rejected === "port") return ` fetch blocks port ${port}. Choose another one, and change baseUrl.`;
  if (rejected) {
    return " The client's fetch can't read a Request of this runtime. Omit the option fetch, or pass undiciFetch() from svc-sdk/undici.";
  }
  if (/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(code)) {
    return " The dispatcher's headersTimeout or bodyTimeout ended it. Set both to 0: timeoutMs of the client limits each attempt.";
  }
  const isUnreached = /^(ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_\w+)$/.test(code);
  if (isUnreached && proxy) {
    return ` ${proxy.variable} sends requests through the proxy ${proxy.host}. Check the proxy, or add the service to NO_PROXY.`;
  }
  if (/^(ECONNREFUSED|ConnectionRefused)$/.test(code)) return " Is the service running there? Check baseUrl.";
  if (isUnreached) return " The host name couldn't be resolved. Check baseUrl.";
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER") return " Does baseUrl use https, but the service http?";
  // A TLS port closes a connection over plain http, or answers with bytes that aren't http.
  const isCut = phase === "headers" && /^(UND_ERR_SOCKET|ECONNRESET|HPE_\w+)$/.test(code);
  if (isCut && protocol === "http:") return " If the service uses TLS on this port, baseUrl must start with https:.";
  if (!isCertificateCode(code)) return "";
  if (code === "CERT_HAS_EXPIRED") return " The service's certificate has expired, by this machine's clock.";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return " The service's certificate is for another host. Check baseUrl.";
  return " The service's certificate isn't trusted here. If your organization issued it, set NODE_EXTRA_CA_CERTS to the issuer's PEM file and restart.";
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
