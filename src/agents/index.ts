export type { ApprovalRequest, Approvals, Judgement, PendingApproval } from "./approvals/types.js";
export { type AuthRequired, AuthRequiredError, type LinkOptions } from "./auth-required.js";
export type { CallResult, CallStatus, ResultFile } from "./call-result.js";
export type { AgentEvent, DecidedEvent, FinishedEvent, RecordFailedEvent, StartedEvent } from "./events.js";
export {
  type ExecutionRecord,
  type ExecutionStore,
  type MemoryExecutionsOptions,
  memoryExecutions,
} from "./executions.js";
export type { FileContent, FileRequest } from "./file-arguments.js";
export { toolset } from "./make-toolset.js";
export { type OutputOf, type OwnTool, type StandardJsonSchema, type TypedTool, tool } from "./own-tool.js";
export type { CountedFor, Policy } from "./policy/types.js";
export type { ResultFiles } from "./result-files.js";
export { compileSchema } from "./schema/compile.js";
export { compileTools } from "./schema/compile-tools.js";
export type {
  CompiledSchema,
  CompiledTool,
  CompileOptions,
  Note,
  NoteKind,
  Target,
  ToolToCompile,
} from "./schema/types.js";
export type { ToolClient, ToolRecord, ToolSelection, ToolSession } from "./sources.js";
export type { AcceptingSchema } from "./standard-schema.js";
export type { StreamOptions } from "./stream.js";
export type { StrictOption } from "./strict.js";
export type {
  AgentTool,
  AllowDecision,
  AskDecision,
  Decision,
  DenyDecision,
  Execution,
  Outcome,
  RunOptions,
  ToolCall,
  ToolContext,
} from "./tool.js";
export { type CompiledToolset, type ToolReport, Toolset } from "./toolset.js";
export type {
  ClientToolsetOptions,
  SessionToolsetOptions,
  ToolsetOptions,
  ToolsetSnapshot,
} from "./toolset-options.js";
