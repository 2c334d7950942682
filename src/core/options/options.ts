import type { RetryBudget } from "../call/retry.js";
import type { CredentialKind } from "../endpoint.js";
import type { Middleware } from "../middleware.js";
import type { Pacer, PacerSettings } from "../pacing/pacer.js";
import type { Clock } from "./clock.js";

/** A dated tool version: `<YYYYMMDD>_<NN>`, or `latest`. Spec: Versioning. */
export type ToolVersion = "latest" | (string & {});

/** Sends a request: an emulator's `fetch`, the one of `svc-sdk/undici`, or one of your own. */
export type Fetch = ((request: Request) => Promise<Response>) & {
  /** States that it can be called as `fetch(url, init)` too. That saves building a `Request`, which costs as much as sending it. */
  readonly acceptsInit?: true | undefined;
};

/** A rate limit that several processes share: `sharedRateLimit` of `svc-sdk/stores` makes one. */
export interface SharedRateLimit {
  /** What paces one client by it. */
  open(settings: PacerSettings): Pacer;
}

/** Options of {@link Svc}. What is left out is read from the environment where a variable exists, else takes its default. */
export interface SvcOptions {
  /** Project API key, sent as `x-api-key`. Else `SVC_API_KEY`. */
  apiKey?: string | undefined;
  /** User API key, sent as `x-user-api-key`. Else `SVC_USER_API_KEY`. */
  userApiKey?: string | undefined;
  /** Organization API key, sent as `x-org-api-key`. Else `SVC_ORG_API_KEY`. */
  orgApiKey?: string | undefined;
  /** Value of the dashboard's session cookie `authToken`. Never read from the environment. */
  sessionCookie?: string | undefined;
  /** Address of the service without the API prefix: `https://api.example.com`. Else `SVC_BASE_URL`. There is no default. */
  baseUrl?: string | undefined;
  /**
   * API version of the operations that exist on both.
   * @default "v3.1"
   */
  apiVersion?: "v3.1" | "v3" | undefined;
  /** Version per tool slug: `{ GITHUB_CREATE_AN_ISSUE: "20251023_00" }`. Wins over `toolkitVersions`, loses to the call's own. */
  toolVersions?: Readonly<Record<string, ToolVersion>> | undefined;
  /** Version per toolkit slug: `{ github: "20251023_00" }`. */
  toolkitVersions?: Readonly<Record<string, ToolVersion>> | undefined;
  /**
   * Bound of one attempt, its body included, in milliseconds.
   * @default 60_000
   */
  timeoutMs?: number | undefined;
  /** Bound of a whole call: its queueing, attempts, waits and bodies, in milliseconds. None by default. */
  deadlineMs?: number | undefined;
  /**
   * How often a failed call may be sent again.
   * @default 2
   */
  maxRetries?: number | undefined;
  /**
   * Longest wait before a call is sent again, in milliseconds. A longer Retry-After is not shortened: the error comes at once and
   * says when to come back.
   * @default 60_000
   */
  maxRetryDelayMs?: number | undefined;
  /**
   * What several processes share, so that together they stay inside the rate limit: `redisRateLimit` of `svc-sdk/stores/redis`, or
   * `sharedRateLimit` of `svc-sdk/stores` over a store of your own. Without it, each client learns the limit by itself.
   */
  sharedRateLimit?: SharedRateLimit | undefined;
  /**
   * Largest decoded body that is read, in bytes.
   * @default 67_108_864
   */
  maxBodyBytes?: number | undefined;
  /** Headers of every request. Credentials are refused here. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** The fetch to use, an emulator's for example. The runtime's own by default, looked up at each call. */
  fetch?: Fetch | undefined;
  /** Time and chance, for tests. */
  clock?: Clock | undefined;
  /**
   * Allows credentials over plain http to other hosts than loopback.
   * @default false
   */
  allowInsecureHttp?: boolean | undefined;
  /**
   * What sees each call, the first outermost: `toolLock`, `logCalls`, `observe` and `shareRetryBudget` of this package, `checkContract`
   * of `svc-sdk/contract`, `checkArguments` of `svc-sdk/arguments`, `traceCalls` of `svc-sdk/otel`, or a {@link Middleware} of your own.
   * @default []
   */
  use?: readonly Middleware[] | undefined;
  /** Where the variables are read. `process.env` by default, where there is one; a Worker passes its bindings. */
  environment?: object | undefined;
}

/** Options, checked and with their defaults. */
export interface Settings {
  readonly baseUrl: string;
  /** Scheme, host and port of `baseUrl`. */
  readonly origin: string;
  readonly apiVersion: "v3.1" | "v3";
  readonly credentials: ReadonlyMap<CredentialKind, string>;
  readonly toolVersions: ReadonlyMap<string, ToolVersion>;
  readonly toolkitVersions: ReadonlyMap<string, ToolVersion>;
  readonly timeoutMs: number;
  readonly deadlineMs: number | undefined;
  readonly maxRetries: number;
  readonly maxRetryDelayMs: number;
  readonly maxBodyBytes: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Fetch | undefined;
  readonly clock: Clock;
  readonly sharedRateLimit: SharedRateLimit | undefined;
  readonly retryBudget: RetryBudget;
  readonly use: readonly Middleware[];
}
