import type { Core } from "../../core/client.js";
import type { Clock } from "../../core/options/clock.js";
import type { RequestOptions } from "../../core/options/request-options.js";
import { calledAs } from "../../errors/base.js";
import { TimeoutError } from "../../errors/connection.js";
import { ConnectionStateError, LOST } from "./connection-state-error.js";
import { connectedAccounts } from "./endpoints.js";
import type { ConnectedAccountDetail } from "./schema.js";

/** Options of `connectedAccounts.waitUntilActive`: those of a call, with a different default deadline. */
export interface WaitUntilActiveOptions extends RequestOptions {
  /**
   * Time limit for the whole wait in milliseconds: all requests and the pauses between them.
   * @default 60_000
   */
  deadlineMs?: number | undefined;
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
  const { deadlineMs = DEFAULT_DEADLINE_MS, signal } = options ?? {};
  const endsAt = clock.monotonic() + deadlineMs;
  const shared = core.sharedDeadline(OPERATION, options, DEFAULT_DEADLINE_MS);
  let lastState: ConnectionStateError | undefined;
  for (let polls = 1; ; polls += 1) {
    const poll = core.call(connectedAccounts.get, { params: { nanoid: id } }, shared);
    const account = await poll.catch((error: unknown) => {
      throw isOutOfTime(error) ? outOfTime(deadlineMs, polls, lastState ?? error) : calledAs(OPERATION, error, signal);
    });
    if (account.status === "ACTIVE") return account;

    const { status, status_reason } = account;
    lastState = new ConnectionStateError(OPERATION, {
      connectedAccountId: id,
      status,
      reason: status_reason ?? undefined,
    });
    if (LOST.includes(status)) throw lastState;

    const leftMs = endsAt - clock.monotonic();
    const spareMs = leftMs - Math.min(LAST_POLL_MS, deadlineMs / 4);
    if (leftMs > 0) await clock.sleep(spareMs > 0 ? Math.min(pauseMs(polls, clock), spareMs) : leftMs, signal);
    if (spareMs <= 0) throw outOfTime(deadlineMs, polls, lastState);
  }
}

/** One second at first, half as much more each time, at most five; a random part spreads many waits. */
function pauseMs(polls: number, clock: Clock): number {
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
    state: cause instanceof ConnectionStateError ? cause.message.slice(`${OPERATION}: `.length) : undefined,
  });
  error.cause = cause;
  return error;
}
