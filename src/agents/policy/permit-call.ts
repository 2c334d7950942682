import type { Execution } from "../agent-tool.js";
import { wouldSend } from "../call/dry-run.js";
import type { Permission } from "../call-result.js";
import type { AskDecision, Decision } from "../decision.js";
import type { AgentEvent } from "../events.js";
import type { CallFiles } from "../files.js";
import { isPreview, limitsOf, type RunOptions } from "../run-options.js";
import { askApproval } from "./ask-approval.js";
import { type BudgetState, CallBudgets, UNREAD } from "./call-budgets.js";
import { reasonOf, reportDecision } from "./decision-checks.js";
import { withAccount } from "./newest-account.js";
import { wasCounted } from "./parked-calls.js";
import type { PolicyContext } from "./policy-context.js";

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

/** The next round, because a person must be asked about the limits of these budgets. */
interface NextRound {
  readonly kind: "next_round";
  readonly passed: readonly string[];
}

/** A call that the rules allow or ask about, with all that its permission depends on. */
interface RuledCall {
  readonly context: PolicyContext;
  readonly execution: Execution;
  readonly ruled: Ruled;
  readonly files: CallFiles | undefined;
  readonly options: RunOptions;
  readonly budgets: CallBudgets;
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
  const isCounted = await wasCounted(context, execution, options.signal);
  const budgets = new CallBudgets(context, execution, isCounted, options.signal);
  const call = { context, execution, ruled, files, options, budgets };
  let passed = await budgets.askedBefore();
  // Each further round asks for one more budget whose limit the call exceeds.
  for (;;) {
    const ended = await permitRound(call, passed);
    if (ended.kind !== "next_round") return ended;
    passed = ended.passed;
  }
}

/** @param passed - The budgets about whose limits a person is or was asked. */
async function permitRound(call: RuledCall, passed: readonly string[]): Promise<Permission | OverBudget | NextRound> {
  const state = await budgetState(call, passed);
  if (!mayRun(state)) return refuse(call, state);
  const asked = await ask(call, state);
  if (asked.kind !== "runs") return asked;
  if (call.options.dryRun) return { kind: "ends", ending: wouldSend(asked.execution, call.context) };
  const ready = await chooseAccount(call, asked.execution);
  if (ready.kind !== "runs") return ready;
  return count(call, ready.execution, state.exceeded);
}

/** The state of the budgets, for the person who is asked. If no one is asked, the count alone decides. */
async function budgetState({ ruled, options, budgets }: RuledCall, passed: readonly string[]): Promise<BudgetState> {
  const asksAtLimit = passed.length > 0 || (options.dryRun && budgets.asking.length > 0);
  const isRead = ruled.decision.outcome === "ask" || asksAtLimit;
  return isRead ? budgets.peek(passed) : UNREAD;
}

/** Whether budgets let a call run, perhaps past limits that a person is asked about. */
const mayRun = ({ decision, exceeded }: BudgetState): boolean =>
  decision.outcome === "allow" || (decision.outcome === "ask" && exceeded.length > 0);

/** Ends the call because of a budget, and asks no one. If a token of the run denies the call, that denial is told. */
async function refuse(
  { context, execution, ruled, files, options }: RuledCall,
  { decision: refusal, budgets }: BudgetState,
): Promise<Permission | OverBudget> {
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

/** Asks for the approval, if a rule or the limit of a budget needs one. */
async function ask(call: RuledCall, { decision: atLimit, budgets, exceeded }: BudgetState): Promise<Permission> {
  const { context, execution, ruled, files, options } = call;
  if (atLimit.outcome === "ask") {
    reportDecision(context, execution, atLimit, options);
    if (!isPreview(options)) await call.budgets.recordAsked(exceeded);
  }
  const decision = askingOf(ruled.decision, atLimit);
  if (!decision) return { kind: "runs", execution };
  return askApproval(execution, { ...ruled, decision, budgets }, files, context, options);
}

/** Why a person is asked; `undefined` if no one is. */
function askingOf(ofRules: Decision, atLimit: Decision): AskDecision | undefined {
  const asking = [ofRules, atLimit].filter((decision) => decision.outcome === "ask");
  const [first] = asking;
  return first && { ...first, reason: asking.map(({ reason }) => reason).join(" ") };
}

/** Finds the account before the call is counted: a call that waits for an account uses up no budget. */
async function chooseAccount({ context, options, budgets }: RuledCall, execution: Execution): Promise<Permission> {
  const { tool, accountId } = execution;
  const lacksAccount = tool.toolkit !== undefined && accountId === undefined;
  // Otherwise the service chooses, unless it had no account in an earlier run.
  const mayWait = context.accounts !== undefined || budgets.isCounted;
  if (!lacksAccount || !mayWait || !budgets.areCounting) return { kind: "runs", execution };
  return withAccount(execution, context, options);
}

/** Counts the call. If it exceeds a limit that asks, the next round asks. */
async function count(
  { budgets }: RuledCall,
  execution: Execution,
  passed: readonly string[],
): Promise<Permission | OverBudget | NextRound> {
  const decision = await budgets.count(execution, passed);
  if (decision.outcome === "allow") return { kind: "runs", execution };
  const { outcome, exceeded } = decision;
  // Only budgets of rules ask. If a program's own count could, it might ask in each round.
  const mayAsk = outcome !== "deny" && exceeded !== undefined && budgets.asking.includes(exceeded);
  if (!mayAsk) return { kind: "over_budget", decision };
  return { kind: "next_round", passed: [...passed, exceeded] };
}
