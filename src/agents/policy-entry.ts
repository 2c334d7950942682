export type {
  ApprovalDecision,
  ApprovalIssuer,
  ApprovalPrompt,
  ApprovalResponse,
  ApproveOptions,
  DenyOptions,
  OpenApprovalRequest,
  PromptDecision,
} from "./approvals/approval-issuer.js";
export {
  type ApprovalListQuery,
  type ApprovalStore,
  type ListedApproval,
  type MemoryApprovalsOptions,
  memoryApprovals,
  type StoredApproval,
} from "./approvals/approval-store.js";
export { type ApprovalsOptions, approvals, type TokenApprovals } from "./approvals/approvals.js";
export { type AskInspectorOptions, askInspector } from "./approvals/ask-inspector.js";
export { type ArgumentChange, approvalChanges, describeApproval } from "./approvals/describe-approval.js";
export type { ListedRequest, RequestQuery, RequestState } from "./approvals/listed-request.js";
export type {
  StandingApproval,
  StandingApprovals,
  StandingOptions,
  StandingQuery,
} from "./approvals/standing-approval.js";
export { ApprovalRejectedError, type ApprovalRejectionReason } from "./approvals/token.js";
export { type AuditOptions, audit } from "./audit/audit.js";
export type { AuditEntry, AuditedDecision, AuditLine } from "./audit/audit-line.js";
export {
  type AuditHead,
  type AuditProblem,
  type AuditVerification,
  type VerifyAuditOptions,
  verifyAudit,
} from "./audit/verify-audit.js";
export type { Audit, AuditSink } from "./audit-trail.js";
export type { HmacKey } from "./hmac-key.js";
export type {
  ApprovalBudget,
  ApprovalFile,
  ApprovalRequest,
  ApprovalResult,
  Approvals,
  InnerApproval,
  PendingApproval,
} from "./pending-approval.js";
export {
  type BudgetStore,
  type Charge,
  type MemoryBudgetsOptions,
  memoryBudgets,
} from "./policy/budget-store.js";
export type { BudgetQuery, BudgetUse } from "./policy/budgets.js";
export type { RuleTrace } from "./policy/compile-rule.js";
export type { BudgetPeek, BudgetSubject, CustomPolicy } from "./policy/custom-policy.js";
export { customPolicy } from "./policy/enforced-policy.js";
export { type Explanation, type PolicyOptions, policy, policyFromJson, type RulePolicy } from "./policy/policy.js";
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
} from "./policy/rules.js";
export type { SessionLimits, SessionLimitsOptions, SessionTool } from "./policy/session-limits.js";
export type { Policy } from "./policy-base.js";
