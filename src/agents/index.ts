export type { GivenAccounts } from "./accounts.js";
export type { StrictOption } from "./adapters/adapter-options.js";
export type { StreamOptions } from "./adapters/calls.js";
export type { PassthroughSchema } from "./adapters/standard-schema.js";
export type { PartOf, Resumed, ResumeOptions, TicketAccount, TicketCall, TurnTicket } from "./adapters/ticket.js";
export type { TurnFacts } from "./adapters/turn.js";
export type { AgentTool, Execution, ToolCall, ToolContext, ToolForm } from "./agent-tool.js";
export type { BoundArguments, BoundCall } from "./bound-arguments.js";
export { AuthRequiredError } from "./call/auth-required.js";
export type {
  AccountChoice,
  AuthRequired,
  CallResult,
  CallStatus,
  Ending,
  LinkOptions,
  ResultFile,
  RunCalls,
} from "./call-result.js";
export type { AllowDecision, AskDecision, Decision, DecisionOutcome, DenyDecision } from "./decision.js";
export type {
  AgentEvent,
  ApprovalEvent,
  DecidedEvent,
  DecisionSource,
  FinishedEvent,
  OmittedEvent,
  RecordFailedEvent,
  StartedEvent,
} from "./events.js";
export type { ExecutionRecord, ExecutionStore } from "./execution-store.js";
export type { FileContent, FileRequest, ResultFiles } from "./files.js";
export { type MemoryExecutionsOptions, memoryExecutions } from "./memory-executions.js";
export type {
  ApprovalBudget,
  ApprovalFile,
  ApprovalRequest,
  ApprovalResult,
  Approvals,
  PendingApproval,
} from "./pending-approval.js";
export type { Policy } from "./policy-base.js";
export { type PreparedToolset, prepareToolset, type ToolsetUser } from "./prepare-toolset.js";
export type { CallLimits, RunOptions } from "./run-options.js";
export { TicketRejectedError, type TicketRejectionReason } from "./ticket-rejected.js";
export type { MiddlewareCall, ToolMiddleware } from "./tool-middleware.js";
export type { CompiledForm, Note, NoteKind, SerializedForm, SerializedForms, Target } from "./tools/compiled-forms.js";
export {
  type LocalTool,
  type ObjectSchema,
  type OutputOf,
  type StandardJsonSchema,
  type TypedTool,
  tool,
} from "./tools/local-tool.js";
export type { ToolClient, ToolRecord, ToolSelection, ToolSession } from "./tools/read-tools.js";
export type { SerializedToolset } from "./tools/tool-service.js";
export { Toolset, toolset } from "./toolset.js";
export type { ClientToolsetOptions, SessionToolsetOptions, ToolsetOptions } from "./toolset-options.js";
export type { ArgumentOrigin } from "./value-origins.js";
