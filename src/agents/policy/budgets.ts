import type { Execution } from "../tool.js";
import type { Charge } from "./budget-store.js";
import { type CheckedBudget, rulesDigest } from "./check-rules.js";
import { matcher } from "./compile-rule.js";
import type { BudgetSubject } from "./decide.js";
import type { PolicyCall } from "./rules.js";

/** A call, or a tool of which nothing but its facts is known. */
type CountedCall = PolicyCall & Partial<Pick<Execution, "inner">>;

export type CompiledBudget = ReturnType<typeof compileBudget>;

export interface BudgetCharge extends Charge {
  readonly budget: CompiledBudget;
  /** The things that are counted, for the model. */
  readonly unit: string;
}

export function compileBudget(rule: string, { name: _, ...limits }: CheckedBudget) {
  const matches = matcher(limits);
  /** Whether it counts calls of a tool. */
  const counts = (call: CountedCall) => {
    const { inner = [], tool } = call;
    // A call that makes others is counted by them, unless the budget names its tool.
    if (inner.length > 0 && !limits.tools?.includes(tool.name)) return false;
    return matches(call).failed === undefined;
  };
  // The same for the same limits, in any policy, whether or not they name the default.
  return { rule, limits, digest: rulesDigest(limits), counts };
}

/** Everything that calls use of budgets, each key once. */
export function chargesOf(
  budgets: readonly CompiledBudget[],
  executions: readonly Execution[],
  { principal, conversationId }: BudgetSubject,
): BudgetCharge[] {
  const charges: BudgetCharge[] = [];
  for (const budget of budgets) {
    const counted = executions.filter(budget.counts);
    if (counted.length === 0) continue;
    const { maxCalls, maxCallsPerTool, maxArgumentBytes, windowMs, per } = budget.limits;
    const sharers = { all: [], user: [principal], conversation: [principal, conversationId ?? ""] }[per];
    const charge = (amount: number, limit: number, unit: string, ...what: string[]) => {
      const key = JSON.stringify([budget.digest, ...what, ...sharers]);
      charges.push({ budget, key, amount, limit, windowMs, unit });
    };
    if (maxCalls !== undefined) charge(counted.length, maxCalls, "calls", "calls");
    if (maxCallsPerTool !== undefined) {
      const names = counted.map(({ tool }) => tool.name);
      for (const name of new Set(names)) {
        const calls = names.filter((other) => other === name).length;
        charge(calls, maxCallsPerTool, `calls of ${name}`, "tool", name);
      }
    }
    if (maxArgumentBytes !== undefined) charge(bytesOf(counted), maxArgumentBytes, "bytes", "bytes");
  }
  return charges;
}

function bytesOf(executions: readonly Execution[]): number {
  const encoder = new TextEncoder();
  return executions.reduce((sum, call) => sum + encoder.encode(JSON.stringify(call.arguments)).length, 0);
}

export function usedUp({ limit, unit, windowMs }: BudgetCharge): string {
  const period = windowMs === undefined ? "" : ` within ${windowMs / 1_000} seconds`;
  return `The budget of ${limit} ${unit}${period} is used up.`;
}
