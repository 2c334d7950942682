import type { AuthRequired, CallResult, CallStatus } from "../call-result.js";
import type { PendingApproval } from "../pending-approval.js";
import type { RunOptions } from "../run-options.js";
import type { CompiledToolset } from "../schema/compile-toolset.js";
import type { Toolset } from "../toolset.js";
import type { ShownTool } from "./adapter-options.js";

/** A call of a turn that waits for a person. */
export interface TicketCall {
  /** The model's id of the call. */
  readonly callId: string;
  /** The tool's own name; `null` if the toolset has no tool that the model called. */
  readonly tool: string | null;
  /** How the call ended before the turn was suspended: `pending` if it waits for a decision. */
  readonly status: CallStatus;
}

/** An account that a call of a turn waits for. */
export interface TicketAccount extends Pick<AuthRequired, "toolkit" | "reason"> {
  /** The model's id of the call. */
  readonly callId: string;
}

/** The format of tickets that this version of the package writes and reads. */
export const TICKET_FORMAT = 1;

/**
 * A turn that waits for a person, as JSON. Keep it as long as you like, and resume it in any process. The ticket
 * contains no decisions: pass the tokens from `approvals()`.
 */
export interface TurnTicket<Message = unknown> {
  /** The format: 1. */
  readonly formatVersion: 1;
  /** The function whose `resume` takes the ticket. */
  readonly adapter: "openai" | "openaiChat" | "anthropic" | "google";
  /** The user that the calls run for; `null` if it isn't known. */
  readonly userId: string | null;
  /** Id of the agent session; `null` without one. */
  readonly sessionId: string | null;
  /** The toolset's `conversationId`; `null` without one. */
  readonly conversationId: string | null;
  /** The conversation before the turn, in the provider's form, as it was passed to `suspend`. */
  readonly conversation: readonly Message[];
  /** The model's turn, in the provider's form. */
  readonly response: object;
  /** The calls of the turn, in order. */
  readonly calls: readonly TicketCall[];
  /** The calls that wait, to show to a person: `describeApproval` describes each. */
  readonly pendingApprovals: readonly PendingApproval[];
  /** The accounts that the user must connect or choose before the other calls that wait can run. */
  readonly authRequired: readonly TicketAccount[];
  /** SHA-256 of each definition that the model had, in hexadecimal, by the name that the model calls. */
  readonly definitions: Readonly<Record<string, string>>;
  /** Digest of the policy; `null` without one. */
  readonly policyDigest: string | null;
  /** SHA-256 of the rest of the ticket, in hexadecimal. The store of executions keeps a copy. */
  readonly digest: string;
}

/** Options of `resume`. */
export interface ResumeOptions extends Omit<RunOptions, "approvals"> {
  /**
   * The decisions: tokens of `approve` and `deny` of `approvals()`, in any order. A call without a decision stays
   * pending.
   */
  readonly decisions?: readonly string[] | undefined;
  /**
   * Continues even if the policy or the definition of a called tool has changed: the decisions don't count then, and
   * the present policy evaluates each call that waits. By default, a change is an error.
   * @default false
   */
  readonly askAgain?: boolean | undefined;
}

/** The items of a list in a message: of `content`, for example. */
export type PartOf<Message, Name extends string> = Message extends { readonly [K in Name]?: infer Parts }
  ? Parts extends readonly (infer Part)[]
    ? Part
    : never
  : never;

/** Fields that `resume` adds to a turn. */
export interface Resumed<Message> {
  /** The conversation before the turn, as it was passed to `suspend`: a copy, for the turn's continuation. */
  readonly conversation: Message[];
  /**
   * Names of the model's tools whose definitions have changed since the turn was suspended, or are gone. The next
   * request contains the present definitions.
   */
  readonly changedDefinitions: readonly string[];
}

/** An adapter of a toolset whose turns can be suspended. */
export interface TurnSource {
  readonly adapter: TurnTicket["adapter"];
  readonly tools: Toolset;
  readonly compiled: CompiledToolset;
  /** The tools whose definitions the model has now. */
  readonly shown: Iterable<ShownTool>;
}

/** A model's turn whose calls have run. */
export interface WrittenTurn {
  /** The turn in the form that `run` takes, as JSON, with the ids under which its calls have run. */
  readonly response: object;
  readonly results: readonly CallResult[];
}

/** A ticket that was checked: the turn, and the way to run it again. */
export interface OpenedTicket<Response> {
  /** In the form that the adapter's `run` takes. */
  readonly response: Response;
  readonly conversation: object[];
  readonly changedDefinitions: readonly string[];
  readonly options: RunOptions;
}
