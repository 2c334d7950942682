import { field } from "../../shared/json.js";
import { untilAborted } from "../../shared/timers.js";
import type { Execution } from "../agent-tool.js";
import { wouldSend } from "../call/dry-run.js";
import { checkedRecord } from "../call/execution-record.js";
import type { Denial, Ending } from "../call-result.js";
import type { AskDecision, Decision } from "../decision.js";
import type { AgentEvent } from "../events.js";
import { askedLimitId } from "../execution-ids.js";
import type { CallFiles } from "../files.js";
import { exceededIn } from "../pending-approval.js";
import { isPreview, type RunOptions } from "../run-options.js";
import { askApproval, type Question, withAccount } from "./ask-approval.js";
import type { BudgetPeek, BudgetSubject } from "./custom-policy.js";
import { checkedDecision, reasonOf, reportDecision } from "./decision-checks.js";
import { wasCounted } from "./parked-calls.js";
import { type CountDecision, type PolicyContext, subjectOf } from "./policy-context.js";

/** The decisions of the rules on a call that may run, perhaps after an approval. */
interface Ruled {
  readonly decision: Decision;
  readonly innerDecisions: readonly Decision[];
  /** The labels that they compared; `null` if unknown. */
  readonly labels: readonly string[] | null;
}

/**
 * Lets a call run that the rules allow or ask about: asks for its approval, if a rule or the limit of a budget needs
 * one, and counts it.
 *
 * @returns The call if it may run, or how it ends. A decision is that of a budget which keeps it from running.
 */
export async function permitCall(
  context: PolicyContext,
  execution: Execution,
  ruled: Ruled,
  files: CallFiles | undefined,
  options: RunOptions,
): Promise<Decision | Denial | Ending | Execution> {
  const { accounts, counter } = context;
  const { signal, dryRun } = options;
  const calls = [execution, ...execution.inner];
  const asking = counter.asking(calls);
  const isCounted = await wasCounted(context, execution, signal);
  const counting = { subject: subjectOf(context), isCounted, signal };
  // Most calls can't be asked about at a limit.
  const limits = asking.length > 0 ? new AskedLimits(context, execution, signal) : undefined;
  let passed = limits ? await limits.asked(asking) : [];
  // Each further round asks for one more budget whose limit the call exceeds.
  for (;;) {
    const mayAsk = ruled.decision.outcome === "ask" || passed.length > 0 || (dryRun && asking.length > 0);
    const { decision: room, budgets } = mayAsk ? await peekedBudgets(context, calls, passed, counting) : UNREAD;
    const exceeded = mayAsk ? exceededIn(budgets) : [];
    if (room.outcome !== "allow" && !(room.outcome === "ask" && exceeded.length > 0)) {
      return toldDenial(context, execution, { ...ruled, room, budgets }, files, options);
    }
    const decision = mayAsk ? askingOf(ruled.decision, room) : undefined;
    if (room.outcome === "ask") reportDecision(context, execution, room, options);
    if (room.outcome === "ask" && !isPreview(options)) await limits?.record(exceeded);
    const { innerDecisions, labels } = ruled;
    const approved = decision
      ? await askApproval(execution, { decision, innerDecisions, labels, budgets }, files, context, options)
      : execution;
    if (!("inner" in approved)) return approved;
    if (dryRun) return wouldSend(approved, context);
    const lacksAccount =
      (accounts || isCounted) && approved.tool.toolkit !== undefined && approved.accountId === undefined;
    // A call that waits for an account uses up no budget.
    const ready = lacksAccount && counter.counts(calls) ? await withAccount(approved, context, options) : approved;
    if (!("inner" in ready)) return ready;
    const counted = await countCalls(context, [ready, ...execution.inner], exceeded, counting);
    if (counted.outcome === "allow") return ready;
    if (counted.outcome === "deny" || counted.exceeded === undefined) return counted;
    passed = [...exceeded, counted.exceeded];
  }
}

