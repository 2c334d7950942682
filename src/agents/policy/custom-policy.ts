import type { Execution } from "../agent-tool.js";
import type { Decision } from "../decision.js";
import type { ApprovalBudget } from "../pending-approval.js";

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
