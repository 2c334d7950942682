/** Options of a single call. They win over the client's. */
export interface RequestOptions {
  /** Ends the call. It rejects with the signal's own reason, whatever the call was doing. */
  signal?: AbortSignal | undefined;
  /** Bound of one attempt, its body included, in milliseconds. */
  timeoutMs?: number | undefined;
  /** Bound of the whole call, in milliseconds. */
  deadlineMs?: number | undefined;
  /** How often the call may be sent again. */
  maxRetries?: number | undefined;
  /** Further headers. Credentials are refused here. */
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * `high` goes ahead of the calls that wait for their turn under the rate limit, and has a reserve: the last 2 % of each
   * window's requests (at least one; none in windows of fewer than 20) are left to it until half of the window has passed,
   * and so is one of the places there are while nothing is known about a window. After that all may use what is left, so
   * that nothing is lost.
   * @default "normal"
   */
  priority?: "normal" | "high" | undefined;
}
