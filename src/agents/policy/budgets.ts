import type { Execution } from "../tool.js";
import type { Charge } from "./budget-store.js";
import { matcher } from "./compile-rule.js";
import type { BudgetSubject } from "./decide.js";
import type { Budget, PolicyCall } from "./rules.js";

/** A call, or a tool of which nothing but its facts is known. */
type CountedCall = PolicyCall & Partial<Pick<Execution, "inner">>;

/** A budget of a policy. */
export interface CompiledBudget {
  /** Its name. */
  readonly rule: string;
  /** Its limits. */
  readonly limits: Budget;
  /** The same for the same limits, in any policy. */
  readonly digest: string;
  /** Whether it counts calls of a tool. */
  readonly counts: (call: CountedCall) => boolean;
}

/** A charge, and the budget it is for. */
export interface BudgetCharge extends Charge {
  readonly budget: CompiledBudget;
  /** The things that are counted, for the model. */
  readonly unit: string;
}

/** Prepares a budget. */
export function compileBudget(rule: string, limits: Budget, digest: string): CompiledBudget {
  const matches = matcher(limits);
  const counts = (call: CountedCall) => {
    const { inner = [], tool } = call;
    // A call that makes others is counted by them, unless the budget names its tool.
    if (inner.length > 0 && !limits.tools?.includes(tool.name)) return false;
    return matches(call).failed === undefined;
  };
  return { rule, limits, digest, counts };
}

/** Everything that calls use of budgets, each key once. */
export function chargesOf(
  budgets: readonly CompiledBudget[],
  executions: readonly Execution[],
  who: BudgetSubject,
): BudgetCharge[] {
  return budgets.flatMap((budget) => {
    const counted = executions.filter(budget.counts);
    return counted.length > 0 ? budgetCharges(budget, counted, who) : [];
  });
}

function budgetCharges(
  budget: CompiledBudget,
  executions: readonly Execution[],
  { principal, conversationId }: BudgetSubject,
): BudgetCharge[] {
  const { maxCalls, maxCallsPerTool, maxArgumentBytes, windowMs, per = "user" } = budget.limits;
  const sharers = { all: [], user: [principal], conversation: [principal, conversationId ?? ""] }[per];
  const charge = (amount: number, limit: number, unit: string, ...what: string[]): BudgetCharge => {
    const key = JSON.stringify([budget.digest, ...what, ...sharers]);
    return { budget, key, amount, limit, windowMs, unit };
  };
  const names = [...new Set(executions.map(({ tool }) => tool.name))];
  const callsOf = (name: string) => executions.filter(({ tool }) => tool.name === name).length;
  return [
    ...(maxCalls === undefined ? [] : [charge(executions.length, maxCalls, "calls", "calls")]),
    ...(maxCallsPerTool === undefined
      ? []
      : names.map((name) => charge(callsOf(name), maxCallsPerTool, `calls of ${name}`, "tool", name))),
    ...(maxArgumentBytes === undefined ? [] : [charge(bytesOf(executions), maxArgumentBytes, "bytes", "bytes")]),
  ];
}

function bytesOf(executions: readonly Execution[]): number {
  const encoder = new TextEncoder();
  return executions.reduce((sum, call) => sum + encoder.encode(JSON.stringify(call.arguments)).length, 0);
}

/** Tells the model that a charge exceeds its limit. */
export function usedUp({ limit, unit, windowMs }: BudgetCharge): string {
  const period = windowMs === undefined ? "" : ` within ${windowMs / 1_000} seconds`;
  return `The budget of ${limit} ${unit}${period} is used up.`;
}
