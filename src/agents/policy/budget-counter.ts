import { digestOf } from "../../shared/canonical-json.js";
import type { Execution } from "../agent-tool.js";
import type { Decision, DenyDecision } from "../decision.js";
import type { ReadBudget } from "../events.js";
import type { BudgetStore, Charge } from "./budget-store.js";
import { type BudgetCharge, type CompiledBudget, chargesOf, usedOf } from "./budgets.js";
import type { BudgetPeek, BudgetSubject } from "./custom-policy.js";
import type { CallCounter, CountDecision, CountOptions } from "./policy-context.js";
import { periodWords, usedUp, withoutCost } from "./reasons.js";

const UNCOUNTED: CountOptions = { passed: [], isCounted: false };

/** Counts calls against the budgets of a policy. */
export class BudgetCounter implements CallCounter {
  readonly #budgets: readonly CompiledBudget[];
  readonly #store: BudgetStore;
  /** The budgets that ask at their limits. */
  readonly #asking: readonly CompiledBudget[];
  /** The budgets that count costs. */
  readonly #priced: readonly CompiledBudget[];
  /** The budgets that never reset. What they have counted stays counted. */
  readonly #lasting: readonly CompiledBudget[];
  /** The other budgets: a call that runs later must count in its own period. */
  readonly #aging: readonly CompiledBudget[];

  constructor(budgets: readonly CompiledBudget[], store: BudgetStore) {
    this.#budgets = budgets;
    this.#store = store;
    this.#asking = budgets.filter(asksAtLimit);
    this.#priced = budgets.filter(({ limits }) => limits.maxCost !== undefined);
    this.#lasting = budgets.filter(({ limits }) => limits.windowMs === undefined);
    this.#aging = budgets.filter(({ limits }) => limits.windowMs !== undefined);
  }

  asking(calls: readonly Execution[]): string[] {
    return this.#asking.filter((budget) => calls.some(budget.counts)).map(({ shownAs }) => shownAs);
  }

  counts(calls: readonly Execution[]): boolean {
    return this.#budgets.some((budget) => calls.some(budget.counts));
  }

  /** Whether an earlier run has counted exactly this call, which then lacked an account. */
  async isParked(scope: string, call: Execution, subject: BudgetSubject): Promise<boolean> {
    const parked = await this.#parkedAt(scope, call, subject);
    return parked !== undefined && (await usedOf(this.#store, parked)) > 0;
  }

  /** The record is beside the counts, so that a store loses both. */
  async park(scope: string, call: Execution, subject: BudgetSubject): Promise<void> {
    const parked = await this.#parkedAt(scope, call, subject);
    if (parked) await this.#store.consume([{ ...parked, amount: 1, limit: Number.MAX_SAFE_INTEGER }]);
  }

  /** Counts calls against all budgets, or against none. */
  async count(
    calls: readonly Execution[],
    subject: BudgetSubject,
    { passed, isCounted }: CountOptions = UNCOUNTED,
  ): Promise<CountDecision> {
    const charges = this.#chargesOf(calls, subject, isCounted);
    if ("outcome" in charges) return charges;
    if (charges.length === 0) return { outcome: "allow" };
    const consumed: Charge[] = [];
    for (const { budget, key, amount, limit, windowMs } of charges) {
      const isPassed = passed.includes(budget.shownAs);
      consumed.push({ key, amount, limit: isPassed ? Number.MAX_SAFE_INTEGER : limit, windowMs });
    }
    const exceeded = await this.#store.consume(consumed);
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
    const charges = this.#chargesOf(calls, subject, isCounted);
    if ("outcome" in charges) return { decision: charges, budgets: [] };
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

  /**
   * Everything that calls use of the budgets. Calls whose cost isn't known are denied.
   *
   * @param isCounted - Whether the budgets that never reset have counted the calls.
   */
  #chargesOf(
    calls: readonly Execution[],
    subject: BudgetSubject,
    isCounted: boolean,
  ): readonly BudgetCharge[] | DenyDecision {
    for (const budget of this.#priced) {
      const call = calls.find((counted) => budget.counts(counted) && budget.costOf(counted.tool.name) === undefined);
      if (call) return { outcome: "deny", reason: withoutCost(call.tool.name), rule: budget.rule };
    }
    return chargesOf(isCounted ? this.#aging : this.#budgets, calls, subject);
  }

  /**
   * The place of a parked call's record; `undefined` if no budget keeps what it has counted. The key identifies the
   * call with its arguments, for which an approval at a limit was, and its amounts.
   */
  async #parkedAt(
    scope: string,
    call: Execution,
    subject: BudgetSubject,
  ): Promise<Pick<Charge, "key" | "windowMs"> | undefined> {
    const { callId, tool, arguments: args, inner } = call;
    // A local tool needs no account.
    const charges = tool.kind === "local" ? [] : chargesOf(this.#lasting, [call, ...inner], subject);
    if (charges.length === 0) return undefined;
    const amounts = charges.map(({ key, amount }) => [key, amount]);
    const id = await digestOf([scope, callId, tool.name, args, amounts]);
    return { key: JSON.stringify(["parked", id]), windowMs: undefined };
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

export const asksAtLimit = ({ limits }: CompiledBudget): boolean => limits.atLimit === "ask";

function reasonOf({ limit, unit, windowMs }: BudgetCharge): string {
  const counted = limit === 1 ? unit.replace(/^calls\b/, "call") : unit;
  return usedUp(`${limit} ${counted}${periodWords(windowMs)}`);
}
