import type { Mismatch } from "../errors/local.js";
import type { AuthRequired } from "./auth-required.js";
import type { CallResult, Conclusion } from "./call-result.js";
import type { AgentEvent } from "./events.js";
import type { ExecutionStore } from "./executions.js";
import type { FileContent } from "./file-arguments.js";
import type { Guard } from "./guard.js";
import type { Download, ResultFiles } from "./result-files.js";
import type { CallLimits, Execution, RunnableTool } from "./tool.js";

/** The settings of the dispatcher, the same for every call of a toolset. */
export interface Dispatching {
  /** Calls of other users or sessions have other ids, even if a model used the same. */
  readonly scope: string;
  readonly userId: string | undefined;
  accountOf(tool: RunnableTool): string | undefined;
  readonly executions: ExecutionStore;
  /** Judges each call, if there is a policy. */
  readonly guard: Guard | undefined;
  readonly checkArguments: ((schema: unknown, value: unknown) => readonly Mismatch[]) | undefined;
  readonly openFile: (execution: Execution, source: string, limits: CallLimits) => Promise<FileContent>;
  readonly upload: (execution: Execution, file: FileContent, limits: CallLimits) => Promise<unknown>;
  readonly download: Download | undefined;
  readonly resultFiles: ResultFiles;
  readonly maxResultBytes: number;
  linkFor(toolkit: string): AuthRequired["link"];
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
