import { mayRetry } from "../../client/call/retry.js";
import type { Core } from "../../client/client.js";
import type { Clock } from "../../client/clock.js";
import type { RequestOptions } from "../../client/request-options.js";
import { readRetryAfter } from "../../client/retry-after.js";
import { calledAs, SvcError } from "../../errors/base.js";
import { TimeoutError } from "../../errors/connection.js";
import { ValidationError } from "../../errors/local.js";
import { TIME } from "../../errors/option-rules.js";
import { field, isRecord } from "../../shared/json.js";
import { connectedAccounts } from "./endpoints.js";
import type { ConnectedAccountDetail, ConnectionStatus } from "./schema.js";

/** The account's facts in the error; no more than these, because a record may contain credentials. */
export interface ConnectionStateInfo {
  /** Starts with `ca_`. */
  readonly connectedAccountId: string;
  /** Status of the account. */
  readonly status: ConnectionStatus;
  /** The service's `status_reason`, in words. */
  readonly reason: string | undefined;
}

const NEXT_STEP: Readonly<Record<string, string>> = {
  INITIALIZING: "The user hasn't opened the hosted page yet.",
  INITIATED: "The user opened the hosted page but hasn't finished.",
  INACTIVE: "Enable it with connectedAccounts.enable, and its auth config with authConfigs.enable.",
  FAILED: "Send the user through connectedAccounts.link again.",
  EXPIRED: "Ask the user to connect again with connectedAccounts.link.",
  REVOKED: "Ask the user to connect again with connectedAccounts.link.",
};

/** A connected account is not ACTIVE. Check `status`: FAILED, EXPIRED and REVOKED don't become ACTIVE automatically. */
export class ConnectionStateError extends SvcError implements ConnectionStateInfo {
  protected static override readonly brand: string = "ConnectionStateError";

  /** The operation, usually named like its method. */
  readonly operation: string;
  readonly connectedAccountId: string;
  readonly status: ConnectionStatus;
  readonly reason: string | undefined;

  constructor(operation: string, facts: ConnectionStateInfo) {
    const { connectedAccountId, status, reason } = facts;
    const why = reason === undefined ? "" : ` (${reason})`;
    const next = Object.hasOwn(NEXT_STEP, status) ? ` ${NEXT_STEP[status]}` : "";
    super(`${operation}: ${connectedAccountId} is ${status}${why}.${next}`);
    this.operation = operation;
    this.connectedAccountId = connectedAccountId;
    this.status = status;
    this.reason = reason;
  }
}

/** Statuses that an account leaves only if its user connects again, so waiting can't help. */
const LOST: readonly string[] = ["FAILED", "EXPIRED", "REVOKED"];

/**
 * Whether a call failed because the user must connect an account, for the first time or again. Send the user to the
 * page of `connectedAccounts.link` or of a session's `link`, then repeat the call.
 *
 * ```ts
 * if (!needsConnection(error)) throw error;
 * const { redirect_url } = await svc.connectedAccounts.link({ auth_config_id: "ac_github_demo", user_id });
 * ```
 *
 * True for the conditions `no_connected_account` and `auth_refresh_required`, for a {@link ConnectionStateError} whose
 * `status` is `FAILED`, `EXPIRED` or `REVOKED`, and for the `AuthRequiredError` of a toolset, unless
 * the user has accounts and one must be chosen. False for everything
 * else: an account with `INACTIVE` status is enabled again, and an unknown account id (`connected_account_not_found`)
 * may be a mistake in your program.
 *
 * @param error - Anything that was thrown, or the `error` of a toolset's result.
 */
export function needsConnection(error: unknown): boolean {
  if (error instanceof ConnectionStateError) return LOST.includes(error.status);
  const condition = field(error, "condition");
  return condition === "no_connected_account" || condition === "auth_refresh_required";
}

/** Options of `connectedAccounts.waitUntilActive`: those of a call, with a different default deadline. */
export interface WaitUntilActiveOptions extends RequestOptions {
  /**
   * Time limit for the whole wait in milliseconds: all requests and the pauses between them.
   * @default 60_000
   */
  deadlineMs?: number | undefined;
  /**
   * Pause between two requests in milliseconds. By default one second at first, then growing to five, with a random
   * part.
   */
  pollMs?: number | undefined;
}

const OPERATION = "connectedAccounts.waitUntilActive";
const DEFAULT_DEADLINE_MS = 60_000;
/** The last request is sent at most this long before the deadline, so that its response can still arrive. */
const LAST_POLL_MS = 500;

