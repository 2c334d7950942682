import { field } from "../../shared/json.js";
import { untilAborted } from "../../shared/timers.js";
import type { Execution } from "../agent-tool.js";
import { checkedRecord } from "../call/execution-record.js";
import { askedLimitId } from "../execution-ids.js";
import { exceededIn } from "../pending-approval.js";
import type { BudgetPeek } from "./custom-policy.js";
import { checkedDecision } from "./decision-checks.js";
import { budgetSubject, type CountDecision, type PolicyContext } from "./policy-context.js";

/** The state of the budgets that count a call, before they count it. */
export interface BudgetState extends BudgetPeek {
  /** Names of the budgets whose limits the call exceeds, and an approval lets it pass. */
  readonly exceeded: readonly string[];
}

export const UNREAD: BudgetState = { decision: { outcome: "allow" }, budgets: [], exceeded: [] };

const ODD_PEEK = "peek must return a decision (allow or deny, with a reason) and budgets.";
const ODD_COUNT = "count must return an outcome (allow or deny), and a reason unless it allows.";

/** The budgets of one call: their state, the limits at which a person was asked, and the count. */
export class CallBudgets {
  /** Names of the budgets that ask a person at their limits. Most calls have none. */
  readonly asking: readonly string[];
  /** Whether the budgets that never reset have counted the call in an earlier run. */
  readonly isCounted: boolean;
  readonly #context: PolicyContext;
  readonly #callId: string;
  readonly #calls: readonly Execution[];
  readonly #signal: AbortSignal | undefined;

  constructor(context: PolicyContext, execution: Execution, isCounted: boolean, signal: AbortSignal | undefined) {
    this.isCounted = isCounted;
    this.#context = context;
    this.#callId = execution.callId;
    this.#calls = [execution, ...execution.inner];
    this.#signal = signal;
    this.asking = context.counter.asking(this.#calls);
  }

  /** Whether a budget counts the call. */
  get areCounting(): boolean {
    return this.#context.counter.counts(this.#calls);
  }

  /** Reads the state. Counts nothing. */
  async peek(passed: readonly string[]): Promise<BudgetState> {
    const { counter } = this.#context;
    if (!counter.peek) return UNREAD;
    const { isCounted } = this;
    const peeking = counter.peek(this.#calls, budgetSubject(this.#context), { passed, isCounted });
    const peeked = await untilAborted(this.#signal, peeking);
    const isWhole = Array.isArray(field(peeked, "budgets"));
    const decision = checkedDecision(isWhole ? peeked.decision : undefined, ODD_PEEK);
    const budgets = isWhole ? peeked.budgets : [];
    return { decision, budgets, exceeded: exceededIn(budgets) };
  }

  /** @param ready - The call, with its account. */
  async count(ready: Execution, passed: readonly string[]): Promise<CountDecision> {
    const { counter } = this.#context;
    if (!counter.count) return { outcome: "allow" };
    const { isCounted } = this;
    const counting = counter.count([ready, ...ready.inner], budgetSubject(this.#context), { passed, isCounted });
    return checkedDecision(await untilAborted(this.#signal, counting), ODD_COUNT);
  }

  /**
   * The budgets at whose limits a person was asked about the call. Once asked, the call waits for the decision even if
   * the budget has room again: a denial would be lost.
   */
  async askedBefore(): Promise<readonly string[]> {
    if (this.asking.length === 0) return [];
    const { executions } = this.#context;
    const finding = this.asking.map(async (name) => checkedRecord(await executions.find(this.#limitId(name))));
    const records = await untilAborted(this.#signal, Promise.all(finding));
    return this.asking.filter((_, index) => records[index]);
  }

  /** Records that a person is asked at limits. */
  async recordAsked(names: readonly string[]): Promise<void> {
    // The budgets of a program's own policy don't ask.
    if (this.asking.length === 0) return;
    const { executions } = this.#context;
    const start = async (name: string) => checkedRecord(await executions.start(this.#limitId(name), "limit"));
    await untilAborted(this.#signal, Promise.all(names.map(start)));
  }

  /** Id of a record that is started and never ends. */
  #limitId(name: string): string {
    return askedLimitId(this.#context.scope, this.#callId, name);
  }
}
