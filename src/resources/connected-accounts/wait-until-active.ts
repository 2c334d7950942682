import type { Core } from "../../core/client.js";
import type { Clock } from "../../core/options/clock.js";
import type { RequestOptions } from "../../core/options/request-options.js";
import { TimeoutError } from "../../errors/connection.js";
import { ConnectionStateError } from "./connection-state-error.js";
import { getConnectedAccount } from "./endpoints.js";
import type { ConnectedAccountDetail } from "./schema.js";

/** Options of `connectedAccounts.waitUntilActive`: those of a call, with another default. */
export interface WaitUntilActiveOptions extends RequestOptions {
  /**
   * Bound of the whole wait, in milliseconds: all looks and the pauses between them.
   * @default 60_000
   */
  deadlineMs?: number | undefined;
}

const OPERATION = "connectedAccounts.waitUntilActive";
const DEFAULT_DEADLINE_MS = 60_000;
/** The last look is made this long before the deadline, so that its answer can still arrive. */
const LAST_LOOK_MS = 500;
/** An account in one of these needs its user, or you, to become ACTIVE again: waiting cannot help. */
const FINAL: ReadonlySet<string> = new Set(["FAILED", "EXPIRED", "REVOKED"]);

/** Reads an account again and again until it is ACTIVE. See `ConnectedAccounts.waitUntilActive`. */
export async function waitUntilActive(
  core: Core,
  id: string,
  options: WaitUntilActiveOptions,
): Promise<ConnectedAccountDetail> {
  const { clock } = core;
  const { deadlineMs = DEFAULT_DEADLINE_MS, signal } = options ?? {};
  const endsAt = clock.monotonic() + deadlineMs;
  const remaining = core.sharedDeadline({ ...options, deadlineMs });
  let seen: ConnectionStateError | undefined;
  for (let looks = 1; ; looks += 1) {
    const look = core.call(getConnectedAccount, { params: { nanoid: id } }, remaining());
    const account = await look.catch((error: unknown) => {
      throw isOutOfTime(error) ? outOfTime(deadlineMs, looks, seen ?? error) : error;
    });
    if (account.status === "ACTIVE") return account;

    const { status, status_reason } = account;
    seen = new ConnectionStateError(OPERATION, { connectedAccountId: id, status, reason: status_reason ?? undefined });
    if (FINAL.has(status)) throw seen;

    const spareMs = endsAt - clock.monotonic() - LAST_LOOK_MS;
    if (spareMs <= 0) throw outOfTime(deadlineMs, looks, seen);
    await clock.sleep(Math.min(pauseMs(looks, clock), spareMs), signal);
  }
}

/** One second at first, half as much more each time, never more than five; a random part keeps many waits apart. */
function pauseMs(looks: number, clock: Clock): number {
  return Math.min(4_000, 1_000 * 1.5 ** (looks - 1)) * (1 + clock.random() / 4);
}

function isOutOfTime(error: unknown): boolean {
  return error instanceof TimeoutError && error.bound === "deadlineMs";
}

/** The wait's own time-out: a look that ran out of what was left of the deadline is no failure of that look. */
function outOfTime(deadlineMs: number, attempts: number, cause: unknown): TimeoutError {
  const error = new TimeoutError({
    operation: OPERATION,
    attempts,
    outcome: undefined,
    phase: "retry_wait",
    timeoutMs: deadlineMs,
    bound: "deadlineMs",
  });
  error.cause = cause;
  return error;
}
