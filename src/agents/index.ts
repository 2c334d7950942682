export type { AcceptingSchema } from "./adapters/standard-schema.js";
export type { StreamOptions } from "./adapters/stream.js";
export type { StrictOption } from "./adapters/strict.js";
export type { ApprovalFile, PendingApproval } from "./approvals/pending.js";
export type { ApprovalRequest, Approvals, Judgement } from "./approvals/types.js";
export { type AuthRequired, AuthRequiredError, type LinkOptions } from "./auth-required.js";
export type { CallResult, CallStatus, ResultFile } from "./call-result.js";
export type {
  AgentEvent,
  DecidedEvent,
  FinishedEvent,
  JudgedEvent,
  RecordFailedEvent,
  StartedEvent,
} from "./events.js";
export {
  type ExecutionRecord,
  type ExecutionStore,
  type MemoryExecutionsOptions,
  memoryExecutions,
} from "./executions.js";
export type { FileContent, FileRequest } from "./file-arguments.js";
export type { Policy } from "./guard.js";
export { toolset } from "./make-toolset.js";
export { type OutputOf, type OwnTool, type StandardJsonSchema, type TypedTool, tool } from "./own-tool.js";
export type { ResultFiles } from "./result-files.js";
export type { ToolClient, ToolRecord, ToolSelection, ToolSession } from "./sources.js";
export type {
  AgentTool,
  AllowDecision,
  AskDecision,
  CallLimits,
  Decision,
  DenyDecision,
  Execution,
  Outcome,
  RunOptions,
  ToolCall,
  ToolContext,
} from "./tool.js";
export { type OfferedForm, type RunCalls, Toolset } from "./toolset.js";
export type {
  ClientToolsetOptions,
  SessionToolsetOptions,
  ToolsetOptions,
  ToolsetSnapshot,
} from "./toolset-options.js";
