import { ConfigError } from "../../errors/local.js";
import * as option from "../../errors/option-rules.js";
import { didYouMean } from "../../shared/nearest-name.js";
import { bytesOf } from "../../shared/text-size.js";
import type { Execution } from "../agent-tool.js";
import type { BudgetStore, Charge } from "./budget-store.js";
import type { CheckedBudget } from "./check-rules.js";
import { type MatchedCall, matcher } from "./compile-rule.js";
import { glob } from "./conditions.js";
import type { BudgetSubject } from "./custom-policy.js";

type CountedCall = MatchedCall & Partial<Pick<Execution, "inner">>;

export type CompiledBudget = ReturnType<typeof compileBudget>;

export interface BudgetCharge extends Charge {
  readonly budget: CompiledBudget;
  /** The things that are counted, for the model. */
  readonly unit: string;
}

/**
 * @param rule - The budget's name, or its place in the policy.
 * @param policyDigest - Tells budgets of different policies apart that have neither an id nor a name.
 */
export function compileBudget(rule: string, { id, name, ...limits }: CheckedBudget, policyDigest: string) {
  const matches = matcher(limits);
  /** Whether it counts calls of a tool. */
  const counts = (call: CountedCall) => {
    const { inner = [], tool } = call;
    // A call that makes others is counted by them, unless the budget names its tool.
    if (inner.length > 0 && !limits.tools?.includes(tool.name)) return false;
    return matches(call).failed === undefined;
  };
  const ownId = id ?? name;
  const identity = ownId === undefined ? [policyDigest, rule] : [ownId];
  const costs = Object.entries(limits.costs ?? {}).map(([pattern, cost]) => ({ fits: glob(pattern), cost }));
  /** The cost of a call of a tool; `undefined` if it isn't known. */
  const costOf = (tool: string): number | undefined => {
    const fitting = costs.flatMap(({ fits, cost }) => (fits(tool) ? [cost] : []));
    return fitting.sort((left, right) => right - left)[0];
  };
  return { rule, shownAs: ownId ?? rule, id: ownId, identity, limits, counts, costOf };
}

/** The counted units, in keys. Stores have these words, so others would lose the counts. */
const COUNTED = {
  calls: ["calls"],
  ofTool: (tool: string) => ["tool", tool],
  bytes: ["bytes"],
  cost: ["cost"],
} as const;

/** The key under which a store counts. The limit isn't part of it, so that another one goes on with the count. */
function keyOf(budget: CompiledBudget, subject: BudgetSubject, counted: readonly string[]): string {
  const { identity, limits } = budget;
  const { principal, conversationId } = subject;
  const sharers = { all: [], user: [principal], conversation: [principal, conversationId ?? ""] }[limits.per];
  return JSON.stringify([identity, limits.windowMs ?? null, limits.per, ...counted, ...sharers]);
}

/** Everything that calls use of budgets, each key once. */
export function chargesOf(
  budgets: readonly CompiledBudget[],
  executions: readonly Execution[],
  subject: BudgetSubject,
): BudgetCharge[] {
  const charges: BudgetCharge[] = [];
  for (const budget of budgets) {
    const counted = executions.filter(budget.counts);
    if (counted.length === 0) continue;
    const { maxCalls, maxCallsPerTool, maxArgumentBytes, maxCost, windowMs } = budget.limits;
    const charge = (amount: number, limit: number, unit: string, what: readonly string[]) => {
      charges.push({ budget, key: keyOf(budget, subject, what), amount, limit, windowMs, unit });
    };
    if (maxCalls !== undefined) charge(counted.length, maxCalls, "calls", COUNTED.calls);
    if (maxCallsPerTool !== undefined) {
      const names = counted.map(({ tool }) => tool.name);
      for (const name of new Set(names)) {
        const calls = names.filter((other) => other === name).length;
        charge(calls, maxCallsPerTool, `calls of ${name}`, COUNTED.ofTool(name));
      }
    }
    if (maxArgumentBytes !== undefined) charge(argumentBytes(counted), maxArgumentBytes, "bytes", COUNTED.bytes);
    if (maxCost !== undefined) {
      const cost = counted.reduce((sum, { tool }) => sum + (budget.costOf(tool.name) ?? 0), 0);
      charge(cost, maxCost, "cost", COUNTED.cost);
    }
  }
  return charges;
}

