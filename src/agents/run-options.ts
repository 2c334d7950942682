/** Limits of a call. */
export interface CallLimits {
  /**
   * Aborts the calls. `run` rejects with the signal's reason. Calls that were sent already may still run. Your
   * functions receive the signal, and `run` waits for them, so pass the signal on.
   */
  readonly signal?: AbortSignal | undefined;
  /** Time limit of each whole call to the service, in milliseconds. Your own functions receive it. */
  readonly deadlineMs?: number | undefined;
  /** Time limit of each attempt of a call, in milliseconds. */
  readonly timeoutMs?: number | undefined;
}

/** The limits alone: tokens of approvals, and what else a run was given, stay private. */
export const limitsOf = ({ signal, deadlineMs, timeoutMs }: CallLimits): CallLimits => ({
  signal,
  deadlineMs,
  timeoutMs,
});

/** Options of a turn's calls. */
export interface RunOptions extends CallLimits {
  /** Tokens of approvals for these calls, in any order. */
  readonly approvals?: readonly string[] | undefined;
  /**
   * Whether each call ends before it would run: as `dry_run`, or as `pending` if it needs an approval. Budgets count
   * nothing. A call that was cut off or isn't valid JSON is recorded as rejected, and never runs later.
   * @default false
   */
  readonly dryRun?: boolean | undefined;
}

/** Marks a dry run that still asks for approvals: a library asks before it runs a call. */
export const ASKS = Symbol.for("svc-sdk.asks");

/** Whether a run only looks: it asks no person, and changes no earlier record. A library's question does. */
export const isPreview = (options: RunOptions): boolean => Boolean(options.dryRun) && !(ASKS in options);
