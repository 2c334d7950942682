import { MAX_TIMER_MS } from "../host/clock.js";
import type { World } from "../host/context.js";
import type { State } from "../host/state.js";
import { endFlow, isWaiting } from "./flow.js";
import { expire, REASONS } from "./transitions.js";

/** Ends what ran out of time, in the order it did. */
export function expireOverdue(world: World): void {
  const now = world.clock.now();
  const due = deadlines(world.state).filter(({ at }) => at <= now);
  for (const { account, at, reason } of due.sort((one, other) => one.at - other.at)) {
    if (reason === REASONS.timedOut) endFlow(account);
    if (reason === REASONS.refreshFailed || isWaiting(account)) expire(account, reason, world, at);
  }
}

/** When the next flow or token runs out of time, in milliseconds since 1970; `undefined` where none will. */
function nextDeadline(state: State): number | undefined {
  return deadlines(state).reduce<number | undefined>((first, { at }) => Math.min(first ?? at, at), undefined);
}

/** What will run out of time, and when. */
function deadlines({ connectedAccounts }: State) {
  return [...connectedAccounts.values()].flatMap((account) => {
    const { diesAt, flow, status, updatedAt } = account;
    // One that was disabled when its token ended expires when it is enabled, not before.
    const diedAt = status === "ACTIVE" && diesAt !== null ? Math.max(diesAt, Date.parse(updatedAt)) : undefined;
    return [
      ...(diedAt === undefined ? [] : [{ account, at: diedAt, reason: REASONS.refreshFailed }]),
      ...(flow && !flow.isOver ? [{ account, at: flow.endsAt, reason: REASONS.timedOut }] : []),
    ];
  });
}

/**
 * Ends flows and tokens at the time they run out, where the clock runs: nobody has to ask first. With a clock that stands
 * still it does nothing, for time passes there only by `advance`.
 */
export class ExpiryTimer {
  readonly #world: World;
  #isOff: boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(world: World, isClockRunning: boolean) {
    this.#world = world;
    this.#isOff = !isClockRunning;
  }

  /** Looks anew for what runs out next. To be called after whatever may have changed it. */
  set(): void {
    clearTimeout(this.#timer);
    const end = this.#isOff ? undefined : nextDeadline(this.#world.state);
    if (end === undefined) return;
    const wait = Math.min(Math.max(end - this.#world.clock.now(), 1), MAX_TIMER_MS);
    this.#timer = setTimeout(() => this.#ring(), wait);
    // In a browser it is a number. Where it is not, a process need not wait for it.
    if (typeof this.#timer === "object") this.#timer.unref();
  }

  /** Rings no more. */
  stop(): void {
    this.#isOff = true;
    clearTimeout(this.#timer);
  }

  #ring(): void {
    expireOverdue(this.#world);
    this.set();
  }
}
