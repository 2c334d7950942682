import type { Mismatch } from "../errors/local.js";
import type { Approvals } from "./approvals/types.js";
import type { AuthRequired } from "./auth-required.js";
import type { CallResult } from "./call-result.js";
import type { AgentEvent } from "./events.js";
import type { ExecutionStore } from "./executions.js";
import type { FileContent } from "./file-arguments.js";
import type { FindTools } from "./inner-calls.js";
import type { CountedFor, Policy } from "./policy/types.js";
import type { Download, ResultFiles } from "./result-files.js";
import type { AgentTool, CallLimits, Execution, RunnableTool } from "./tool.js";

/** The settings of the dispatcher, the same for every call of a toolset. */
export interface Dispatching {
  /** Calls of other users or sessions have other ids, even if a model used the same. */
  readonly scope: string;
  readonly userId: string | undefined;
  accountOf(tool: RunnableTool): string | undefined;
  readonly executions: ExecutionStore;
  readonly policy: Policy | undefined;
  readonly approvals: Approvals | undefined;
  /** Tools of the toolset and, with a catalog, of the service: what a meta tool may run. */
  readonly findTools: FindTools;
  /** For whom the policy counts calls. */
  readonly countedFor: CountedFor;
  readonly checkArguments: ((schema: unknown, value: unknown) => readonly Mismatch[]) | undefined;
  /** Id of the agent session. */
  readonly sessionId: string | undefined;
  /** The account that the service would choose for a tool. */
  resolveAccount(tool: AgentTool): Promise<string | undefined>;
  readonly openFile: (execution: Execution, source: string, limits: CallLimits) => Promise<FileContent>;
  readonly upload: (execution: Execution, file: FileContent, limits: CallLimits) => Promise<unknown>;
  readonly download: Download | undefined;
  readonly resultFiles: ResultFiles;
  readonly maxResultBytes: number;
  linkFor(toolkit: string): AuthRequired["link"];
  /** Whether events of decisions contain arguments. */
  readonly eventArguments: boolean;
  emit(event: AgentEvent): void;
}

/** A tool under the name and with the schema that a model got. */
export interface OfferedTool {
  readonly runnable: RunnableTool;
  /** The model's arguments, under the tool's own names and in its own shapes. */
  restore(value: unknown): unknown;
}

/** The result of a call, and the account that the user must connect for it. */
export interface Dispatched {
  readonly result: CallResult;
  readonly required?: AuthRequired | undefined;
}

/** The fields of a result that differ from the default. */
export type Conclusion = Partial<CallResult> & Pick<CallResult, "status" | "text">;

/** Ends a call: reports it, and returns its result. */
export function conclude(
  { emit, userId }: Dispatching,
  runnable: RunnableTool | undefined,
  callId: string,
  conclusion: Conclusion,
  required?: AuthRequired,
): Dispatched {
  const tool = runnable?.tool;
  const usual = {
    callId,
    tool,
    data: undefined,
    files: [],
    error: undefined,
    mismatches: [],
    isReplay: false,
    pending: undefined,
  };
  const result = { ...usual, ...conclusion };
  const { status, error, isReplay } = result;
  emit({ type: "finished", callId, tool, userId, status, error, isReplay });
  return { result, required };
}
