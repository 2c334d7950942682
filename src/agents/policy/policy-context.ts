import type { Execution } from "../agent-tool.js";
import type { Decision } from "../decision.js";
import type { ReadBudget } from "../events.js";
import type { GuardContext } from "../policy-base.js";
import type { ConversationLabels } from "./conversation-labels.js";
import type { BudgetPeek, BudgetSubject, CustomPolicy } from "./custom-policy.js";
import type { FindTools } from "./inner-calls.js";

/** A toolset and the policy of its calls. */
export interface PolicyContext extends GuardContext {
  readonly policy: CustomPolicy;
  readonly counter: CallCounter;
  /** For whom its calls are counted. */
  readonly counted: BudgetSubject;
  readonly findTools: FindTools;
  /** `undefined` if the policy has none. */
  readonly labels: ConversationLabels | undefined;
}

/** A decision of budgets. */
export type CountDecision = Decision & {
  /** The budget whose limit an approval would let the calls pass. */
  readonly exceeded?: string | undefined;
};

/** How calls are counted. */
export interface CountOptions {
  /** Names of the budgets whose limits a person has let these calls pass, or is asked about. */
  readonly passed: readonly string[];
  /** Whether the budgets that never reset have counted these calls in an earlier run. */
  readonly isCounted: boolean;
}

/** Counts calls. */
export interface CallCounter {
  /** Names of the budgets that count these calls, and ask at their limits. */
  asking(calls: readonly Execution[]): readonly string[];
  /** Whether a budget counts these calls. */
  counts(calls: readonly Execution[]): boolean;
  /** Records that the budgets that never reset have counted a call which didn't run, and needn't count it again. */
  park(scope: string, call: Execution, subject: BudgetSubject): Promise<void>;
  isParked(scope: string, call: Execution, subject: BudgetSubject): Promise<boolean>;
  count?(calls: readonly Execution[], subject: BudgetSubject, options: CountOptions): Promise<CountDecision>;
  peek?(calls: readonly Execution[], subject: BudgetSubject, options: CountOptions): Promise<BudgetPeek>;
  /** Reads the budgets that count calls. */
  read?(calls: readonly Execution[], subject: BudgetSubject): Promise<readonly ReadBudget[]>;
}
