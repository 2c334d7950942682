import type { ArgumentValidator } from "../contract/arguments.js";
import { isObject, type Json } from "../shared/json.js";
import type { GivenAccounts, ToolAccounts } from "./accounts.js";
import type { AgentTool, Execution } from "./agent-tool.js";
import type { Audit, AuditTrail } from "./audit-trail.js";
import type { BoundArguments, BoundTools } from "./bind.js";
import type { AuthRequired, Ending, Labels, MiddlewareCall, Permission, ToolMiddleware } from "./call-result.js";
import type { AgentEvent, Observer } from "./events.js";
import type { ExecutionStore } from "./execution-store.js";
import type { CallFiles, FileOptions, ResultOptions } from "./files.js";
import type { Approvals } from "./pending-approval.js";
import type { RunOptions } from "./run-options.js";
import type { Settler } from "./settler.js";
import type { LocalTool } from "./tools/local-tool.js";
import type { ToolClient, ToolRecord, ToolSelection } from "./tools/read-tools.js";
import type { SerializedToolset, ToolService } from "./tools/tool-service.js";
import type { TurnOptions } from "./turn-options.js";
import type { ValueOrigins } from "./value-origins.js";

/** Options of {@link toolset} for clients and sessions. */
export interface ToolsetOptions extends ToolSelection, FileOptions, TurnOptions {
  /**
   * The result of an earlier {@link Toolset.toJSON}. The toolset has all of its tools, without a request, and ignores
   * `toolkits`, `tags`, `search`, `limit`, `lock`, `versions` and slugs in `tools`.
   */
  readonly from?: SerializedToolset | undefined;
  /** Stops reading the tools. To abort calls, pass a signal to `run`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Id of the conversation. Calls with the same id run once per conversation, user and session. Use a unique id,
   * because labels apply to all users of the conversation.
   */
  readonly conversationId?: string | undefined;
  /**
   * Whether the conversation starts with this toolset. For policies with labels: without a record of the start in
   * `executions`, the labels are unknown, because the store may have lost them.
   * @default false
   */
  readonly isNewConversation?: boolean | undefined;
  /**
   * Records which calls were started. Share one store between processes to run each call once across all of them.
   * @default one memoryExecutions() per client, shared by all of its toolsets
   */
  readonly executions?: ExecutionStore | undefined;
  /**
   * Evaluates each call right before it runs, and counts it: `policy([...])` or `customPolicy({ digest, decide })` from
   * `svc-sdk/agents/policy`. A call runs only if the outcome is `allow`, or `ask` with an approval. Without a policy,
   * every call runs, so passing `undefined` is an error.
   */
  readonly policy?: Policy;
  /**
   * Whether a toolset without a policy is an error.
   * @default false
   */
  readonly requirePolicy?: boolean | undefined;
  /** Approves or denies the calls that need approval. Without it, these calls don't run. */
  readonly approvals?: Approvals | undefined;
  /**
   * Pass `argumentValidator()` from `svc-sdk/arguments` to also validate limits, patterns and formats. By default,
   * types, enums, and missing and unknown properties are validated. A property of the service's tools is unknown if the
   * schema lists properties without it, and doesn't say that the tool takes more.
   */
  readonly validateArguments?: ArgumentValidator | undefined;
  /**
   * The reaction if the user must connect an account, in addition to the message for the model. `throw`: `run` throws
   * an {@link AuthRequiredError} when all calls of the turn have ended. A function is called once per toolkit and turn,
   * and can return the text that the model reads.
   */
  readonly onAuthRequired?: "throw" | ((required: AuthRequired) => unknown) | undefined;
  /**
   * Arguments that your program sets, by tool and name: values, or functions of the call. `issue.title` is a nested
   * argument. Models don't see these arguments and can't set them. Policies, approvals and events do see them.
   */
  readonly bind?: BoundArguments | undefined;
  /**
   * Functions that wrap each call, before validation and the policy: to change arguments, to shorten results, or to
   * measure.
   */
  readonly use?: readonly ToolMiddleware[] | undefined;
  /** Receives the events of every call. If it throws, the error is logged and the call continues. */
  readonly onEvent?: ((event: AgentEvent) => void) | undefined;
  /**
   * Whether `decided` events contain the arguments of the call, for example to record calls for `svc-sdk policy check`.
   * @default false
   */
  readonly eventArguments?: boolean | undefined;
  /**
   * Writes a signed record of each call, before its effect and when it has ended: `audit({ keys, to })` from
   * `svc-sdk/agents/policy`.
   */
  readonly audit?: Audit | undefined;
  /**
   * Whether to trust the service's tag `readOnlyHint`. A failed call of such a tool is retried like any read, and the
   * model is told to try again instead of to check. If the tag is wrong, the tool can run twice. Tags of local tools
   * are always trusted.
   * @default false
   */
  readonly trustHints?: boolean | undefined;
}

