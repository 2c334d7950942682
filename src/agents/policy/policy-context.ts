import type { ReadBudget } from "../events.js";
import type { ApprovalBudget } from "../pending-approval.js";
import type { Decision, Execution } from "../tool.js";
import type { GuardContext } from "../toolset-options.js";
import type { FindTools } from "./inner-calls.js";
import type { ConversationLabels } from "./labels.js";

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
export interface PolicyContext extends GuardContext {
  readonly policy: CustomPolicy;
  readonly counter: CallCounter;
  readonly findTools: FindTools;
  /** `undefined` if the policy has none. */
  readonly labels: ConversationLabels | undefined;
}

/** A decision of budgets. */
export type CountDecision = Decision & {
  /** The budget whose limit an approval would let the calls pass. */
  readonly exceeded?: string | undefined;
};

/**
 * Counts calls. `passed` are the budgets whose limits a person has let these calls pass. With `isCounted`, the budgets
 * that never reset have counted them.
 */
export interface CallCounter {
  /** Names of the budgets that count these calls, and ask at their limits. */
  asking(calls: readonly Execution[]): readonly string[];
  /** Whether a budget counts these calls. */
  counts(calls: readonly Execution[]): boolean;
  /** The amounts of these calls in the budgets that never reset. */
  lasting(calls: readonly Execution[], subject: BudgetSubject): readonly (readonly [key: string, amount: number])[];
  /** Records that the budgets that never reset have counted a call which didn't run, and needn't count it again. */
  park(id: string): Promise<void>;
  isParked(id: string): Promise<boolean>;
  count?(
    calls: readonly Execution[],
    subject: BudgetSubject,
    passed: readonly string[],
    isCounted: boolean,
  ): Promise<CountDecision>;
  peek?(
    calls: readonly Execution[],
    subject: BudgetSubject,
    passed: readonly string[],
    isCounted: boolean,
  ): Promise<BudgetPeek>;
  /** Reads the budgets that count calls. */
  read?(calls: readonly Execution[], subject: BudgetSubject): Promise<readonly ReadBudget[]>;
}

/** For whom a toolset's calls are counted. */
export const subjectOf = ({
  userId,
  sessionId,
  conversationId,
}: Pick<PolicyContext, "userId" | "sessionId" | "conversationId">): BudgetSubject => ({
  principal: userId ?? sessionId ?? "",
  conversationId,
});