/** How a call is counted. */
interface Counting {
  readonly subject: BudgetSubject;
  /** Whether the budgets that never reset have counted it. */
  readonly isCounted: boolean;
  readonly signal: AbortSignal | undefined;
}

const UNREAD: BudgetPeek = { decision: { outcome: "allow" }, budgets: [] };

/** Why a person is asked; `undefined` if no one is. */
function askingOf(ruled: Decision, room: Decision): AskDecision | undefined {
  const asking = [ruled, room].filter((decision) => decision.outcome === "ask");
  const [first] = asking;
  return first && { ...first, reason: asking.map(({ reason }) => reason).join(" ") };
}

/** The denial of a budget. A person's denial that was passed stays, and is told. No person is asked. */
async function toldDenial(
  context: PolicyContext,
  execution: Execution,
  { decision, room, ...ruled }: Ruled & { readonly room: Decision } & Pick<Question, "budgets">,
  files: CallFiles | undefined,
  options: RunOptions,
): Promise<Decision | Denial | Ending | Execution> {
  const reason = reasonOf(room) ?? "";
  const asked: AskDecision = decision.outcome === "ask" ? decision : { outcome: "ask", reason };
  if (!options.approvals?.length) return room;
  // Its event belongs to the run, whatever options it is asked with.
  const telling = { ...context, emit: (event: AgentEvent) => context.emit(event, options) };
  // Field by field: a library's question is marked, and would open a request.
  const { signal, deadlineMs, timeoutMs, approvals } = options;
  const silent = { signal, deadlineMs, timeoutMs, approvals, dryRun: true };
  const told = await askApproval(execution, { ...ruled, decision: asked }, files, telling, silent);
  return "denial" in told ? told : room;
}

async function peekedBudgets(
  { counter }: PolicyContext,
  calls: readonly Execution[],
  passed: readonly string[],
  { subject, isCounted, signal }: Counting,
): Promise<BudgetPeek> {
  if (!counter.peek) return UNREAD;
  const peeked = await untilAborted(signal, counter.peek(calls, subject, passed, isCounted));
  const isWhole = Array.isArray(field(peeked, "budgets"));
  const decision = checkedDecision(isWhole ? peeked.decision : undefined, ODD_PEEK);
  return { decision, budgets: isWhole ? peeked.budgets : [] };
}

const ODD_PEEK = "peek must return a decision (allow or deny, with a reason) and budgets.";

async function countCalls(
  { counter }: PolicyContext,
  calls: readonly Execution[],
  passed: readonly string[],
  { subject, isCounted, signal }: Counting,
): Promise<CountDecision> {
  if (!counter.count) return { outcome: "allow" };
  const counted = await untilAborted(signal, counter.count(calls, subject, passed, isCounted));
  return checkedDecision(counted, "count must return an outcome (allow or deny), and a reason unless it allows.");
}

/**
 * The limits at which a person was asked about a call, each a record in the store of executions that is started and
 * never ends. Once asked, the call waits for the decision even if the budget has room again: a denial would be lost.
 */
class AskedLimits {
  readonly #context: PolicyContext;
  readonly #callId: string;
  readonly #signal: AbortSignal | undefined;

  constructor(context: PolicyContext, { callId }: Execution, signal: AbortSignal | undefined) {
    this.#context = context;
    this.#callId = callId;
    this.#signal = signal;
  }

  /** Those of these budgets at whose limits a person was asked. */
  async asked(names: readonly string[]): Promise<string[]> {
    const { executions } = this.#context;
    const finding = names.map(async (name) => checkedRecord(await executions.find(this.#idOf(name))));
    const records = await untilAborted(this.#signal, Promise.all(finding));
    return names.filter((_, index) => records[index]);
  }

  async record(names: readonly string[]): Promise<void> {
    const { executions } = this.#context;
    const starting = names.map(async (name) => checkedRecord(await executions.start(this.#idOf(name), "limit")));
    await untilAborted(this.#signal, Promise.all(starting));
  }

  #idOf(name: string): string {
    return askedLimitId(this.#context.scope, this.#callId, name);
  }
}
