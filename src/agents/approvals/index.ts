export type { ApprovalFile, ApprovalRequest, ApprovalResult, Approvals, PendingApproval } from "../pending-approval.js";
export { type ApprovalsOptions, approvals, type TokenApprovals } from "./approvals.js";
export { type ArgumentChange, approvalChanges, describeApproval } from "./describe.js";
export { type AskInspectorOptions, askInspector } from "./inspector.js";
export type {
  ApprovalDecision,
  ApprovalIssuer,
  ApprovalPrompt,
  ApprovalResponse,
  ApproveOptions,
  DenyOptions,
  OpenQuestion,
  RequestDecision,
} from "./issue.js";
export type { ApprovalKey } from "./token.js";
export { ApprovalRejectedError, type ApprovalRejectionReason } from "./token.js";
