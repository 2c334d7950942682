import { MAX_TIMER_MS } from "../../shared/timers.js";
import type { World } from "../host/context.js";
import type { State } from "../host/state.js";
import { endFlow, isWaiting } from "./flow.js";
import { expire, REASONS } from "./transitions.js";

/** Expires overdue flows and tokens, in the order of their deadlines. */
export function expireOverdue(world: World): void {
  const now = world.clock.now();
  const due = deadlines(world.state).filter(({ at }) => at <= now);
  for (const { account, at, reason } of due.sort((one, other) => one.at - other.at)) {
    if (reason === REASONS.timedOut) endFlow(account);
    if (reason === REASONS.refreshFailed || isWaiting(account)) expire(account, reason, world, at);
  }
  if (due.length > 0) world.changes.report();
}

/** The next deadline of a flow or token, in milliseconds since 1970; `undefined` if there isn't one. */
function nextDeadline(state: State): number | undefined {
  return deadlines(state).reduce<number | undefined>((first, { at }) => Math.min(first ?? at, at), undefined);
}

/** Deadlines of flows and tokens. */
function deadlines({ connectedAccounts }: State) {
  return [...connectedAccounts.values()].flatMap((account) => {
    const { tokenExpiresAt, flow, status, updatedAt } = account;
    // If the token expired while the account was disabled, the account expires when it's enabled.
    const expiredAt =
      status === "ACTIVE" && tokenExpiresAt !== null ? Math.max(tokenExpiresAt, Date.parse(updatedAt)) : undefined;
    return [
      ...(expiredAt === undefined ? [] : [{ account, at: expiredAt, reason: REASONS.refreshFailed }]),
      ...(flow && !flow.isOver ? [{ account, at: flow.endsAt, reason: REASONS.timedOut }] : []),
    ];
  });
}

/**
 * Expires flows and tokens on time with a running clock, without waiting for a request. With a stopped clock it does
 * nothing, because time passes only in `advance`.
 */
export class ExpiryTimer {
  readonly #world: World;
  #isOff = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  /** Schedules the next deadline. Call it after every change that can affect one. */
  set(): void {
    clearTimeout(this.#timer);
    const isOff = this.#isOff || !this.#world.clock.isRunning;
    const end = isOff ? undefined : nextDeadline(this.#world.state);
    if (end === undefined) return;
    const wait = Math.min(Math.max(end - this.#world.clock.now(), 1), MAX_TIMER_MS);
    this.#timer = setTimeout(() => this.#run(), wait);
    // In Node it's an object, and the process shouldn't wait for it. In a browser it's a number.
    if (typeof this.#timer === "object") this.#timer.unref();
  }

  /** Stops the timer. */
  stop(): void {
    this.#isOff = true;
    clearTimeout(this.#timer);
  }

  #run(): void {
    expireOverdue(this.#world);
    this.set();
  }
}
