export { type ApprovalsOptions, approvals, type TokenApprovals } from "./approvals.js";
export { type ArgumentChange, approvalChanges, describeApproval } from "./describe.js";
export type {
  ApprovalIssuer,
  ApproveOptions,
  DecidedRequest,
  DenyOptions,
  RequestedApproval,
  Verdict,
} from "./issue.js";
export type { ApprovalKey } from "./keys.js";
export type { ApprovalFile, PendingApproval } from "./pending.js";
export { ApprovalRejectedError, type ApprovalRejectionReason } from "./rejection.js";
export type { ApprovalRequest, Approvals, Judgement } from "./types.js";
