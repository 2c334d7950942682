import type { Clock } from "../clock.js";
import type { Middleware } from "../middleware.js";
import type { Pacer, PacerSettings } from "../pacing/pacer.js";
import type { Fetch } from "../request-options.js";

/** A tool version: `<YYYYMMDD>_<NN>` or `latest`. */
export type ToolVersion = "latest" | (string & {});

/** A rate limit that several processes share. `sharedRateLimit` from `svc-sdk/stores` creates one. */
export interface SharedRateLimit {
  /** Creates the pacer of one client. */
  open(settings: PacerSettings): Pacer;
}

/**
 * Options of {@link Svc}. An omitted option is read from its environment variable, if it has one, or takes its default.
 */
export interface SvcOptions {
  /** Project API key, sent as `x-api-key`. Falls back to `SVC_API_KEY`. */
  apiKey?: string | undefined;
  /** User API key, sent as `x-user-api-key`. Falls back to `SVC_USER_API_KEY`. */
  userApiKey?: string | undefined;
  /** Organization API key, sent as `x-org-api-key`. Falls back to `SVC_ORG_API_KEY`. */
  orgApiKey?: string | undefined;
  /** Value of the dashboard's session cookie `authToken`. Never read from the environment. */
  sessionCookie?: string | undefined;
  /**
   * Base URL of the service without the API prefix: `https://api.example.com`. Falls back to `SVC_BASE_URL`. Required.
   */
  baseUrl?: string | undefined;
  /**
   * API version of the operations that exist on both.
   * @default "v3.1"
   */
  apiVersion?: "v3.1" | "v3" | undefined;
  /**
   * Version per tool slug: `{ GITHUB_CREATE_AN_ISSUE: "20251023_00" }`. Overrides `toolkitVersions`. A version in the
   * call overrides both.
   */
  toolVersions?: Readonly<Record<string, ToolVersion>> | undefined;
  /** Version per toolkit slug: `{ github: "20251023_00" }`. */
  toolkitVersions?: Readonly<Record<string, ToolVersion>> | undefined;
  /**
   * Timeout per attempt in milliseconds, including the body. Node's own `fetch` ends a silent request after 300_000.
   * For more, pass `fetch: undiciFetch()` from `svc-sdk/undici`.
   * @default 60_000
   */
  timeoutMs?: number | undefined;
  /** Timeout of the whole call in milliseconds: queueing, attempts, waits and bodies. No limit by default. */
  deadlineMs?: number | undefined;
  /**
   * Maximum number of retries: after half a second, which doubles up to eight seconds, minus a random part of up to
   * half, or after the longest wait that the response asks for.
   * @default 2
   */
  maxRetries?: number | undefined;
  /**
   * Longest delay before a retry, in milliseconds. The client never retries before `Retry-After`. If the service asks
   * for a longer wait, the call rejects immediately, and the error shows when to retry.
   * @default 60_000
   */
  maxRetryDelayMs?: number | undefined;
  /**
   * Shares the rate limit between processes, so that together they stay within it: `redisRateLimit` from
   * `svc-sdk/stores`, or `sharedRateLimit` from the same entry with your own store. Without it, each client learns the
   * limit on its own.
   */
  sharedRateLimit?: SharedRateLimit | undefined;
  /**
   * Maximum size of a decoded response body in bytes.
   * @default 67_108_864
   */
  maxBodyBytes?: number | undefined;
  /** Headers sent with every request. Credential headers are rejected. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** The `fetch` to use, such as an emulator's. By default the global `fetch`, looked up at each call. */
  fetch?: Fetch | undefined;
  /** Time and randomness, for tests. */
  clock?: Clock | undefined;
  /**
   * Allows credentials over plain HTTP to hosts other than loopback. Falls back to `SVC_ALLOW_INSECURE_HTTP`, which
   * must be `true`: for an emulator in another container, for example.
   * @default false
   */
  allowInsecureHttp?: boolean | undefined;
  /**
   * Middleware that sees each call, the first outermost: `toolLock`, `logCalls`, `observe` and `shareRetryBudget` from
   * this package, `checkContract` from `svc-sdk/contract`, `validateArguments` from `svc-sdk/arguments`, `traceCalls`
   * from `svc-sdk/otel`, or your own {@link Middleware}.
   * @default []
   */
  use?: readonly Middleware[] | undefined;
  /** Environment variables to read: `process.env` by default, if it exists. In a Worker, pass its bindings. */
  env?: object | undefined;
}
