/**
 * Sends a request: an emulator's `fetch`, `undiciFetch()` from `svc-sdk/undici`, or your own function. If your function
 * rejects after it has read the request's body, the outcome of an execution is unknown, unless the error has
 * `hasStarted: false` and a code such as `ECONNREFUSED`.
 */
export type Fetch = ((request: Request) => Promise<Response>) & {
  /**
   * Set if the function accepts `fetch(url, init)` as well. The client then builds no `Request`, which costs as much as
   * sending it.
   */
  readonly acceptsInit?: true | undefined;
};

/** Options of a single call, which override the client's. For a list, they apply to each page. */
export interface RequestOptions {
  /** Aborts the call at any point. The call rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Timeout per attempt in milliseconds, including the body. */
  timeoutMs?: number | undefined;
  /** Timeout of the whole call in milliseconds. */
  deadlineMs?: number | undefined;
  /** Maximum number of retries. */
  maxRetries?: number | undefined;
  /** Additional headers. Credential headers are rejected. */
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * `high` calls start before other calls that are queued under the rate limit, and have a reserve: the last 2% of each
   * window's requests, at least one, unless the limit is below 20. After half of the window, any call may use the
   * reserve. While nothing is known about a window, one slot is reserved.
   * @default "normal"
   */
  priority?: "normal" | "high" | undefined;
}

/** Options of an execution. */
export interface ExecuteOptions extends RequestOptions {
  /**
   * `none`: the call only reads, so it is retried like every read, after any temporary failure. Its errors have no
   * `outcome`. Don't trust the tags of a tool blindly: a tool that acts could run twice.
   */
  effect?: "none" | undefined;
  /**
   * Called once, after the waits for the rate limit and right before the first request. Record there that the call
   * starts: if the process ends before that, the call didn't run. The request is sent when its promise resolves; if the
   * rate limit was exceeded in the meantime, after another wait. If it rejects, nothing is sent, and the call rejects
   * with its error.
   */
  beforeSend?: ((call: StartingCall) => unknown) | undefined;
}

/** A call whose first request is about to be sent. */
export interface StartingCall {
  /** Aborts when the call ends early, such as at its deadline. `undefined` if nothing can end it early. */
  readonly signal: AbortSignal | undefined;
  /** The `x-request-id` of the call. `tools.settle` finds the call by it. */
  readonly requestId: string | undefined;
  /** Milliseconds that the call waited for the rate limit. */
  readonly waitedMs: number;
}
