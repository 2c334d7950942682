import type { Json } from "../shared/json.js";
import type { CallResult } from "./call-result.js";
import type { AgentEvent } from "./events.js";
import type { AgentTool, ToolCall } from "./tool.js";

/** A model's turn starts. */
interface ObservedTurn {
  readonly type: "turn";
  readonly calls: readonly ToolCall[];
  readonly toolOf: (name: string) => AgentTool | undefined;
}

/** The arguments of a call are read, or valid and its account is chosen. */
interface ObservedArguments {
  readonly type: "arguments";
  readonly callId: string;
  readonly accountId: string | undefined;
  readonly arguments: Json;
}

/** All calls of a turn ended. */
interface ObservedEnd {
  readonly type: "ended";
  readonly calls: readonly ToolCall[];
  readonly ends: readonly PromiseSettledResult<CallResult>[];
}

/** An event for an observer. Contains more than those for `onEvent`, because it stays on this machine. */
export type Observation = AgentEvent | ObservedTurn | ObservedArguments | ObservedEnd;

/** Follows the calls of a toolset. */
export interface Observer {
  /** Doesn't throw. */
  tell(observed: Observation): void;
  /** Headers for the requests of a call. */
  headers(callId: string): Readonly<Record<string, string>>;
}
