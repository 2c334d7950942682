import type { Phase } from "../errors/connection.js";

/** Why an attempt brought no answer. */
export type FailureKind = "timeout" | "deadline" | "aborted" | "connection" | "too_large";

/**
 * An attempt that brought no answer. Never holds the runtime's or ky's own error: those carry the request and with it the
 * key.
 */
export class AttemptFailure extends Error {
  readonly kind: FailureKind;
  readonly phase: Phase;
  /** The runtime's code for a broken connection. */
  readonly code: string | undefined;
  /** No byte of the request can have reached the service. */
  readonly isUnsent: boolean;
  /** HTTP status of the answer, where one began. */
  readonly status: number | undefined;

  constructor(kind: FailureKind, phase: Phase, cause?: unknown, status?: number) {
    const code = kind === "connection" ? codeOf(cause) : undefined;
    super(kind === "connection" ? (code ?? textOf(cause)) : kind);
    this.kind = kind;
    this.phase = phase;
    this.code = code;
    this.status = status;
    this.isUnsent = kind === "connection" && phase === "headers" && isUnsent(code, cause);
  }
}

// Names of Node, Bun and OpenSSL for what happens before the first byte of a request can go out.
const UNSENT_CODES =
  /^(ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|ERR_SSL_\w+|CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+)$/;

function isUnsent(code: string | undefined, cause: unknown): boolean {
  if (code !== undefined) return UNSENT_CODES.test(code);
  // Deno gives no code, but says in which step it failed.
  return /client error \(Connect\)/.test(textOf(cause));
}

/** The first error code along the chain of causes. */
function codeOf(error: unknown): string | undefined {
  for (let depth = 0, current = error; depth < 6 && typeof current === "object" && current !== null; depth += 1) {
    if ("code" in current && typeof current.code === "string") return current.code;
    if ("cause" in current && current.cause !== undefined) current = current.cause;
    else if ("errors" in current && Array.isArray(current.errors)) current = current.errors[0];
    else return undefined;
  }
  return undefined;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : "the fetch in use failed without an error";
}
