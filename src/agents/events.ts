import type { AgentTool, CallStatus } from "./tool.js";

/** Facts that every event of a toolset has. */
interface EventFacts {
  readonly callId: string;
  readonly tool: AgentTool | undefined;
  readonly userId: string | undefined;
}

/** A call is about to be sent. */
export interface StartedEvent extends EventFacts {
  readonly type: "started";
}

/** A call ended: it ran, failed, or was rejected before anything ran. */
export interface FinishedEvent extends EventFacts {
  readonly type: "finished";
  /** How the call ended. */
  readonly status: CallStatus;
  /** The error that was thrown. */
  readonly error: unknown;
  /** True if the call had run before. */
  readonly isReplay: boolean;
}

/** A call ran, and its result couldn't be recorded. */
export interface RecordFailedEvent extends EventFacts {
  readonly type: "record_failed";
  /** The error that the store threw. */
  readonly error: unknown;
}

/** An event of a toolset. Never contains arguments or results. */
export type AgentEvent = StartedEvent | FinishedEvent | RecordFailedEvent;
