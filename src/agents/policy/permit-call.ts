import type { Execution } from "../agent-tool.js";
import { wouldSend } from "../call/dry-run.js";
import type { Permission } from "../call-result.js";
import type { AskDecision, Decision } from "../decision.js";
import type { AgentEvent } from "../events.js";
import type { CallFiles } from "../files.js";
import { isPreview, limitsOf, type RunOptions } from "../run-options.js";
import { askApproval } from "./ask-approval.js";
import { CallBudgets, type Room, UNREAD } from "./call-budgets.js";
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
  const permit = new CallPermit(context, execution, ruled, files, options, budgets);
  let passed = await budgets.askedBefore();
  // Each further round asks for one more budget whose limit the call exceeds.
  for (;;) {
    const ended = await permit.round(passed);
    if (ended.kind !== "next_round") return ended;
    passed = ended.passed;
  }
}

/** The steps to the permission of one call, in their order. */
class CallPermit {
  readonly #context: PolicyContext;
  readonly #execution: Execution;
  readonly #ruled: Ruled;
  readonly #files: CallFiles | undefined;
  readonly #options: RunOptions;
  readonly #budgets: CallBudgets;

  constructor(
    context: PolicyContext,
    execution: Execution,
    ruled: Ruled,
    files: CallFiles | undefined,
    options: RunOptions,
    budgets: CallBudgets,
  ) {
    this.#context = context;
    this.#execution = execution;
    this.#ruled = ruled;
    this.#files = files;
    this.#options = options;
    this.#budgets = budgets;
  }

  /** @param passed - The budgets about whose limits a person is or was asked. */
  async round(passed: readonly string[]): Promise<Permission | OverBudget | NextRound> {
    const room = await this.#room(passed);
    if (!hasRoom(room)) return this.#refuse(room);
    const asked = await this.#ask(room);
    if (asked.kind !== "runs") return asked;
    if (this.#options.dryRun) return { kind: "ends", ending: wouldSend(asked.execution, this.#context) };
    const ready = await this.#chooseAccount(asked.execution);
    if (ready.kind !== "runs") return ready;
    return this.#count(ready.execution, room.exceeded);
  }

  /** The room in the budgets, for the person who is asked. If no one is asked, the count alone decides. */
  async #room(passed: readonly string[]): Promise<Room> {
    const asksAtLimit = passed.length > 0 || (this.#options.dryRun && this.#budgets.asking.length > 0);
    const isRead = this.#ruled.decision.outcome === "ask" || asksAtLimit;
    return isRead ? this.#budgets.peek(passed) : UNREAD;
  }

  /** Ends the call because of a budget, and asks no one. A person's denial that was passed stays, and is told. */
  async #refuse({ decision: refusal, budgets }: Room): Promise<Permission | OverBudget> {
    const overBudget = { kind: "over_budget", decision: refusal } as const;
    if (!this.#options.approvals?.length) return overBudget;
    const { decision, innerDecisions, labels } = this.#ruled;
    const reason = reasonOf(refusal) ?? "";
    const asking: AskDecision = decision.outcome === "ask" ? decision : { outcome: "ask", reason };
    // Its event belongs to the run, whatever options it is asked with.
    const telling = { ...this.#context, emit: (event: AgentEvent) => this.#context.emit(event, this.#options) };
    // Without the mark of a library's question, which would open a request.
    const { approvals } = this.#options;
    const silent = { ...limitsOf(this.#options), approvals, dryRun: true };
    const question = { decision: asking, innerDecisions, labels, budgets };
    const permission = await askApproval(this.#execution, question, this.#files, telling, silent);
    return permission.kind === "denied" ? permission : overBudget;
  }

  /** Asks for the approval, if a rule or the limit of a budget needs one. */
  async #ask({ decision: room, budgets, exceeded }: Room): Promise<Permission> {
    const execution = this.#execution;
    if (room.outcome === "ask") {
      reportDecision(this.#context, execution, room, this.#options);
      if (!isPreview(this.#options)) await this.#budgets.recordAsked(exceeded);
    }
    const { decision: ofRules, innerDecisions, labels } = this.#ruled;
    const decision = askingOf(ofRules, room);
    if (!decision) return { kind: "runs", execution };
    const question = { decision, innerDecisions, labels, budgets };
    return askApproval(execution, question, this.#files, this.#context, this.#options);
  }

  /** Finds the account before the call is counted: a call that waits for an account uses up no budget. */
  async #chooseAccount(execution: Execution): Promise<Permission> {
    const { tool, accountId } = execution;
    const lacksAccount = tool.toolkit !== undefined && accountId === undefined;
    // Otherwise the service chooses, unless it had no account in an earlier run.
    const mayWait = this.#context.accounts !== undefined || this.#budgets.isCounted;
    if (!lacksAccount || !mayWait || !this.#budgets.areCounting) return { kind: "runs", execution };
    return withAccount(execution, this.#context, this.#options);
  }

  /** Counts the call. If it exceeds a limit that asks, the next round asks. */
  async #count(execution: Execution, passed: readonly string[]): Promise<Permission | OverBudget | NextRound> {
    const counted = await this.#budgets.count(execution, passed);
    if (counted.outcome === "allow") return { kind: "runs", execution };
    const { outcome, exceeded } = counted;
    if (outcome === "deny" || exceeded === undefined) return { kind: "over_budget", decision: counted };
    return { kind: "next_round", passed: [...passed, exceeded] };
  }
}

/** Whether budgets let a call run, perhaps past limits that a person is asked about. */
const hasRoom = ({ decision, exceeded }: Room): boolean =>
  decision.outcome === "allow" || (decision.outcome === "ask" && exceeded.length > 0);

/** Why a person is asked; `undefined` if no one is. */
function askingOf(ofRules: Decision, room: Decision): AskDecision | undefined {
  const asking = [ofRules, room].filter((decision) => decision.outcome === "ask");
  const [first] = asking;
  return first && { ...first, reason: asking.map(({ reason }) => reason).join(" ") };
}
