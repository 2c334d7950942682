const PERMIT = "src/agents/policy/permit-call.ts";
const COUNTER = "src/agents/policy/budget-counter.ts";
const BUDGETS = "src/agents/policy/budget-store.ts";

/** Bugs of budgets: file, name, and a change of the file. */
export const BUDGET_BUGS: readonly (readonly [string, string, string, string])[] = [
  [
    PERMIT,
    "budgets aren't counted",
    'if (!counter.count) return { outcome: "allow" };',
    'return { outcome: "allow" };',
  ],
  [PERMIT, "a used up budget allows", 'if (decision.outcome === "allow") return', "if (decision) return"],
  [COUNTER, "a count isn't awaited", "= await this.#store.consume(consumed)", "= void this.#store.consume(consumed)"],
  [COUNTER, "an approval passes the limit of every budget", "passed.includes(budget.shownAs);", "passed.length > 0;"],
  [COUNTER, "a limit that asks isn't a limit", "limit: isPassed ? Number", "limit: asksAtLimit(budget) ? Number"],
  [
    COUNTER,
    "a call that passes a limit isn't counted",
    "consumed.push({ key, amount,",
    "consumed.push({ key, amount: isPassed ? 0 : amount,",
  ],
  [
    PERMIT,
    "a call that was asked about at a limit isn't asked about later",
    "await recordAsked(call, exceeded)",
    "undefined",
  ],
  [
    PERMIT,
    "a call passes a limit without an approval",
    'if (decision.outcome === "allow") return',
    'if (decision.outcome !== "deny") return',
  ],
  [BUDGETS, "a budget allows one more", "charge.amount > charge.limit", "charge.amount > charge.limit + 1"],
  [BUDGETS, "a period ends a step early", "stepOf(time, windowMs) - STEPS;", "stepOf(time, windowMs) - STEPS + 1;"],
  [BUDGETS, "a counter ends with half a period", "time + lengthOf(windowMs) * (STEPS + 1)", "time + windowMs / 2"],
  [BUDGETS, "a period uses the wall clock", "default: () => performance.now()", "default: () => Date.now()"],
  [BUDGETS, "each count starts at 0", "(steps.get(step) ?? 0) + amount", "amount"],
];