/** Options of {@link toolset} with a client. */
export interface ClientToolsetOptions extends ToolsetOptions {
  /** The end user for whom the tools run. */
  readonly userId: string;
  /**
   * The connected account of each toolkit, by slug: its id, or ids by label. With labels, the model chooses through the
   * required argument `account`, or `connected_account` if the tool has an argument `account`. `newest`: the user's
   * newest account of every toolkit.
   *
   * By default, the user's only active account of a toolkit, which takes one request per toolkit. If the user has
   * several accounts, or only a shared account, nothing runs until an account is chosen: see {@link AuthRequired}.
   */
  readonly accounts?: "newest" | GivenAccounts | undefined;
}

/**
 * Options of {@link toolset} with an agent session, which knows its user, its accounts and the versions of its tools.
 */
export interface SessionToolsetOptions extends Omit<ToolsetOptions, "search" | "limit" | "versions"> {
  /**
   * The client, which looks up the tools that `SVC_MULTI_EXECUTE_TOOL` runs, so that a policy can evaluate each by its
   * toolkit and tags. Takes at most one request per call. Without it, only the tools of the toolset can be allowed.
   * Also looks up the accounts that a call names. Without `connectedAccounts`, such calls are denied.
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
    Pick<ToolService, "sessionId" | "userId" | "link" | "execute"> {
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
  /** @param run - The options of the run. Needed for decisions and approvals, which the audit keeps for each run. */
  emit(event: AgentEvent, run?: RunOptions): void;
}

/** Parts of a toolset that a policy uses. */
export interface GuardContext
  extends Pick<
      ToolsetContext,
      | ("tools" | "records" | "bound" | "scope" | "conversationId" | "sessionId" | "userId" | "link" | "accounts")
      | ("executions" | "validateArguments" | "maxResultBytes" | "origins" | "observer" | "emit")
    >,
    Pick<AnyToolsetOptions, "isNewConversation" | "signal" | "approvals" | "catalog" | "eventArguments">,
    Pick<ToolService, "client"> {
  /** The tools that were chosen, but aren't as locked. */
  readonly omitted: readonly Pick<AgentTool, "name" | "toolkit">[];
}

export interface Guard {
  /** Identifies the policy. */
  readonly digest: string;
  /** Evaluates a call right before it would run: the policy's decision, the approval, the budgets. */
  decide(call: Execution, files: CallFiles | undefined, options: RunOptions): Promise<Permission>;
  /** Records that a call that was counted lacks an account, so that it isn't counted again. Never rejects. */
  parked(call: Execution): Promise<void>;
  /** Whether every call of a tool is allowed, whatever its arguments, without an approval or a budget. */
  isUnconditional(tool: AgentTool): boolean;
  /** `undefined` if the policy has none. */
  readonly labels: Labels | undefined;
}

/**
 * Decides which calls of a toolset run. Create it with `policy()`, `policyFromJson()` or `customPolicy()` from
 * `svc-sdk/agents/policy`.
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
