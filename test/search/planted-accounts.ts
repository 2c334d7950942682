const CALL_RUN = "src/agents/call/call-run.ts";
const COUNTER = "src/agents/policy/budget-counter.ts";

/** Bugs of calls that lack an account: file, name, and a change of the file. */
export const ACCOUNT_BUGS: readonly (readonly [string, string, string, string])[] = [
  [
    CALL_RUN,
    "a call that lacks an account never runs again",
    'ended.status === "not_run" ? undefined : ended',
    "ended",
  ],
  [
    CALL_RUN,
    "a call that was counted and lacks an account isn't parked",
    "if (ran.authRequired) await",
    "if (false) await",
  ],
  [
    COUNTER,
    "a parked call is counted again",
    "(await usedOf(this.#store, parked)) > 0;",
    "(await usedOf(this.#store, parked)) > 1;",
  ],
  [
    COUNTER,
    "a budget that never resets counts a parked call again",
    "isCounted ? this.#aging : this.#budgets",
    "this.#budgets",
  ],
];
