import type { ArgumentValidator } from "../contract/arguments.js";
import { isObject, type Json } from "../shared/json.js";
import type { GivenAccounts, ToolAccounts } from "./accounts.js";
import type { Audit, AuditTrail } from "./audit-trail.js";
import type { BoundArguments, BoundTools } from "./bind.js";
import type { AuthRequired, Denial, Ending, Labels, MiddlewareCall, ToolMiddleware } from "./call-result.js";
import type { AgentEvent, Observer } from "./events.js";
import type { ExecutionStore } from "./executions.js";
import type { CallFiles, FileOptions, ResultOptions } from "./files.js";
import type { LocalTool } from "./local-tool.js";
import type { Origin, SerializedToolset } from "./origin.js";
import type { Approvals } from "./pending-approval.js";
import type { Settler } from "./settler.js";
import type { ToolClient, ToolRecord, ToolSelection } from "./sources.js";
import type { AgentTool, Execution, RunOptions } from "./tool.js";
import type { TurnOptions } from "./turn-options.js";
import type { ValueOrigins } from "./value-origins.js";

/** Options of {@link toolset} for clients and sessions. */
export interface ToolsetOptions extends ToolSelection, FileOptions, TurnOptions {
  /**
   * A toolset that was written as JSON earlier: {@link Toolset.toJSON}. The new one has all of its tools, without a
   * request: `toolkits`, `tags`, `search`, `limit`, `lock`, `versions` and slugs in `tools` choose nothing.
   */
  readonly from?: SerializedToolset | undefined;
  /** Aborts the reading of the tools. A run has a signal for its calls. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The conversation's id. Calls of different conversations, users and sessions are different calls, even if a model
   * gave them the same id. Labels hold for all users of the conversation, so make the id unique.
   */
  readonly conversationId?: string | undefined;
  /**
   * Remembers which calls were started. Share one between processes to run each call once across all of them.
   * @default one memoryExecutions() per client, shared by all of its toolsets
   */
  readonly executions?: ExecutionStore | undefined;
  /**
   * Evaluates each call right before it runs, and counts it: `policy([...])` or `customPolicy({ digest, decide })`
   * of `svc-sdk/agents/policy`. A call runs only if the outcome is `allow`, or `ask` and it was approved. Without one,
   * every call runs, so `undefined` is an error.
   */
  readonly policy?: Policy;
  /**
   * Whether a toolset without a policy is an error.
   * @default false
   */
  readonly requirePolicy?: boolean | undefined;
  /** Approves or denies the calls that the policy asks about. Without it, those calls don't run. */
  readonly approvals?: Approvals | undefined;
  /**
   * Checks bounds, patterns and formats too, with `argumentValidator()` of `svc-sdk/arguments`. Without it, the
   * structure of the arguments is checked: types, required and unknown properties, enums. A property of a service's
   * tool is unknown if the schema lists others in its place, and doesn't say that it takes more.
   */
  readonly validateArguments?: ArgumentValidator | undefined;
  /**
   * The reaction if the user must connect an account, in addition to the message for the model. `throw`: `run` throws
   * an {@link AuthRequiredError} when all calls of the turn have ended. A function is called once per toolkit and turn;
   * a string that it returns is what the model reads.
   */
  readonly onAuthRequired?: "throw" | ((required: AuthRequired) => unknown) | undefined;
  /**
   * Arguments that the program sets, by tool and name: values, or functions of the call. A nested name is written as
   * `issue.title`. Models don't see these arguments and can't set them. Policies, approvals and events have them.
   */
  readonly bind?: BoundArguments | undefined;
  /**
   * Functions that wrap each call, before its arguments are checked and the policy is asked: to change arguments, to
   * shorten results, to measure.
   */
  readonly use?: readonly ToolMiddleware[] | undefined;
  /** Receives the events of every call. Errors it throws are logged to the console and don't affect the call. */
  readonly onEvent?: ((event: AgentEvent) => void) | undefined;
  /**
   * Whether `decided` events contain the arguments of the call: to record calls for `svc-sdk policy check`, for
   * example.
   * @default false
   */
  readonly eventArguments?: boolean | undefined;
  /**
   * Records each call, before its effect and when it has ended, so that a person can prove later what happened:
   * `audit({ keys, to })` of `svc-sdk/agents/policy`.
   */
  readonly audit?: Audit | undefined;
  /**
   * Whether tools of the service with the tag `readOnlyHint` only read: a call that failed is sent again like any other
   * read, and the model is told to try again instead of to check what the call did. The tags are the service's: trust
   * them only if a wrong one does no harm, because such a tool could run twice. The tags of a local tool are trusted.
   * @default false
   */
  readonly trustHints?: boolean | undefined;
}

