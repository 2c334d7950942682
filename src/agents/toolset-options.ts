import type { ArgumentValidator } from "../contract/arguments.js";
import type { GivenAccounts } from "./accounts.js";
import type { Audit } from "./audit-trail.js";
import type { BoundArguments } from "./bound-arguments.js";
import type { AuthRequired } from "./call-result.js";
import type { AgentEvent } from "./events.js";
import type { ExecutionStore } from "./execution-store.js";
import type { FileOptions } from "./files.js";
import type { Approvals } from "./pending-approval.js";
import type { Policy } from "./policy-base.js";
import type { ToolMiddleware } from "./tool-middleware.js";
import type { ToolClient, ToolSelection } from "./tools/read-tools.js";
import type { SerializedToolset } from "./tools/tool-service.js";
import type { TurnOptions } from "./turn-options.js";

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
   * an {@link AuthRequiredError} when all calls of the turn have ended. A function is called once per toolkit and
   * reason in a turn, and can return the text that the model reads.
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
