import type { ConfigError, ToolLockError } from "../errors/local.js";
import type { Json } from "../shared/json.js";
import type { AgentTool, ToolCall } from "./agent-tool.js";
import type { CallResult, CallStatus } from "./call-result.js";
import type { DecisionOutcome } from "./decision.js";
import type { ApprovalBudget, ApprovalResult } from "./pending-approval.js";
import type { RunOptions } from "./run-options.js";
import type { Subject } from "./subject.js";

/** Facts of every event about a call. The id of a call is unique in its conversation. */
interface EventFacts extends Subject {
  readonly callId: string;
  readonly tool: AgentTool | undefined;
}

/**
 * A tool was omitted: it doesn't match the lockfile and `onLockMismatch` is `"omit"`, or its schema is nested too
 * deeply, which also logs a warning.
 */
export interface OmittedEvent extends Subject {
  readonly type: "omitted";
  /** There is no call yet. */
  readonly callId: undefined;
  /** It isn't among the toolset's tools. */
  readonly tool: undefined;
  /** Names the tool, and says what changed or can't be read. */
  readonly error: ToolLockError | ConfigError;
}

/** A call will be sent next. */
export interface StartedEvent extends EventFacts {
  readonly type: "started";
  /** Milliseconds that the call waited for the rate limit before it started. */
  readonly waitedMs: number;
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

/** A call ended, and its result, its labels or a line about it for the audit couldn't be recorded. */
export interface RecordFailedEvent extends EventFacts {
  readonly type: "record_failed";
  /** The error that the store threw. */
  readonly error: unknown;
}

/** The source of a decision. */
export type DecisionSource = "rules" | "budgets" | "arguments";

/**
 * The policy evaluated a call. A tool that runs other tools has an event for the outer call and an event for each inner
 * call, with the same `callId`. A call that a budget stops has a second event, with the outcome `deny`.
 */
export interface DecidedEvent extends EventFacts {
  readonly type: "decided";
  /** The connected account that the policy evaluated; `undefined` if none was chosen. */
  readonly accountId: string | undefined;
  /**
   * The labels of the conversation that rules with `after` compared. `undefined` if they are unknown, or no rule
   * compared labels.
   */
  readonly labels: readonly string[] | undefined;
  /** The outcome. */
  readonly outcome: DecisionOutcome;
  /** The rules, a budget, or the arguments of a call that runs others, because they can't be read. */
  readonly by: DecisionSource;
  /** The rule that decided, as the policy names it; `undefined` if no rule did. */
  readonly rule: string | undefined;
  /** The reason that the model reads; `undefined` for `allow`. */
  readonly reason: string | undefined;
  /** The error that a rule threw, or the store of the labels. */
  readonly error: unknown;
  /** Arguments of the call, with `eventArguments: true`; otherwise `undefined`. */
  readonly arguments: Json | undefined;
}

/** A call that needs approval was approved or denied, or waits. */
export interface ApprovalEvent extends EventFacts {
  readonly type: "approval";
  /** `approved`: it may run. `pending`: no one has decided yet. `denied`: it doesn't run. */
  readonly status: ApprovalResult["status"];
  /** Id of the request that waits; `undefined` for a call that doesn't wait. */
  readonly requestId: string | undefined;
  /** Id of the person who decided; `undefined` without a decision. */
  readonly approver: string | undefined;
  /** Why a token was rejected: an `ApprovalRejectedError`; otherwise `undefined`. */
  readonly error: unknown;
}

/** An event of a toolset. Contains no results, and no arguments unless `eventArguments` is true. */
export type AgentEvent = OmittedEvent | DecidedEvent | ApprovalEvent | StartedEvent | FinishedEvent | RecordFailedEvent;

/** An event without the facts that {@link emit} adds. */
export type CallEvent = AgentEvent extends infer Event
  ? Event extends Subject
    ? Omit<Event, "sessionId" | "conversationId">
    : never
  : never;

/** How much of a budget is used that counts a call. */
export interface ReadBudget extends Omit<ApprovalBudget, "requested"> {
  /** How much counts now. */
  readonly used: number;
  /** Which calls share the budget. */
  readonly per: "user" | "conversation" | "all";
}

/**
 * An event for an observer: a turn starts, the arguments of a call are read or are valid and its account is chosen, the
 * budgets of a call may have counted it, all calls of a turn ended. Contains more than those for `onEvent`, because it
 * stays on this machine.
 */
export type Observation =
  | AgentEvent
  | { type: "turn"; calls: readonly ToolCall[]; toolOf: (name: string) => AgentTool | undefined }
  | { type: "arguments"; callId: string; accountId: string | undefined; arguments: Json }
  | { type: "counted"; callId: string; readBudgets: () => Promise<readonly ReadBudget[]> }
  | { type: "ended"; calls: readonly ToolCall[]; ends: readonly PromiseSettledResult<CallResult>[] };

/** Follows the calls of a toolset. */
export interface Observer {
  /**
   * Doesn't throw.
   *
   * @param run - The options of the run that the call belongs to: a call may run twice at the same time.
   */
  tell(observed: Observation, run?: RunOptions): void;
  /** Headers for the requests of a call. */
  headers?(callId: string): Readonly<Record<string, string>>;
}

/** One observer for both, if there are two. */
export function observing(left: Observer | undefined, right: Observer | undefined): Observer | undefined {
  if (!left || !right) return left ?? right;
  const tell: Observer["tell"] = (observed, run) => {
    left.tell(observed, run);
    right.tell(observed, run);
  };
  return { tell, headers: (callId) => ({ ...left.headers?.(callId), ...right.headers?.(callId) }) };
}

/** The receivers of a toolset's events, and for whom its calls run. */
interface EventTarget {
  readonly onEvent: ((event: AgentEvent) => void) | undefined;
  readonly observer?: Observer | undefined;
  readonly subject: Subject;
}

/** Hands an event of a toolset to the observer and to the program. Never rejects. */
export async function emit(
  { onEvent, observer, subject }: EventTarget,
  emitted: CallEvent,
  run?: RunOptions,
): Promise<void> {
  const event = { ...emitted, ...subject };
  observer?.tell(event, run);
  try {
    // An async function is one of type `void` too.
    const told: unknown = onEvent?.(event);
    await told;
  } catch (error) {
    console.error("toolset: onEvent threw.", error);
  }
}
