import { ConfigError } from "../../errors/local.js";
import * as option from "../../errors/option-rules.js";
import { isString } from "../../shared/json.js";
import { didYouMean } from "../../shared/nearest-name.js";
import type { Decision, Execution } from "../tool.js";
import type { BudgetStore, Charge } from "./budget-store.js";
import type { CheckedBudget } from "./check-rules.js";
import { matcher } from "./compile-rule.js";
import { glob } from "./conditions.js";
import type { BudgetPeek, BudgetSubject } from "./decide.js";
import { USED_UP } from "./reasons.js";
import type { PolicyCall } from "./rules.js";

/** A call, or a tool of which nothing but its facts is known. */
type CountedCall = PolicyCall & Partial<Pick<Execution, "inner">>;

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
    return fitting.sort((one, other) => other - one)[0];
  };
  return { rule, id: ownId, identity, limits, counts, costOf };
}

/** For whom a budget counts, in its keys. */
const sharersOf = ({ limits }: CompiledBudget, { principal, conversationId }: BudgetSubject): string[] =>
  ({ all: [], user: [principal], conversation: [principal, conversationId ?? ""] })[limits.per];

/** The key under which a store counts. The limit isn't part of it, so that another one goes on with the count. */
function keyOf(budget: CompiledBudget, subject: BudgetSubject, unit: readonly string[]): string {
  const { identity, limits } = budget;
  return JSON.stringify([identity, limits.windowMs ?? null, limits.per, ...unit, ...sharersOf(budget, subject)]);
}

/** Everything that calls use of budgets, each key once. */
function chargesOf(
  budgets: readonly CompiledBudget[],
  executions: readonly Execution[],
  subject: BudgetSubject,
): BudgetCharge[] {
  const charges: BudgetCharge[] = [];
  for (const budget of budgets) {
    const counted = executions.filter(budget.counts);
    if (counted.length === 0) continue;
    const { maxCalls, maxCallsPerTool, maxArgumentBytes, maxCost, windowMs } = budget.limits;
    const charge = (amount: number, limit: number, unit: string, ...what: string[]) => {
      charges.push({ budget, key: keyOf(budget, subject, what), amount, limit, windowMs, unit });
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
    if (maxCost !== undefined) {
      const cost = counted.reduce((sum, { tool }) => sum + (budget.costOf(tool.name) ?? 0), 0);
      charge(cost, maxCost, "cost", "cost");
    }
  }
  return charges;
}

function bytesOf(executions: readonly Execution[]): number {
  const encoder = new TextEncoder();
  return executions.reduce((sum, call) => sum + encoder.encode(JSON.stringify(call.arguments)).length, 0);
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
  tools: option.fitting("a list of names of tools", (value) => Array.isArray(value) && value.every(isString)),
} as const satisfies option.Rules<BudgetQuery>;

/** Reads how much of a budget is used. @throws {ConfigError} for an unknown id or option, and for a missing user. */
export async function readBudget(
  budgets: readonly CompiledBudget[],
  store: BudgetStore,
  query: BudgetQuery,
): Promise<BudgetUse[]> {
  const { id, userId, conversationId, tools = [] } = option.checkAll("policy: budgets.read", query, QUERY);
  const ids = budgets.flatMap((budget) => budget.id ?? []);
  const budget = budgets.find((one) => one.id === id);
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
    use("calls", maxCalls, ["calls"]),
    ...tools.map((tool) => use("calls of a tool", maxCallsPerTool, ["tool", tool], tool)),
    use("bytes", maxArgumentBytes, ["bytes"]),
    use("cost", maxCost, ["cost"]),
  ]);
  return uses.flat();
}

const ODD_AMOUNT = "policy: the store of budgets returned something other than an amount.";

async function usedOf(store: BudgetStore, counted: Pick<Charge, "key" | "windowMs">): Promise<number> {
  const used = await store.read(counted);
  if (!(Number.isSafeInteger(used) && used >= 0)) throw new TypeError(ODD_AMOUNT);
  return used;
}

function usedUp({ limit, unit, windowMs }: BudgetCharge): string {
  const period = windowMs === undefined ? "" : ` within ${windowMs / 1_000} seconds`;
  return `The budget of ${limit} ${unit}${period} ${USED_UP}`;
}

/** Denies calls whose cost isn't known. */
function withoutCost(budgets: readonly CompiledBudget[], executions: readonly Execution[]): Decision | undefined {
  for (const budget of budgets.filter(({ limits }) => limits.maxCost !== undefined)) {
    const call = executions.find((one) => budget.counts(one) && budget.costOf(one.tool.name) === undefined);
    if (call) return { outcome: "deny", reason: `${call.tool.name} has no cost in a budget.`, rule: budget.rule };
  }
  return undefined;
}

/** Counts calls against all budgets, or against none. */
export async function countCalls(
  budgets: readonly CompiledBudget[],
  store: BudgetStore,
  executions: readonly Execution[],
  subject: BudgetSubject,
): Promise<Decision> {
  const unpriced = withoutCost(budgets, executions);
  if (unpriced) return unpriced;
  const charges = chargesOf(budgets, executions, subject);
  if (charges.length === 0) return { outcome: "allow" };
  const exceeded = await store.consume(
    charges.map(({ key, amount, limit, windowMs }) => ({ key, amount, limit, windowMs })),
  );
  if (exceeded === undefined) return { outcome: "allow" };
  const charge = Number.isInteger(exceeded) ? charges[exceeded] : undefined;
  if (!charge) throw new TypeError("policy: the store of budgets returned something other than an index.");
  return { outcome: "deny", reason: usedUp(charge), rule: charge.budget.rule };
}

/** Reads whether all budgets have room for calls. Counts nothing. */
export async function peekBudgets(
  budgets: readonly CompiledBudget[],
  store: BudgetStore,
  executions: readonly Execution[],
  subject: BudgetSubject,
): Promise<BudgetPeek> {
  const unpriced = withoutCost(budgets, executions);
  if (unpriced) return { decision: unpriced, budgets: [] };
  const charges = chargesOf(budgets, executions, subject);
  const used = await Promise.all(charges.map((charge) => usedOf(store, charge)));
  const full = charges.find(({ amount, limit }, index) => (used[index] ?? 0) + amount > limit);
  return {
    decision: full ? { outcome: "deny", reason: usedUp(full), rule: full.budget.rule } : { outcome: "allow" },
    budgets: charges.map(({ budget, unit, limit, windowMs = null }, index) => {
      const left = Math.max(0, limit - (used[index] ?? 0));
      return { budget: budget.id ?? budget.rule, unit, limit, left, windowMs };
    }),
  };
}
