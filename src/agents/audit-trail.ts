import type { Execution } from "./agent-tool.js";
import type { CallResult, Ending } from "./call-result.js";
import type { CallEvent, Observation } from "./events.js";
import type { RunOptions } from "./run-options.js";
import type { Subject } from "./subject.js";

/** A record of calls, which `audit()` of `svc-sdk/agents/policy` creates. */
export interface Audit {
  /** @internal */
  trail(subject: Subject): AuditTrail;
}

/** Tells the program about an event. */
export type EmitEvent = (event: CallEvent) => void;

/** The calls of one toolset, for its audit. */
export interface AuditTrail {
  /** Follows the calls. Doesn't throw. */
  tell(observed: Observation, run?: RunOptions): void;
  /** Records that a call starts. @returns How the call ends instead, if it must not run unrecorded. */
  starting(execution: Execution, options: RunOptions, emit: EmitEvent): Promise<Ending | undefined>;
  /** Records how a call ended. An aborted run doesn't wait for it. Never rejects. */
  ended(result: CallResult, options: RunOptions, emit: EmitEvent): Promise<void>;
}

/**
 * Stores the lines of an audit log, in their order. `fileAudit` of `svc-sdk/stores` writes a file. A table with a
 * unique number for each line, or an object store with conditional writes, also works.
 */
export interface AuditSink {
  /** Returns the last line; `undefined` if the log is empty. */
  last(): Promise<string | undefined>;
  /**
   * Appends lines if `last` is still the last line. Otherwise, appends nothing. Resolves when the lines survive a crash
   * of the machine.
   *
   * @returns Whether they were appended.
   */
  append(lines: readonly string[], last: string | undefined): Promise<boolean>;
}
