import type { AuthRequired, LinkOptions } from "./auth-required.js";
import type { CallResult, Conclusion } from "./call-result.js";
import type { AgentEvent } from "./events.js";
import type { ExecutionStore } from "./executions.js";
import type { Guard } from "./guard.js";
import type { ToolClient, ToolRecord } from "./sources.js";
import type { AgentTool, RunnableTool } from "./tool.js";
import type { ToolsetOptions } from "./toolset-options.js";

/** The settings of the dispatcher, the same for every call of a toolset. */
export interface Dispatching
  extends Pick<ToolsetOptions, "validateArguments" | "openFile" | "resultFiles" | "onAuthRequired"> {
  readonly tools: readonly AgentTool[];
  /** The same tools, with the way to run each. */
  readonly runnable: readonly RunnableTool[];
  /** Those of the service, as they were read. */
  readonly records: readonly ToolRecord[];
  /** Calls of other users or sessions have other ids, even if a model used the same. */
  readonly scope: string;
  readonly userId: string | undefined;
  /** The chosen accounts, by toolkit. */
  readonly accounts: Readonly<Record<string, string>>;
  readonly executions: ExecutionStore;
  /** Judges each call, if there is a policy. */
  readonly guard: Guard | undefined;
  /** Uploads and downloads files. */
  readonly files: ToolClient["files"];
  readonly maxResultBytes: number;
  link(toolkit: string, options: LinkOptions): Promise<string>;
  emit(event: AgentEvent): void;
}

/** A tool under the name and with the schema that a model got. */
export interface OfferedTool extends RunnableTool {
  /** The model's arguments, under the tool's own names and in its own shapes. */
  readonly restore: ((value: unknown) => unknown) | undefined;
}

/** How a call ended, and the account that the user must connect for it. */
export type Ending = Conclusion & { readonly required?: AuthRequired };

/** The result of a call, and the account that the user must connect for it. */
export interface Dispatched {
  readonly result: CallResult;
  readonly required: AuthRequired | undefined;
}

/** Ends a call: reports it, and returns its result. */
export function conclude(
  { emit, userId }: Dispatching,
  tool: AgentTool | undefined,
  callId: string,
  { required, ...conclusion }: Ending,
): Dispatched {
  const result = {
    callId,
    tool,
    data: undefined,
    files: [],
    error: undefined,
    mismatches: [],
    isReplay: false,
    pending: undefined,
    ...conclusion,
  };
  const { status, error, isReplay } = result;
  emit({ type: "finished", callId, tool, userId, status, error, isReplay });
  return { result, required };
}
