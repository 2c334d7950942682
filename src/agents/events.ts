import type { AgentTool, CallStatus } from "./tool.js";

/** What every event of a toolset tells. */
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
  readonly status: CallStatus;
  /** What was thrown. */
  readonly error: unknown;
  /** True if the call had run before. */
  readonly isReplay: boolean;
}

/** A call ran, and its result couldn't be recorded. */
export interface RecordFailedEvent extends EventFacts {
  readonly type: "record_failed";
  /** What the store threw. */
  readonly error: unknown;
}

/** What a toolset reports to your program. Never contains arguments or results. */
export type AgentEvent = StartedEvent | FinishedEvent | RecordFailedEvent;
