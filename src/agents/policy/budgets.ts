import type { Execution } from "../tool.js";
import type { Charge } from "./budget-store.js";
import { matcher } from "./matching.js";
import type { Budget } from "./rules.js";
import type { CountedFor } from "./types.js";

/** A budget of a policy. */
export interface CompiledBudget {
  /** Its name. */
  readonly rule: string;
  /** Its limits. */
  readonly limits: Budget;
  /** The same for the same limits, in any policy. */
  readonly digest: string;
  /** Whether it counts calls of a tool. */
  readonly counts: (call: Execution) => boolean;
}

/** A charge, and the budget it is for. */
export interface BudgetCharge extends Charge {
  readonly budget: CompiledBudget;
  /** The limit in words, for the model. */
  readonly words: string;
}

/** Prepares a budget. */
export function compileBudget(rule: string, limits: Budget, digest: string): CompiledBudget {
  const matches = matcher(limits);
  // A call that makes others is counted by them, unless the budget is about its tool.
  const isCounted = ({ inner, tool }: Execution) => inner.length === 0 || (limits.tools?.includes(tool.name) ?? false);
  return { rule, limits, digest, counts: (call) => isCounted(call) && matches(call).failed === undefined };
}

/** Everything that calls use of budgets, each key once. */
export function chargesOf(
  budgets: readonly CompiledBudget[],
  executions: readonly Execution[],
  who: CountedFor,
): BudgetCharge[] {
  return budgets.flatMap((budget) => {
    const counted = executions.filter(budget.counts);
    return counted.length > 0 ? budgetCharges(budget, counted, who) : [];
  });
}

function budgetCharges(
  budget: CompiledBudget,
  executions: readonly Execution[],
  { principal, scope }: CountedFor,
): BudgetCharge[] {
  const { calls, perTool, bytesOut, withinMs, per = "user" } = budget.limits;
  const sharers = { all: [], user: [principal], scope: [principal, scope ?? ""] }[per];
  const charge = (amount: number, limit: number, words: string, ...what: string[]): BudgetCharge => {
    const key = JSON.stringify([budget.digest, ...what, ...sharers]);
    return { budget, key, amount, limit, withinMs, words: `${limit} ${words}${period(withinMs)}` };
  };
  const names = [...new Set(executions.map(({ tool }) => tool.name))];
  const callsOf = (name: string) => executions.filter(({ tool }) => tool.name === name).length;
  return [
    ...(calls === undefined ? [] : [charge(executions.length, calls, "calls", "calls")]),
    ...(perTool === undefined
      ? []
      : names.map((name) => charge(callsOf(name), perTool, `calls of ${name}`, "tool", name))),
    ...(bytesOut === undefined ? [] : [charge(bytesOf(executions), bytesOut, "bytes", "bytes")]),
  ];
}

function bytesOf(executions: readonly Execution[]): number {
  const encoder = new TextEncoder();
  return executions.reduce((sum, call) => sum + encoder.encode(JSON.stringify(call.arguments)).length, 0);
}

function period(withinMs: number | undefined): string {
  return withinMs === undefined ? "" : ` within ${withinMs / 1_000} seconds`;
}
