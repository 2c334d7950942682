import { isObject, type Json } from "../shared/json.js";
import type { Approvals } from "./approvals/types.js";
import type { Conclusion } from "./call-result.js";
import type { AgentEvent } from "./events.js";
import type { OpenFile } from "./file-arguments.js";
import type { ToolClient } from "./sources.js";
import type { AgentTool, Execution, RunOptions } from "./tool.js";

/** A toolset whose calls a policy judges. */
export interface GuardedToolset {
  /** All of its tools. */
  readonly tools: readonly AgentTool[];
  /** Where the policy looks up other tools, which a meta tool may run. */
  readonly catalog?: Pick<ToolClient, "tools"> | undefined;
  /** The client that runs its tools; `undefined` for a session, which chooses accounts itself. */
  readonly client: Pick<ToolClient, "connectedAccounts"> | undefined;
  /** Id of the agent session. */
  readonly sessionId: string | undefined;
  readonly userId: string | undefined;
  /** The option `scope`. */
  readonly conversation: string | undefined;
  /** Calls of other users, sessions or conversations have other ids, even if a model used the same. */
  readonly scope: string;
  readonly approvals?: Approvals | undefined;
  readonly maxResultBytes: number;
  /** Whether events of decisions contain arguments. */
  readonly eventArguments?: boolean | undefined;
  emit(event: AgentEvent): void;
}

/** The way to the files that a call's arguments name. */
export interface CallFiles {
  /** The original JSON Schema of the arguments, which marks the files. */
  readonly schema: Json;
  readonly openFile: OpenFile;
}

/** Judges the calls of a toolset under its policy. */
export interface Guard {
  /**
   * Judges a call right before it would run: the policy's decision, the approval, the budgets.
   *
   * @returns The call if it may run, with the account that was approved; otherwise how it ends.
   */
  judge(call: Execution, files: CallFiles, options: RunOptions): Promise<Conclusion | Execution>;
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
  abstract guard(toolset: GuardedToolset): Guard;
}
