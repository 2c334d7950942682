import { untilAborted } from "../../shared/timers.js";
import type { Execution } from "../agent-tool.js";
import { wouldSend } from "../call/dry-run.js";
import type { AskDecision, Decision } from "../decision.js";
import type { AgentEvent } from "../events.js";
import type { CallFiles } from "../files.js";
import type { Permission } from "../guard.js";
import { isPreview, limitsOf, type RunOptions } from "../run-options.js";
import { askApproval } from "./ask-approval.js";
import { askedBefore, type BudgetedCall, type BudgetState, peekBudgets, recordAsked } from "./call-budgets.js";
import { checkedDecision, reasonOf, reportDecision } from "./decision-checks.js";
import { withAccount } from "./newest-account.js";
import type { CountDecision, PolicyContext } from "./policy-context.js";

const ODD_COUNT = "count must return an outcome (allow or deny), and a reason unless it allows.";

/** The decisions of the rules on a call. */
export interface Ruled {
  readonly decision: Decision;
  readonly innerDecisions: readonly Decision[];
  /** The labels that they compared; `null` if unknown. */
  readonly labels: readonly string[] | null;
}

/** The decision of a budget that keeps a call from running. */
interface OverBudget {
  readonly kind: "over_budget";
  readonly decision: Decision;
}

/** How a call ends that doesn't run. */
type Stopped = Exclude<Permission, { kind: "runs" }> | OverBudget;

/** A call about which no one is asked, or which is approved. */
interface UncountedCall {
  readonly kind: "runs";
  readonly execution: Execution;
  /** The budgets whose limits it may pass. */
  readonly passed: readonly string[];
}

/** A call that the rules allow or ask about, with all that its permission depends on. */
interface RuledCall extends BudgetedCall {
  readonly ruled: Ruled;
  readonly files: CallFiles | undefined;
}

/**
 * Lets a call run that the rules allow or ask about: asks for its approval, if a rule or the limit of a budget needs
 * one, and counts it.
 */
export async function permitCall(
  context: PolicyContext,
  execution: Execution,
  ruled: Ruled,
  files: CallFiles | undefined,
  options: RunOptions,
): Promise<Permission | OverBudget> {
  const { counter, counted, scope } = context;
  const calls = [execution, ...execution.inner];
  const asking = counter.asking(calls);
  const isCounted = await untilAborted(options.signal, counter.isParked(scope, execution, counted));
  const call = { context, execution, calls, asking, isCounted, ruled, files, options };
  let passed = asking.length > 0 ? await askedBefore(call) : [];
  // Each further round asks for one more budget whose limit the call exceeds.
  for (;;) {
    // If no one is asked, the count alone decides.
    const mayBeAsked = ruled.decision.outcome === "ask" || passed.length > 0 || (options.dryRun && asking.length > 0);
    const asked = mayBeAsked ? await ask(call, passed) : ({ kind: "runs", execution, passed } as const);
    if (asked.kind !== "runs") return asked;
    if (options.dryRun) return { kind: "ends", ending: wouldSend(asked.execution, context) };
    const ready = await chooseAccount(call, asked.execution);
    if (ready.kind !== "runs") return ready;
    const decision = await count(call, ready.execution, asked.passed);
    if (decision.outcome === "allow") return ready;
    const { outcome, exceeded } = decision;
    // Only budgets of rules ask. If a program's own count could, it might ask in each round.
    const mayAsk = outcome !== "deny" && exceeded !== undefined && asking.includes(exceeded);
    if (!mayAsk) return { kind: "over_budget", decision };
    passed = [...asked.passed, exceeded];
  }
}

/**
 * Asks for the approval, if a rule or the limit of a budget needs one.
 *
 * @param passed - The budgets about whose limits a person is or was asked.
 */
async function ask(call: RuledCall, passed: readonly string[]): Promise<Stopped | UncountedCall> {
  const { context, execution, ruled, files, options } = call;
  const state = await peekBudgets(call, passed);
  const { decision: atLimit, budgets, exceeded } = state;
  // A person may let the call pass limits.
  const mayRun = atLimit.outcome === "allow" || (atLimit.outcome === "ask" && exceeded.length > 0);
  if (!mayRun) return refuse(call, state);
  if (atLimit.outcome === "ask") {
    reportDecision(context, execution, { ...atLimit, by: "budgets" }, options);
    if (!isPreview(options)) await recordAsked(call, exceeded);
  }
  const decision = askingOf(ruled.decision, atLimit);
  if (!decision) return { kind: "runs", execution, passed: exceeded };
  const asked = await askApproval(execution, { ...ruled, decision, budgets }, files, context, options);
  return asked.kind === "runs" ? { ...asked, passed: exceeded } : asked;
}

/** Ends the call because of a budget, and asks no one. If a token of the run denies the call, that denial is told. */
async function refuse(
  { context, execution, ruled, files, options }: RuledCall,
  { decision: refusal, budgets }: BudgetState,
): Promise<Stopped> {
  const overBudget = { kind: "over_budget", decision: refusal } as const;
  const { approvals } = options;
  if (!approvals?.length) return overBudget;
  const reason = reasonOf(refusal) ?? "";
  const decision: AskDecision = ruled.decision.outcome === "ask" ? ruled.decision : { outcome: "ask", reason };
  // Its event belongs to the run, whatever options it is asked with.
  const telling = { ...context, emit: (event: AgentEvent) => context.emit(event, options) };
  // Without the mark of a library's question, which would open a request.
  const silent = { ...limitsOf(options), approvals, dryRun: true };
  const permission = await askApproval(execution, { ...ruled, decision, budgets }, files, telling, silent);
  return permission.kind === "denied" ? permission : overBudget;
}

/** Why a person is asked; `undefined` if no one is. */
function askingOf(ofRules: Decision, atLimit: Decision): AskDecision | undefined {
  const asking = [ofRules, atLimit].filter((decision) => decision.outcome === "ask");
  const [first] = asking;
  return first && { ...first, reason: asking.map(({ reason }) => reason).join(" ") };
}

/** Finds the account before the call is counted: a call that waits for an account uses up no budget. */
async function chooseAccount(call: RuledCall, execution: Execution): Promise<Permission> {
  const { context, calls, isCounted, options } = call;
  const { tool, accountId } = execution;
  const lacksAccount = tool.toolkit !== undefined && accountId === undefined;
  // Otherwise the service chooses, unless it had no account in an earlier run.
  const mayWait = context.accounts !== undefined || isCounted;
  if (!lacksAccount || !mayWait || !context.counter.counts(calls)) return { kind: "runs", execution };
  return withAccount(execution, context, options);
}

/** @param ready - The call, with its account. */
async function count(
  { context, isCounted, options }: RuledCall,
  ready: Execution,
  passed: readonly string[],
): Promise<CountDecision> {
  const { counter, counted } = context;
  if (!counter.count) return { outcome: "allow" };
  const counting = counter.count([ready, ...ready.inner], counted, { passed, isCounted });
  return checkedDecision(await untilAborted(options.signal, counting), ODD_COUNT);
}
