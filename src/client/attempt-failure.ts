import type { CallPhase } from "../errors/connection.js";
import { field, isString } from "../shared/json.js";
import type { CallEnded } from "./running-call.js";

/** Why an attempt got no response. */
export type FailureKind = "timeout" | "connection" | "too_large" | CallEnded["by"];

/** Details of a failed attempt, besides its kind and phase. */
interface FailureFacts {
  readonly cause?: unknown;
  /** HTTP status of the response, if one began. */
  readonly status?: number | undefined;
  /** Whether a custom fetch may have sent the request, unless its error has `hasStarted: false`. */
  readonly hasBegun?: boolean;
}

/**
 * An attempt that got no response. Never contains the runtime's or ky's own error: those contain the request, and with
 * it the key.
 */
export class AttemptFailure extends Error {
  readonly kind: FailureKind;
  readonly phase: CallPhase;
  /** The runtime's code for a broken connection. */
  readonly code: string | undefined;
  /** No byte of the request can have reached the service. */
  readonly isUnsent: boolean;
  /** The library's own words: the innermost message. */
  readonly words: string | undefined;
  /** The port or the `Request`, if `fetch` rejected it before it sent anything. */
  readonly rejected: "port" | "request" | undefined;
  /** Whether another attempt would fail likewise. */
  readonly isLasting: boolean;
  /** HTTP status of the response, if one began. */
  readonly status: number | undefined;

  constructor(kind: FailureKind, phase: CallPhase, { cause, status, hasBegun = false }: FailureFacts = {}) {
    const chain = chainOf(cause);
    const code = stringsOf(chain, "code")[0]?.slice(0, 100);
    // The innermost message: the outer errors are wrappers, and ky's contains the whole URL.
    const words = stringsOf(chain, "message").at(-1);
    super(kind === "connection" ? (code ?? words ?? "fetch failed without an error") : kind);
    this.kind = kind;
    this.words = words;
    this.rejected = rejectedOf(chain);
    // An untrusted certificate stays untrusted, and a large body large.
    this.isLasting = kind === "too_large" || this.rejected !== undefined || isCertificateCode(code);
    this.phase = phase;
    this.code = code;
    this.status = status;
    // Once a request has begun, no code proves that it wasn't sent: a redirect or a second try may have failed.
    const stated = chain.map((error) => fieldOf(error, "hasStarted"));
    const hasStarted = stated.includes(true) || (hasBegun && !stated.includes(false));
    this.isUnsent =
      phase === "queue" ||
      (phase === "headers" && !hasStarted && (this.rejected !== undefined || failsBeforeSending(code, chain)));
  }
}

/** Reads what `fetch` rejected. Libraries that don't know the runtime's `Request` read it as a URL. */
function rejectedOf(chain: readonly unknown[]): AttemptFailure["rejected"] {
  const messages = stringsOf(chain, "message");
  if (messages.includes("bad port")) return "port";
  const isForeign = chain.some((error) => fieldOf(error, "input") === "[object Request]");
  return isForeign || messages.includes("Only absolute URLs are supported") ? "request" : undefined;
}

/** Codes of Node and Bun for a refused connection. */
export const REFUSED = /^(ECONNREFUSED|ConnectionRefused)$/;
/** Codes of Node and Bun for a host name that couldn't be resolved. */
export const UNRESOLVED = /^(ENOTFOUND|EAI_\w+)$/;
// Other codes of Node and OpenSSL for failures before the first byte of a request can be sent.
const UNSENT =
  /^(UND_ERR_CONNECT_TIMEOUT|ERR_TLS_CERT_\w+|ERR_SSL_WRONG_VERSION_NUMBER|CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+)$/;
// These occur while connecting, but also on an established connection.
const UNSENT_WHILE_CONNECTING = /^(EHOSTUNREACH|ENETUNREACH|ECONNRESET|ETIMEDOUT)$/;

/** Whether an error code of any runtime means an invalid certificate. */
export function isCertificateCode(code = ""): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_/.test(code);
}

/** Whether an error of the runtime proves that it occurred before the first byte was sent. */
function failsBeforeSending(code: string | undefined, chain: readonly unknown[]): boolean {
  const says = (pattern: RegExp) => stringsOf(chain, "message").some((message) => pattern.test(message));
  // Deno has no code, but names the step that failed.
  if (code === undefined) return says(/client error \(Connect\)/);
  const isConnecting = () =>
    stringsOf(chain, "syscall").includes("connect") || says(/before secure TLS connection was established/);
  return (
    [REFUSED, UNRESOLVED, UNSENT].some((codes) => codes.test(code)) ||
    (UNSENT_WHILE_CONNECTING.test(code) && isConnecting())
  );
}

/** An error and its causes, outermost first; of an aggregate, the first. Limited, because causes may be circular. */
function chainOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  let current = error;
  while (current !== undefined && chain.length < 6) {
    chain.push(current);
    const errors = fieldOf(current, "errors");
    current = fieldOf(current, "cause") ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return chain;
}

/** The strings that the errors of a chain have in this field. Only an `Error` has a message. */
function stringsOf(chain: readonly unknown[], name: "code" | "syscall" | "message"): string[] {
  return chain
    .filter((error) => name !== "message" || error instanceof Error)
    .map((error) => fieldOf(error, name))
    .filter(isString)
    .filter(Boolean);
}

function fieldOf(error: unknown, name: string): unknown {
  try {
    return field(error, name);
  } catch {
    // A getter that throws must not hide the call's own error.
    return undefined;
  }
}
