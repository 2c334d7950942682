// The room of `svc-sdk doctor`: a file for each part that it checks, each of which returns findings. It imports the
// package's main entry, the codes of runtimes in `src/client`, the entries of `src/contract` and `src/testing`, and the
// secrets of `src/webhooks`. Start here, then `cli/doctor.ts`, which checks the parts in their order.

/** The command that corrects a machine's clock. */
export const SET_CLOCK = "sudo timedatectl set-ntp true";

/** A problem with a setup, and what to do about it. */
export interface Finding {
  /** A name for programs, which stays the same between versions: `key_revoked`. */
  readonly id: string;
  /** The problem, in a sentence or two. */
  readonly problem: string;
  /** Why it matters, in one sentence. */
  readonly why: string;
  /**
   * The command that fixes it, or shows the cause. What only the user knows is in angle brackets; changes of code are
   * described before it.
   */
  readonly fix: string;
}

export interface CheckResult {
  /** The subject of the check: `DNS`. */
  readonly check: string;
  /** `skipped` if it doesn't apply, or an earlier finding makes it pointless. */
  readonly state: "ok" | "failed" | "skipped";
  /** The value that was found, or why the check was skipped. */
  readonly detail: string;
  /** Empty unless `state` is `failed`. */
  readonly findings: readonly Finding[];
}

export function checkedResult(check: string, detail: string, findings: readonly Finding[] = []): CheckResult {
  return { check, state: findings.length > 0 ? "failed" : "ok", detail, findings };
}

export function skipped(check: string, reason: string): CheckResult {
  return { check, state: "skipped", detail: reason, findings: [] };
}

/**
 * The process to examine. Everything comes from here, so that tests can examine setups other than their own
 * process.
 */
export interface Setup {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The options of Node, such as `--use-env-proxy`. */
  readonly execArgv: readonly string[];
  readonly receiver: string | undefined;
  /** Name of the variable with the receiver's secret. */
  readonly secretVariable: string;
  /** How long a connection, a request or a handshake may take, in milliseconds. */
  readonly timeoutMs: number;
  /** This machine's time, in milliseconds since 1970. */
  readonly now: () => number;
}

/** The runtime's code of an error or of one of its causes: `ECONNREFUSED`. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  return codeOf(error.cause);
}