/** Polls an account until it is ACTIVE. See `ConnectedAccounts.waitUntilActive`. */
export async function waitUntilActive(
  core: Core,
  id: string,
  options: WaitUntilActiveOptions,
): Promise<ConnectedAccountDetail> {
  const { clock } = core;
  const { deadlineMs = DEFAULT_DEADLINE_MS, pollMs, signal } = options ?? {};
  const endsAt = clock.monotonic() + deadlineMs;
  const shared = core.sharedDeadline(OPERATION, callOptionsOf(options), DEFAULT_DEADLINE_MS);
  let lastState: ConnectionStateError | undefined;
  for (let polls = 1; ; polls += 1) {
    const { account, failure, waitMs } = await poll(core, id, shared).catch((error: unknown) => {
      throw isOutOfTime(error) ? outOfTime(deadlineMs, polls, lastState ?? error) : calledAs(OPERATION, error, signal);
    });
    if (account?.status === "ACTIVE") return account;
    if (account) lastState = stateOf(id, account);
    if (account && LOST.includes(account.status)) throw lastState;

    const leftMs = endsAt - clock.monotonic();
    const spareMs = leftMs - Math.min(LAST_POLL_MS, deadlineMs / 4);
    const pauseMs = Math.max(pollMs ?? growingPauseMs(polls, clock), waitMs);
    const isWaitTooLong = waitMs > Math.max(spareMs, 0);
    if (leftMs > 0 && !isWaitTooLong) await clock.sleep(spareMs > 0 ? Math.min(pauseMs, spareMs) : leftMs, signal);
    if (spareMs <= 0 || isWaitTooLong) throw outOfTime(deadlineMs, polls, lastState ?? failure);
  }
}

/** The options of each request. @throws {ValidationError} if `pollMs` isn't a pause. */
function callOptionsOf(options: WaitUntilActiveOptions): RequestOptions {
  // The first request reports what isn't an object of options.
  if (!isRecord(options)) return options;
  const { pollMs, ...others } = options;
  if (pollMs === undefined || TIME.isFit(pollMs)) return others;
  throw new ValidationError(OPERATION, `pollMs must be ${TIME.must}.`);
}

interface Poll {
  readonly account?: ConnectedAccountDetail;
  /** A failure that passes: the user may be on the page meanwhile. */
  readonly failure?: unknown;
  /** For how long the service asked not to be asked again. */
  readonly waitMs: number;
}

async function poll(core: Core, id: string, options: RequestOptions): Promise<Poll> {
  try {
    const request = core.call(connectedAccounts.get, { params: { nanoid: id } }, options);
    const { data: account, meta } = await request.withResponse();
    return { account, waitMs: readRetryAfter(meta.headers, core.clock.now()) ?? 0 };
  } catch (failure) {
    if (!mayRetry(failure, "safe") || isOutOfTime(failure)) throw failure;
    return { failure, waitMs: Number(field(failure, "retryAfterMs") ?? 0) };
  }
}

function stateOf(connectedAccountId: string, { status, status_reason }: ConnectedAccountDetail): ConnectionStateError {
  return new ConnectionStateError(OPERATION, { connectedAccountId, status, reason: status_reason ?? undefined });
}

/** One second at first, half as much more each time, at most five; a random part spreads many waits. */
function growingPauseMs(polls: number, clock: Clock): number {
  return Math.min(4_000, 1_000 * 1.5 ** (polls - 1)) * (1 + clock.random() / 4);
}

function isOutOfTime(error: unknown): boolean {
  return error instanceof TimeoutError && error.option === "deadlineMs";
}

/** The timeout of the wait, with the account's last state: even if a request used up the rest of the deadline. */
function outOfTime(deadlineMs: number, attempts: number, cause: unknown): TimeoutError {
  const error = new TimeoutError({
    operation: OPERATION,
    attempts,
    outcome: undefined,
    phase: "retry_wait",
    timeoutMs: deadlineMs,
    option: "deadlineMs",
    state: stateIn(cause),
  });
  error.cause = cause;
  return error;
}

function stateIn(cause: unknown): string | undefined {
  if (cause instanceof ConnectionStateError) return cause.message.slice(`${OPERATION}: `.length);
  return isOutOfTime(cause) || !(cause instanceof Error) ? undefined : `the last request failed: ${cause.message}`;
}
