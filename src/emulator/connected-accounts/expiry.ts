import { MAX_TIMER_MS } from "../../shared/timers.js";
import { isWaiting } from "../engine/account-records.js";
import type { Engine } from "../engine/engine.js";
import type { State } from "../engine/state.js";
import { endedFlow, expireAccount, REASONS } from "./transitions.js";

/** Expires overdue flows and tokens, in the order of their deadlines. */
export function expireOverdue(engine: Engine): void {
  const now = engine.clock.now();
  const { connectedAccounts } = engine.state;
  for (const { id, at, reason } of deadlines(engine.state).filter(({ at }) => at <= now)) {
    // An earlier deadline may have changed it.
    const account = connectedAccounts.get(id);
    if (!account) continue;
    const isFlow = reason === REASONS.timedOut;
    const ended = isFlow ? { ...account, flow: endedFlow(account) } : account;
    if (!isFlow || isWaiting(account)) expireAccount(ended, reason, engine, at);
    else connectedAccounts.set(id, ended);
  }
}

/** Deadlines of flows and tokens, earliest first, in milliseconds since 1970. */
function deadlines({ connectedAccounts }: State) {
  const all: { readonly id: string; readonly at: number; readonly reason: string }[] = [];
  for (const { id, tokenExpiresAt, flow, status, updatedAt } of connectedAccounts.values()) {
    if (status === "ACTIVE" && tokenExpiresAt !== null) {
      // If the token expired while the account was disabled, the account expires when it's enabled.
      all.push({ id, at: Math.max(tokenExpiresAt, Date.parse(updatedAt)), reason: REASONS.refreshFailed });
    }
    if (flow && !flow.isOver) all.push({ id, at: flow.endsAt, reason: REASONS.timedOut });
  }
  return all.sort((left, right) => left.at - right.at);
}

/**
 * Expires flows and tokens on time with a running clock, without waiting for a request. With a stopped clock it does
 * nothing, because time passes only in `advance`.
 */
export function expiryTimer(engine: Engine) {
  let isOff = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Schedules the next deadline. Call it after every change that can affect one. */
  const set = () => {
    clearTimeout(timer);
    const next = isOff || !engine.clock.isRunning ? undefined : deadlines(engine.state)[0];
    if (!next) return;
    const run = () => {
      expireOverdue(engine);
      set();
    };
    timer = setTimeout(run, Math.min(Math.max(next.at - engine.clock.now(), 1), MAX_TIMER_MS));
    // In Node it's an object, and the process shouldn't wait for it. In a browser it's a number.
    if (typeof timer === "object") timer.unref();
  };

  const stop = () => {
    isOff = true;
    clearTimeout(timer);
  };

  return { set, stop };
}