/** Options of {@link toolset} with a client. */
export interface ClientToolsetOptions extends ToolsetOptions {
  /** The end user the tools run for. */
  readonly userId: string;
  /**
   * The connected account of each toolkit, by slug: its id, or ids by label. With labels, the model chooses: the tools
   * get the required argument `account`, or `connected_account` if they have one of that name. `newest`: the user's
   * newest account, of every toolkit.
   *
   * By default, the user's only active account of a toolkit is used: one request per toolkit. If the user has several,
   * or only one that another user shares, nothing runs until one is chosen: see {@link AuthRequired}.
   */
  readonly accounts?: "newest" | GivenAccounts | undefined;
}

/**
 * Options of {@link toolset} with an agent session, which knows its user, its accounts and the versions of its tools.
 */
export interface SessionToolsetOptions extends Omit<ToolsetOptions, "search" | "limit" | "versions"> {
  /**
   * The client, to look up the tools that `SVC_MULTI_EXECUTE_TOOL` runs: one request for those of a call that weren't
   * looked up before. A policy evaluates each by its toolkit and tags, and denies unknown ones. Without it, only the
   * tools of the toolset can be allowed. The accounts that a call names are looked up, too: without
   * `connectedAccounts`, calls that name one are denied.
   */
  readonly catalog?: Pick<ToolClient, "tools" | "connectedAccounts"> | undefined;
}

/** The options of either kind of toolset. */
export type AnyToolsetOptions = ToolsetOptions & Partial<ClientToolsetOptions> & Pick<SessionToolsetOptions, "catalog">;

/** Parts that the calls of a toolset share. */
export interface ToolsetContext
  extends Pick<
      AnyToolsetOptions,
      | "conversationId"
      | "concurrency"
      | "validateArguments"
      | "openFile"
      | "resultFiles"
      | "files"
      | "onAuthRequired"
      | "trustHints"
    >,
    Pick<Origin, "sessionId" | "userId" | "link" | "execute"> {
  readonly tools: readonly AgentTool[];
  /** The record of each tool of the service, by name. */
  readonly records: ReadonlyMap<string, ToolRecord>;
  readonly locals: ReadonlyMap<string, LocalTool>;
  readonly bound: BoundTools | undefined;
  /** Runs a call through the middleware, if there is any. Throws what that throws, or if its result isn't one. */
  readonly wrap:
    | ((call: MiddlewareCall, results: ResultOptions, run: (args: Json) => Promise<Ending>) => Promise<Ending>)
    | undefined;
  readonly withFiles: ReadonlySet<string>;
  /** Calls of other users, sessions or conversations have other ids, even if a model used the same. */
  readonly scope: string;
  /** `undefined` if the service chooses. */
  readonly accounts: ToolAccounts | undefined;
  readonly executions: ExecutionStore;
  readonly guard: Guard | undefined;
  readonly maxResultBytes: number;
  readonly maxTurnBytes: number;
  /** Follows the calls: beside an emulator on this machine, and for the audit. */
  readonly observer: Observer | undefined;
  readonly audit: AuditTrail | undefined;
  /** The values that results contained; `undefined` if no person is asked. */
  readonly origins: ValueOrigins | undefined;
  /** `undefined` if unknown outcomes stay unknown. */
  readonly settler: Settler | undefined;
  emit(event: AgentEvent): void;
}

/** Parts of a toolset that a policy uses. */
export interface GuardContext
  extends Pick<
      ToolsetContext,
      | ("tools" | "records" | "bound" | "scope" | "conversationId" | "sessionId" | "userId" | "link")
      | ("executions" | "validateArguments" | "maxResultBytes" | "origins" | "emit")
    >,
    Pick<AnyToolsetOptions, "approvals" | "catalog" | "eventArguments">,
    Pick<Origin, "client"> {
  /** The tools that were chosen, but aren't as locked. */
  readonly omitted: readonly Pick<AgentTool, "name" | "toolkit">[];
}

export interface Guard {
  /** Identifies the policy. */
  readonly digest: string;
  /**
   * Evaluates a call right before it would run: the policy's decision, the approval, the budgets.
   *
   * @returns The call if it may run, with the account that was approved; otherwise its denial, or how it ends.
   */
  decide(call: Execution, files: CallFiles | undefined, options: RunOptions): Promise<Denial | Ending | Execution>;
  /** Whether every call of a tool is allowed, whatever its arguments, without an approval or a budget. */
  isUnconditional(tool: AgentTool): boolean;
  /** `undefined` if the policy has none. */
  readonly labels: Labels | undefined;
}

/**
 * Decides which calls of a toolset run: what `policy()`, `policyFromJson()` and `customPolicy()` of
 * `svc-sdk/agents/policy` return.
 */
// It brings the code that enforces it, so toolsets without a policy don't contain that code.
export abstract class Policy {
  readonly #isMade = true;

  /**
   * Whether a value is a policy that this copy of the package made. Copies of one aren't, nor are objects of the same
   * shape: nothing would enforce them.
   *
   * @internal
   */
  static isPolicy(value: unknown): value is Policy {
    return isObject(value) && #isMade in value;
  }

  /** @internal */
  abstract get hasLabels(): boolean;
  /** @internal */
  abstract guard(context: GuardContext): Promise<Guard>;
}
