import { field } from "../../shared/json.js";
import { untilAborted } from "../../shared/timers.js";
import type { Execution } from "../agent-tool.js";
import { checkedRecord } from "../call/execution-record.js";
import { askedLimitId } from "../execution-ids.js";
import { exceededIn } from "../pending-approval.js";
import type { RunOptions } from "../run-options.js";
import type { BudgetPeek } from "./custom-policy.js";
import { checkedDecision } from "./decision-checks.js";
import type { PolicyContext } from "./policy-context.js";

/** A call, with the facts that its budgets depend on. */
export interface BudgetedCall {
  readonly context: PolicyContext;
  readonly execution: Execution;
  /** The call and the calls that it makes. */
  readonly calls: readonly Execution[];
  /** Names of the budgets that ask a person at their limits. Most calls have none. */
  readonly asking: readonly string[];
  /** Whether the budgets that never reset have counted the call in an earlier run. */
  readonly isCounted: boolean;
  readonly options: RunOptions;
}

/** The state of the budgets that count a call, before they count it. */
export interface BudgetState extends BudgetPeek {
  /** Names of the budgets whose limits the call exceeds, and an approval lets it pass. */
  readonly exceeded: readonly string[];
}

const UNREAD: BudgetState = { decision: { outcome: "allow" }, budgets: [], exceeded: [] };

const ODD_PEEK = "peek must return a decision (allow or deny, with a reason) and budgets.";

/**
 * Reads the state. Counts nothing.
 *
 * @param passed - The budgets about whose limits a person is or was asked.
 */
export async function peekBudgets(call: BudgetedCall, passed: readonly string[]): Promise<BudgetState> {
  const { context, calls, isCounted, options } = call;
  const { counter, counted } = context;
  if (!counter.peek) return UNREAD;
  const peeked = await untilAborted(options.signal, counter.peek(calls, counted, { passed, isCounted }));
  const isWhole = Array.isArray(field(peeked, "budgets"));
  const decision = checkedDecision(isWhole ? peeked.decision : undefined, ODD_PEEK);
  const budgets = isWhole ? peeked.budgets : [];
  return { decision, budgets, exceeded: exceededIn(budgets) };
}

/**
 * The budgets at whose limits a person was asked about the call. Once asked, the call waits for the decision even if
 * the budget has room again: a denial would be lost.
 */
export async function askedBefore(call: BudgetedCall): Promise<readonly string[]> {
  const { asking, context, options } = call;
  const finding = asking.map(async (name) => checkedRecord(await context.executions.find(limitIdOf(call, name))));
  const records = await untilAborted(options.signal, Promise.all(finding));
  return asking.filter((_, index) => records[index]);
}

/** Records that a person is asked at limits. */
export async function recordAsked(call: BudgetedCall, names: readonly string[]): Promise<void> {
  // The budgets of a program's own policy don't ask.
  if (call.asking.length === 0) return;
  const { executions } = call.context;
  const start = async (name: string) => checkedRecord(await executions.start(limitIdOf(call, name), "limit"));
  await untilAborted(call.options.signal, Promise.all(names.map(start)));
}

/** Id of a record that is started and never ends. */
function limitIdOf({ context, execution }: BudgetedCall, name: string): string {
  return askedLimitId(context.scope, execution.callId, name);
}
