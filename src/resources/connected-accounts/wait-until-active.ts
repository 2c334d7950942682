import { mayRetry } from "../../client/call/retry.js";
import type { Core } from "../../client/client.js";
import type { Clock } from "../../client/clock.js";
import { CALL_OPTIONS } from "../../client/options/checks.js";
import type { RequestOptions } from "../../client/request-options.js";
import { readRetryAfter } from "../../client/retry-after.js";
import { calledAs } from "../../errors/base.js";
import { TimeoutError } from "../../errors/connection.js";
import { ValidationError } from "../../errors/local.js";
import * as option from "../../errors/option-rules.js";
import { field } from "../../shared/json.js";
import { connectedAccounts } from "./endpoints.js";
import { ConnectionStateError, isLost } from "./needs-connection.js";
import type { ConnectedAccountDetail } from "./schema.js";

/** Options of `connectedAccounts.waitUntilActive`: the options of a call, with another default deadline. */
export interface WaitUntilActiveOptions extends RequestOptions {
  /**
   * Time limit for the whole wait in milliseconds: all requests and the pauses between them.
   * @default 60_000
   */
  deadlineMs?: number | undefined;
  /** Pause between two requests in milliseconds. By default, it grows from one second to five, with a random part. */
  pollMs?: number | undefined;
}

const OPERATION = "connectedAccounts.waitUntilActive";
const WAIT_OPTIONS = {
  ...CALL_OPTIONS,
  deadlineMs: { ...option.TIME, default: 60_000 },
  pollMs: option.TIME,
} as const satisfies option.Rules<WaitUntilActiveOptions>;
/** The last request is sent at most this long before the deadline, so that its response can still arrive. */
const LAST_POLL_MS = 500;

/** Polls an account until it is ACTIVE. See `ConnectedAccounts.waitUntilActive`. */
export async function waitUntilActive(
  core: Core,
  id: string,
  given: WaitUntilActiveOptions,
): Promise<ConnectedAccountDetail> {
  const { clock } = core;
  const { options, problems } = option.read(given, WAIT_OPTIONS);
  if (problems.length > 0) throw new ValidationError(OPERATION, problems.join(" "));
  const { pollMs, ...callOptions } = options;
  const { deadlineMs, signal } = callOptions;
  const endsAt = clock.monotonic() + deadlineMs;
  const shared = core.sharedDeadline(OPERATION, callOptions);
  let lastState: ConnectionStateError | undefined;
  for (let polls = 1; ; polls += 1) {
    const { account, failure, waitMs } = await poll(core, id, shared).catch((error: unknown) => {
      throw isOutOfTime(error) ? outOfTime(deadlineMs, polls, lastState ?? error) : calledAs(OPERATION, error, signal);
    });
    if (account?.status === "ACTIVE") return account;
    if (account) lastState = stateOf(id, account);
    if (account && isLost(account.status)) throw lastState;

    const leftMs = endsAt - clock.monotonic();
    const spareMs = leftMs - Math.min(LAST_POLL_MS, deadlineMs / 4);
    const pauseMs = Math.max(pollMs ?? growingPauseMs(polls, clock), waitMs);
    const isWaitTooLong = waitMs > Math.max(spareMs, 0);
    if (leftMs > 0 && !isWaitTooLong) await clock.sleep(spareMs > 0 ? Math.min(pauseMs, spareMs) : leftMs, signal);
    if (spareMs <= 0 || isWaitTooLong) throw outOfTime(deadlineMs, polls, lastState ?? failure);
  }
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
    const request = core.call(connectedAccounts().get, { params: { nanoid: id } }, options);
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
