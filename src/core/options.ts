import type { Mismatch } from "../errors/local.js";
import type { Clock } from "./clock.js";
import type { CredentialKind } from "./credentials.js";
import type { SvcEvent } from "./events.js";
import type { ToolLock } from "./lock.js";
import type { Log, Logger, LogLevel } from "./log.js";
import type { RateWindowStore } from "./rate-window-store.js";
import type { RetryBudget } from "./retry-budget.js";

/** A dated tool version: `<YYYYMMDD>_<NN>`, or `latest`. Spec: Versioning. */
export type ToolVersion = "latest" | (string & {});

/** Checks values against the contract. `contract` of `svc-sdk/contract` is one. */
export interface ContractChecker {
  /** Every place where the value does not fit; empty when it fits or the operation is unknown. */
  check(operation: string, part: "query" | "body" | "response", value: unknown): readonly Mismatch[];
}

/** Checks arguments of tools. `argumentValidator()` of `svc-sdk/arguments` makes one. */
export interface ArgumentValidator {
  /** The input schema of a tool in a version, where it is known without asking the service. */
  schemaOf?(toolSlug: string, version: string): unknown;
  /**
   * Every place where the arguments do not fit the tool's input schema. Whatever it throws leaves them unchecked.
   */
  check(schema: unknown, value: unknown): readonly Mismatch[];
}

/** An answer that does not fit the contract. Holds kinds, never values. */
export interface MismatchReport {
  /** The call, named as the method. */
  readonly operation: string;
  /** Every place that does not fit. */
  readonly mismatches: readonly Mismatch[];
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
   * The parsed content of `svc.lock.json`, which `svc lock` writes: tools and toolkits are asked for in their locked versions.
   * Loses to the call's own version; `toolVersions` and `toolkitVersions` must not contradict it, and may add to it where it
   * is not required.
   */
  lock?: ToolLock | undefined;
  /**
   * Refuses calls about tools that `lock` does not hold, or in other versions than it says, before they are sent. Holds for the
   * calls that carry a tool version: agent sessions choose versions themselves.
   * @default false
   */
  requireLocked?: boolean | undefined;
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
  maxRetryWaitMs?: number | undefined;
  /**
   * Pays for retries, so that an outage is not amplified. Give one to several clients of the same service to share it.
   * @default new RetryBudget()
   */
  retryBudget?: RetryBudget | undefined;
  /**
   * Where several processes keep one rate window, so that together they stay inside it: `redisRateWindow` of
   * `svc-sdk/stores/redis`, or a store of your own. Without it, each client learns the window by itself.
   */
  rateWindow?: RateWindowStore | undefined;
  /**
   * Largest decoded body that is read, in bytes.
   * @default 67_108_864
   */
  maxBodyBytes?: number | undefined;
  /** Headers of every request. Credentials are refused here. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** The fetch to use, an emulator's for example. The runtime's own by default, looked up at each call. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Time and chance, for tests. */
  clock?: Clock | undefined;
  /**
   * Allows credentials over plain http to other hosts than loopback.
   * @default false
   */
  allowInsecureHttp?: boolean | undefined;
  /** Checks requests before they are sent and answers after they arrived: `contract` of `svc-sdk/contract`. Off by default. */
  contract?: ContractChecker | undefined;
  /**
   * Checks `arguments` of `tools.execute` against the tool's own input schema before anything is sent: `argumentValidator()` of
   * `svc-sdk/arguments`. It asks the service for the tool, once for each tool and dated version and each time for `latest`;
   * where that fails the arguments go unchecked, with a warning. Off by default.
   */
  validateArguments?: ArgumentValidator | undefined;
  /**
   * What happens to an answer that does not fit the contract: `report` logs a warning once per operation and path, `throw`
   * rejects with a `ContractMismatchError`, a function is told. What it throws goes to the log, not to the call.
   * @default "report"
   */
  onMismatch?: "report" | "throw" | ((report: MismatchReport) => void) | undefined;
  /** Told about everything that happens to every call. What it throws goes to the log, not to the call. */
  onEvent?: ((event: SvcEvent) => void) | undefined;
  /**
   * Where log lines go.
   * @default console
   */
  logger?: Logger | undefined;
  /**
   * How much is logged: `off`, `error`, `warn`, `info` (retries and waits too) or `debug` (every request). Else `SVC_LOG`.
   * @default "warn"
   */
  logLevel?: LogLevel | undefined;
  /** Where the variables are read. `process.env` by default, where there is one; a Worker passes its bindings. */
  environment?: object | undefined;
}

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

/** Options, checked and with their defaults. */
export interface Settings {
  readonly baseUrl: string;
  /** Scheme, host and port of `baseUrl`. */
  readonly origin: string;
  readonly apiVersion: "v3.1" | "v3";
  readonly credentials: ReadonlyMap<CredentialKind, string>;
  readonly toolVersions: ReadonlyMap<string, ToolVersion>;
  readonly toolkitVersions: ReadonlyMap<string, ToolVersion>;
  /** The lock, where nothing else may be called. */
  readonly requiredLock: ToolLock | undefined;
  readonly timeoutMs: number;
  readonly deadlineMs: number | undefined;
  readonly maxRetries: number;
  readonly maxRetryWaitMs: number;
  readonly maxBodyBytes: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: ((request: Request) => Promise<Response>) | undefined;
  readonly clock: Clock;
  readonly contract: ContractChecker | undefined;
  readonly validateArguments: ArgumentValidator | undefined;
  readonly onMismatch: "report" | "throw" | ((report: MismatchReport) => void);
  readonly onEvent: ((event: SvcEvent) => void) | undefined;
  readonly log: Log;
  readonly retryBudget: RetryBudget;
  readonly rateWindow: RateWindowStore | undefined;
}
