export type { Policy } from "../toolset-options.js";
export {
  type BudgetStore,
  type Charge,
  type MemoryBudgetsOptions,
  memoryBudgets,
} from "./budget-store.js";
export type { BudgetQuery, BudgetUse } from "./budgets.js";
export type { RuleTrace } from "./compile-rule.js";
export type { BudgetSubject, CustomPolicy } from "./decide.js";
export { customPolicy } from "./enforced-policy.js";
export type { SessionLimits, SessionLimitsOptions, SessionTool } from "./for-session.js";
export { type Explanation, type PolicyOptions, policy, policyFromJson, type RulePolicy } from "./policy.js";
export {
  type ArgumentCondition,
  allow,
  ask,
  type Budget,
  budget,
  type Conditions,
  deny,
  dryRun,
  label,
  type PolicyCall,
  type Predicate,
  type ResultLabel,
  type Rule,
  type RuleMatch,
  type ToolMatch,
} from "./rules.js";
