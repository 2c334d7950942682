export type { Policy } from "../guard.js";
export {
  type BudgetStore,
  type Charge,
  type MemoryBudgetsOptions,
  memoryBudgets,
} from "./budget-store.js";
export type { RuleTrace } from "./compile-rule.js";
export { customPolicy } from "./custom-policy.js";
export type { SessionLimits, SessionLimitsOptions, SessionTool } from "./for-session.js";
export { type Explanation, type PolicyOptions, policy, policyFromJson, type RulePolicy } from "./policy.js";
export {
  allow,
  ask,
  type Budget,
  budget,
  type Condition,
  type Conditions,
  deny,
  dryRun,
  type JudgedCall,
  type Predicate,
  type Rule,
  type RuleMatch,
  type ToolMatch,
} from "./rules.js";
export type { CountedFor, CustomPolicy } from "./types.js";
