import { isObject } from "../shared/json.js";
import type { AgentTool } from "./agent-tool.js";
import type { Guard } from "./guard.js";
import type { Approvals } from "./pending-approval.js";
import type { ToolClient } from "./tools/read-tools.js";
import type { ToolService } from "./tools/tool-service.js";
import type { ToolsetContext } from "./toolset-context.js";

/** Parts of a toolset that a policy uses. */
export interface GuardContext
  extends Pick<
      ToolsetContext,
      | ("tools" | "records" | "bound" | "scope" | "conversationId" | "sessionId" | "userId" | "link" | "accounts")
      | ("executions" | "validateArguments" | "maxResultBytes" | "origins" | "observer" | "emit")
    >,
    Pick<ToolService, "client"> {
  readonly isNewConversation?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly approvals?: Approvals | undefined;
  readonly catalog?: Pick<ToolClient, "tools" | "connectedAccounts"> | undefined;
  readonly eventArguments?: boolean | undefined;
  /** The tools that were chosen, but aren't as locked. */
  readonly omitted: readonly Pick<AgentTool, "name" | "toolkit">[];
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
