import { isString } from "../../shared/json.js";
import type { Denial, Ending } from "../call-result.js";
import { wouldSend } from "../dry-run.js";
import type { CallFiles } from "../files.js";
import * as messages from "../messages.js";
import type { ApprovalBudget } from "../pending-approval.js";
import { type Decision, type Execution, MULTI_EXECUTE, type RunOptions } from "../tool.js";
import type { GuardContext } from "../toolset-options.js";
import type { Counter } from "./budget-counter.js";
import { checked, reasonOf, report, strictest } from "./decisions.js";
import { type FindTools, innerCalls } from "./inner-calls.js";
import type { ConversationLabels } from "./labels.js";
import { permit } from "./permit.js";

/** The user and the conversation that calls are counted for. */
export interface BudgetSubject {
  /** The user; for a session that was opened by its id alone, the session's id. */
  readonly principal: string;
  /** The toolset's `conversationId`. */
  readonly conversationId: string | undefined;
}

/** Your own way to decide which calls run, for `customPolicy`. */
export interface CustomPolicy {
  /** Identifies the rules. An approval is valid only under the policy with the same digest. */
  readonly digest: string;
  /**
   * Evaluates one call, right before it would run. If it throws, rejects or returns anything but a decision, the call
   * doesn't run. For a tool that runs other tools, `decide` is called once for the outer call, without tags, and once
   * per inner call, with the inner tool's tags. The strictest outcome applies to all.
   */
  decide(execution: Execution): Decision | Promise<Decision>;
  /**
   * Counts calls against budgets before they run: all calls or no calls, in one step. Counted calls stay counted. If it
   * throws, rejects or returns anything but a decision, nothing runs. Without this function, calls aren't counted.
   *
   * @param executions - One call. If its tool runs other tools, the inner calls follow.
   * @returns `allow` if the calls fit and were counted, otherwise `deny`.
   */
  count?(executions: readonly Execution[], counted: BudgetSubject): Promise<Decision>;
  /**
   * Reads whether `count` would allow calls, before a person is asked to approve them. Doesn't count the calls. Without
   * this function, a person may approve a call that `count` denies afterwards. If it throws or rejects, nothing runs.
   */
  peek?(executions: readonly Execution[], counted: BudgetSubject): Promise<BudgetPeek>;
}

/** Whether budgets have room for calls. */
export interface BudgetPeek {
  /** `allow` if there is room, otherwise `deny` with the reason. */
  readonly decision: Decision;
  /** The budgets that count the calls, for the person who approves. */
  readonly budgets: readonly ApprovalBudget[];
}

/** A toolset and the policy of its calls. */
export interface Deciding extends GuardContext {
  readonly policy: CustomPolicy;
  readonly counter: Counter;
  readonly findTools: FindTools;
  /** `undefined` if the policy has none. */
  readonly labels: ConversationLabels | undefined;
}

/**
 * Evaluates a call: the policy's decision on the call and each inner call, then the approval, then the budgets.
 *
 * @returns The call if it may run, with the account that was approved; otherwise its denial, or how it ends.
 */
export async function decide(
  deciding: Deciding,
  call: Execution,
  files: CallFiles | undefined,
  options: RunOptions,
): Promise<Denial | Ending | Execution> {
  const { policy } = deciding;
  const { name, kind } = call.tool;
  const denied = (decision: Decision) => {
    report(deciding, call, decision);
    return { status: "not_run", text: messages.denied(name, reasonOf(decision)), error: decision.error } as const;
  };
  const inner = kind === "meta" && name === MULTI_EXECUTE ? await innerCalls(call, deciding, options) : [];
  if (isString(inner)) return denied({ outcome: "deny", reason: inner });
  // Frozen, so `decide` can't change the call that runs.
  inner.forEach(Object.freeze);
  const execution = Object.freeze({ ...call, inner });
  // The tags of a tool that runs several others say what it could do. What it does is said by those of its calls.
  const itself = inner.length > 0 ? { ...execution, tool: { ...call.tool, tags: [] } } : execution;

  const all = [itself, ...inner];
  const before = await deciding.labels?.before(all, options.signal);
  const parts = before ? all.map((part) => Object.freeze({ ...part, labels: before.labels })) : all;
  const decisions: Decision[] = [];
  for (const part of parts) {
    const decision = checked(
      await policy.decide(part),
      "decide must return an outcome (allow, ask, dry_run or deny), and a reason unless it allows.",
    );
    report(deciding, part, decision, before?.error);
    decisions.push(decision);
  }
  const decision = strictest(decisions);
  if (decision.outcome === "deny") {
    return { status: "not_run", text: messages.denied(name, decision.reason), error: decision.error };
  }
  if (decision.outcome === "dry_run") return wouldSend(execution, deciding, decision.reason);
  const permitted = await permit(deciding, execution, { decision, innerDecisions: decisions.slice(1) }, files, options);
  return "outcome" in permitted ? denied(permitted) : permitted;
}
