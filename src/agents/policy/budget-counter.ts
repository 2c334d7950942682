import type { Execution } from "../agent-tool.js";
import type { Decision } from "../decision.js";
import type { ReadBudget } from "../events.js";
import type { BudgetStore } from "./budget-store.js";
import { type BudgetCharge, type CompiledBudget, chargesOf, usedOf } from "./budgets.js";
import type { BudgetPeek, BudgetSubject } from "./custom-policy.js";
import type { CallCounter, CountDecision, CountOptions } from "./policy-context.js";
import { usedUp, withoutCost } from "./reasons.js";

const UNCOUNTED: CountOptions = { passed: [], isCounted: false };

/** Counts calls against the budgets of a policy. */
export class BudgetCounter implements CallCounter {
  readonly #budgets: readonly CompiledBudget[];
  readonly #store: BudgetStore;
  /** The budgets that ask at their limits. */
  readonly #asking: readonly CompiledBudget[];

  constructor(budgets: readonly CompiledBudget[], store: BudgetStore) {
    this.#budgets = budgets;
    this.#store = store;
    this.#asking = budgets.filter(asksAtLimit);
  }

  asking(calls: readonly Execution[]): string[] {
    if (this.#asking.length === 0) return [];
    return this.#asking.filter((budget) => calls.some(budget.counts)).map(({ shownAs }) => shownAs);
  }

  counts(calls: readonly Execution[]): boolean {
    return this.#budgets.some((budget) => calls.some(budget.counts));
  }

  lasting(calls: readonly Execution[], subject: BudgetSubject): readonly (readonly [string, number])[] {
    const charges = chargesOf(this.#budgets, calls, subject).filter(isLasting);
    return charges.map(({ key, amount }) => [key, amount]);
  }

  async park(id: string): Promise<void> {
    await this.#store.consume([{ ...parked(id), amount: 1, limit: Number.MAX_SAFE_INTEGER }]);
  }

  async isParked(id: string): Promise<boolean> {
    return (await usedOf(this.#store, parked(id))) > 0;
  }

  /** Counts calls against all budgets, or against none. */
  async count(
    calls: readonly Execution[],
    subject: BudgetSubject,
    { passed, isCounted }: CountOptions = UNCOUNTED,
  ): Promise<CountDecision> {
    const unpriced = this.#withoutCost(calls);
    if (unpriced) return unpriced;
    const charges = this.#chargesOf(calls, subject, isCounted);
    if (charges.length === 0) return { outcome: "allow" };
    const exceeded = await this.#store.consume(
      charges.map(({ budget, key, amount, limit, windowMs }) => {
        const isPassed = passed.includes(budget.shownAs);
        return { key, amount, limit: isPassed ? Number.MAX_SAFE_INTEGER : limit, windowMs };
      }),
    );
    if (exceeded === undefined) return { outcome: "allow" };
    const charge = Number.isInteger(exceeded) ? charges[exceeded] : undefined;
    if (!charge) throw new TypeError("policy: the store of budgets returned something other than an index.");
    const { rule, shownAs } = charge.budget;
    const facts = { reason: reasonOf(charge), rule };
    return asksAtLimit(charge.budget) ? { outcome: "ask", ...facts, exceeded: shownAs } : { outcome: "deny", ...facts };
  }

  /** Reads whether all budgets have room for calls. Counts nothing. */
  async peek(
    calls: readonly Execution[],
    subject: BudgetSubject,
    { passed, isCounted }: CountOptions = UNCOUNTED,
  ): Promise<BudgetPeek> {
    const unpriced = this.#withoutCost(calls);
    if (unpriced) return { decision: unpriced, budgets: [] };
    const charges = this.#chargesOf(calls, subject, isCounted);
    const used = await Promise.all(charges.map((charge) => usedOf(this.#store, charge)));
    const isFull = ({ amount, limit }: BudgetCharge, index: number) => (used[index] ?? 0) + amount > limit;
    const full = charges.filter(isFull);
    const exceeded = new Set([...passed, ...full.map(({ budget }) => budget.shownAs)]);
    const isAsked = ({ budget }: BudgetCharge) => asksAtLimit(budget) && exceeded.has(budget.shownAs);
    // First a limit that denies, then one that asks, then one about which a person was asked before.
    const stop = full.find((charge) => !isAsked(charge)) ?? full.find(isAsked) ?? charges.find(isAsked);
    return {
      decision: stop
        ? { outcome: isAsked(stop) ? "ask" : "deny", reason: reasonOf(stop), rule: stop.budget.rule }
        : { outcome: "allow" },
      budgets: charges.map((charge, index) => {
        const { budget, unit, limit, amount, windowMs = null } = charge;
        const left = Math.max(0, limit - (used[index] ?? 0));
        return { budget: budget.shownAs, unit, limit, left, windowMs, ...(isAsked(charge) && { requested: amount }) };
      }),
    };
  }

  async read(calls: readonly Execution[], subject: BudgetSubject): Promise<ReadBudget[]> {
    const reading = chargesOf(this.#budgets, calls, subject).map(async (charge): Promise<ReadBudget> => {
      const { budget, unit, limit, windowMs = null } = charge;
      const used = await usedOf(this.#store, charge);
      const left = Math.max(0, limit - used);
      return { budget: budget.shownAs, unit, limit, used, left, windowMs, per: budget.limits.per };
    });
    return Promise.all(reading);
  }

  #chargesOf(calls: readonly Execution[], subject: BudgetSubject, isCounted: boolean): BudgetCharge[] {
    const charges = chargesOf(this.#budgets, calls, subject);
    return isCounted ? charges.filter((charge) => !isLasting(charge)) : charges;
  }

  /** Denies calls whose cost isn't known. */
  #withoutCost(calls: readonly Execution[]): Decision | undefined {
    for (const budget of this.#budgets.filter(({ limits }) => limits.maxCost !== undefined)) {
      const call = calls.find((counted) => budget.counts(counted) && budget.costOf(counted.tool.name) === undefined);
      if (call) return { outcome: "deny", reason: withoutCost(call.tool.name), rule: budget.rule };
    }
    return undefined;
  }
}

/** How a policy counts without a toolset: no one can be asked, so a limit that asks denies. */
export function countsAlone(counter: BudgetCounter) {
  const denying = (decision: Decision): Decision =>
    decision.outcome === "ask" ? { ...decision, outcome: "deny" } : decision;
  return {
    count: async (calls: readonly Execution[], counted: BudgetSubject) => denying(await counter.count(calls, counted)),
    peek: async (calls: readonly Execution[], counted: BudgetSubject): Promise<BudgetPeek> => {
      const { decision, budgets } = await counter.peek(calls, counted);
      return { decision: denying(decision), budgets: budgets.map(({ requested: _, ...budget }) => budget) };
    },
  };
}

const parked = (id: string) => ({ key: JSON.stringify(["parked", id]), windowMs: undefined });

/** Whether a charge stays counted. Others age, and a call that runs later must count in its own period. */
const isLasting = ({ windowMs }: BudgetCharge): boolean => windowMs === undefined;

export const asksAtLimit = ({ limits }: CompiledBudget): boolean => limits.atLimit === "ask";

function reasonOf({ limit, unit, windowMs }: BudgetCharge): string {
  const period = windowMs === undefined ? "" : ` within ${windowMs / 1_000} seconds`;
  const counted = limit === 1 ? unit.replace(/^calls\b/, "call") : unit;
  return usedUp(`${limit} ${counted}${period}`);
}