function argumentBytes(executions: readonly Execution[]): number {
  return executions.reduce((sum, call) => sum + bytesOf(JSON.stringify(call.arguments)), 0);
}

/** The budget to read, and for whom. */
export interface BudgetQuery {
  /** The budget's `id`, or its `name` if it has none. */
  readonly id: string;
  /**
   * The user; for a session that was opened by its id alone, the session's id. Required unless the budget has `per:
   * "all"`.
   */
  readonly userId?: string | undefined;
  /** The toolset's `conversationId`, for a budget per conversation. */
  readonly conversationId?: string | undefined;
  /** The tools for which to read `maxCallsPerTool`. */
  readonly tools?: readonly string[] | undefined;
}

/** How much of one limit of a budget is used. */
export interface BudgetUse {
  /** The counted unit. */
  readonly unit: "calls" | "calls of a tool" | "bytes" | "cost";
  /** The tool whose calls are counted, for `maxCallsPerTool`; otherwise `undefined`. */
  readonly tool: string | undefined;
  /** The most that may count in the period. */
  readonly limit: number;
  /** How much counts now. It can exceed a limit that was lowered. */
  readonly used: number;
  /** How much is left: at least 0. */
  readonly left: number;
  /** Length of the period in milliseconds; `undefined` for one that never ends. */
  readonly windowMs: number | undefined;
}

const QUERY = {
  id: option.required(option.NAME),
  userId: option.NAME,
  conversationId: option.NAME,
  tools: option.STRINGS,
} as const satisfies option.Rules<BudgetQuery>;

/** Reads how much of a budget is used. @throws {ConfigError} for an unknown id or option, and for a missing user. */
export async function readBudget(
  budgets: readonly CompiledBudget[],
  store: BudgetStore,
  query: BudgetQuery,
): Promise<BudgetUse[]> {
  const { id, userId, conversationId, tools = [] } = option.checkAll("policy: budgets.read", query, QUERY);
  const ids = budgets.flatMap((budget) => budget.id ?? []);
  const budget = budgets.find((candidate) => candidate.id === id);
  const problem = `policy: budgets.read: no budget has the id ${JSON.stringify(id)}.`;
  if (!budget) throw new ConfigError(problem + didYouMean(id, ids, " Give a budget the id: budget({ id, … })."));
  const { maxCalls, maxCallsPerTool, maxArgumentBytes, maxCost, windowMs, per } = budget.limits;
  if (per !== "all" && userId === undefined) {
    throw new ConfigError(`policy: budgets.read: the budget ${JSON.stringify(id)} counts each user. Pass userId.`);
  }
  const subject = { principal: userId ?? "", conversationId };
  const use = async (unit: BudgetUse["unit"], limit: number | undefined, what: readonly string[], tool?: string) => {
    if (limit === undefined) return [];
    const used = await usedOf(store, { key: keyOf(budget, subject, what), windowMs });
    return [{ unit, tool, limit, used, left: Math.max(0, limit - used), windowMs }];
  };
  const uses = await Promise.all([
    use("calls", maxCalls, COUNTED.calls),
    ...tools.map((tool) => use("calls of a tool", maxCallsPerTool, COUNTED.ofTool(tool), tool)),
    use("bytes", maxArgumentBytes, COUNTED.bytes),
    use("cost", maxCost, COUNTED.cost),
  ]);
  return uses.flat();
}

const ODD_AMOUNT = "policy: the store of budgets returned something other than an amount.";

export async function usedOf(store: BudgetStore, counted: Pick<Charge, "key" | "windowMs">): Promise<number> {
  const used = await store.read(counted);
  if (!(Number.isSafeInteger(used) && used >= 0)) throw new TypeError(ODD_AMOUNT);
  return used;
}
