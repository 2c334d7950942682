import type { Decision, Execution } from "../tool.js";
import type { GuardContext } from "../toolset-options.js";
import type { FindTools } from "./inner-calls.js";

/** For whom calls are counted. */
export interface BudgetSubject {
  /** The user; for a session that was opened by its id alone, the session's id. */
  readonly principal: string;
  /** The toolset's `conversationId`. */
  readonly conversationId: string | undefined;
}

/** Your own way to decide which calls run, for `customPolicy`. */
export interface CustomPolicy {
  /** Identifies the rules. An approval holds only for the policy it was given under. */
  readonly digest: string;
  /**
   * Evaluates one call, right before it would run. Throw, reject or return something else, and the call doesn't
   * run. A call of a tool that runs several others is decided for itself, without its tags, and for each of them with
   * theirs; the strictest outcome holds for all.
   */
  decide(execution: Execution): Decision | Promise<Decision>;
  /**
   * Counts calls against budgets before they run, in one step: all of them, or none. What was counted is never given
   * back. Throw, reject or return something else, and nothing runs. Without it, calls aren't counted.
   *
   * @param executions - One call. If its tool runs several others, followed by each of them.
   * @returns `allow` if they fit and are counted, `deny` if they don't.
   */
  count?(executions: readonly Execution[], counted: BudgetSubject): Promise<Decision>;
}

/** A toolset and the policy of its calls. */
export interface Deciding extends GuardContext {
  readonly policy: CustomPolicy;
  readonly findTools: FindTools;
}
